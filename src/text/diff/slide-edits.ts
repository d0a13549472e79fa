/**
 * Moves insertions and deletions to where a reader expects them.
 *
 * A run of added lines can often be shown one line up or down, since it repeats the line before or after it: a new function may begin with
 * the blank line above it or end with the one below. As in git, the place is chosen by indentation and blank lines around both ends.
 */
import { joined, type LineEdit } from "./line-diff.ts";

/** How many places are compared. */
const PLACES_MAX = 100;
const INDENT_MAX = 200;
const BLANKS_MAX = 20;
const TAB_COLUMNS = 8;

/** The weights of git's indent heuristic. */
const WEIGHTS = {
  startOfFile: 1,
  endOfFile: 21,
  blank: -30,
  blankAfter: 6,
  deeper: -4,
  deeperAfterBlank: 10,
  outdent: 24,
  outdentAfterBlank: 17,
  dedent: 23,
  dedentAfterBlank: 17,
  indent: 60,
} as const;

/** Edits that replace lines stay where they are. One that can reach another joins it. */
export function slideEdits(
  edits: readonly LineEdit[],
  old: readonly string[],
  now: readonly string[],
): readonly LineEdit[] {
  const moved: LineEdit[] = [];
  const waiting = edits.toReversed();
  for (let edit = waiting.pop(); edit !== undefined; edit = waiting.pop()) {
    const [before, after] = [moved.at(-1), waiting.at(-1)];
    const room = {
      up: edit.oldAt - (before === undefined ? 0 : before.oldAt + before.oldCount),
      down: (after?.oldAt ?? old.length) - (edit.oldAt + edit.oldCount),
    };
    const isReplacing = edit.oldCount > 0 && edit.newCount > 0;
    const { up, down } = isReplacing ? { up: 0, down: 0 } : shifts(edit, old, now, room);
    if (after !== undefined && down === room.down) {
      waiting.pop();
      waiting.push(joined(shifted(edit, down), after));
    } else if (before !== undefined && up === room.up) moved[moved.length - 1] = joined(before, shifted(edit, -up));
    else moved.push(isReplacing ? edit : shifted(edit, bestShift(edit, old, now, { up, down })));
  }
  return moved;
}

const shifted = (edit: LineEdit, by: number): LineEdit => ({
  ...edit,
  oldAt: edit.oldAt + by,
  newAt: edit.newAt + by,
});

type Room = { readonly up: number; readonly down: number };

/** The lines that an edit adds or deletes. */
const ownLines = ({ oldAt, oldCount, newAt, newCount }: LineEdit, old: readonly string[], now: readonly string[]) =>
  newCount > 0 ? { lines: now, start: newAt, count: newCount } : { lines: old, start: oldAt, count: oldCount };

/** By how many lines an edit can move up and down without a different result. */
function shifts(edit: LineEdit, old: readonly string[], now: readonly string[], room: Room): Room {
  const { lines, start, count } = ownLines(edit, old, now);
  let up = 0;
  while (up < room.up && lines[start - up - 1] === lines[start + count - up - 1]) up += 1;
  let down = 0;
  while (down < room.down && lines[start + down] === lines[start + count + down]) down += 1;
  return { up, down };
}

function bestShift(edit: LineEdit, old: readonly string[], now: readonly string[], { up, down }: Room): number {
  const { lines, start, count } = ownLines(edit, old, now);
  let best: { readonly by: number; readonly score: Score } | null = null;
  // Further up the lines repeat, and so do the places.
  for (let by = Math.max(-up, down - count - 1, down - PLACES_MAX); by <= down; by += 1) {
    const score = sum(scoreOf(lines, start + by), scoreOf(lines, start + count + by));
    if (best === null || compare(score, best.score) <= 0) best = { by, score };
  }
  return best?.by ?? 0;
}

/** A lower score is a better place. */
type Score = { readonly indent: number; readonly penalty: number };

const sum = (a: Score, b: Score): Score => ({ indent: a.indent + b.indent, penalty: a.penalty + b.penalty });
const compare = (a: Score, b: Score): number =>
  WEIGHTS.indent * Math.sign(a.indent - b.indent) + (a.penalty - b.penalty);

/** How good it is to begin or end an edit above the line at `at`. Indentation is -1 where there is none to compare with. */
function scoreOf(lines: readonly string[], at: number): Score {
  const own = at >= lines.length ? -1 : indentOf(lines[at]);
  const above = nearest(lines, at - 1, -1);
  const below = nearest(lines, at + 1, 1);
  const blanksAfter = own === -1 ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksAfter;
  const indent = own === -1 ? below.indent : own;
  const hasBlanks = blanks !== 0;
  const penalty =
    (above.indent === -1 && above.blanks === 0 ? WEIGHTS.startOfFile : 0) +
    (at >= lines.length ? WEIGHTS.endOfFile : 0) +
    WEIGHTS.blank * blanks +
    WEIGHTS.blankAfter * blanksAfter;
  if (indent === -1 || above.indent === -1 || indent === above.indent) return { indent, penalty };
  if (indent > above.indent)
    return { indent, penalty: penalty + (hasBlanks ? WEIGHTS.deeperAfterBlank : WEIGHTS.deeper) };
  if (below.indent !== -1 && below.indent > indent)
    return { indent, penalty: penalty + (hasBlanks ? WEIGHTS.outdentAfterBlank : WEIGHTS.outdent) };
  return { indent, penalty: penalty + (hasBlanks ? WEIGHTS.dedentAfterBlank : WEIGHTS.dedent) };
}

/** The indentation of the nearest line that is not blank, and the blank lines on the way. */
function nearest(
  lines: readonly string[],
  from: number,
  step: 1 | -1,
): { readonly indent: number; readonly blanks: number } {
  let blanks = 0;
  for (let at = from; at >= 0 && at < lines.length; at += step) {
    const indent = indentOf(lines[at]);
    if (indent !== -1) return { indent, blanks };
    blanks += 1;
    if (blanks === BLANKS_MAX) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** Columns before the first character; -1 for a blank line. As in git, a form feed is a character. */
function indentOf(line = ""): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    else if (character !== "\n" && character !== "\r") return columns;
    if (columns >= INDENT_MAX) return INDENT_MAX;
  }
  return -1;
}
