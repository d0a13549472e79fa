/**
 * The hunks of a unified diff between two texts, as git prints them, with three lines of context.
 *
 * Line ends are neither compared nor shown, except whether the last line has one.
 */
import { type LineEdit, lineEdits, splitLines } from "./line-diff.ts";
import { slideEdits } from "./slide-edits.ts";

/** Lines start with " ", "+", "-", or "\" for a last line without an end. Starts count from 1, and are 0 without lines. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The line at or above the hunk's first that looks like a heading; empty when there is none. */
  readonly heading: string;
  readonly lines: readonly string[];
};

const CONTEXT_LINES = 3;
const HEADING_CHARS_MAX = 80;
const NO_LINE_END = "\\ No newline at end of file";

/** `shown` are the texts whose lines the hunks show, with the same number of lines. */
export function unifiedHunks(before: string, after: string, shown = { before, after }): readonly Hunk[] {
  const [old, now] = [sideOf(before, shown.before), sideOf(after, shown.after)];
  const groups: LineEdit[][] = [];
  for (const edit of slideEdits(lineEdits(old.compared, now.compared), old.compared, now.compared)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && edit.oldAt - (last.oldAt + last.oldCount) <= 2 * CONTEXT_LINES)
      group.push(edit);
    else groups.push([edit]);
  }
  const headings = headingsIn(old.shown);
  return groups.map((edits) => hunkOf(edits, old, now, headings));
}

/** `compared` tells a last line without an end from one with it. */
type Side = { readonly compared: readonly string[]; readonly shown: readonly string[]; readonly isEnded: boolean };

function sideOf(text: string, shown: string): Side {
  const lines = splitLines(text);
  const isEnded = text === "" || text.endsWith("\n");
  const compared = isEnded ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ""}\n`];
  return { compared, shown: splitLines(shown), isEnded };
}

function hunkOf(edits: readonly LineEdit[], old: Side, now: Side, headingAbove: (line: number) => string): Hunk {
  const [first, last] = [edits[0], edits.at(-1)];
  const above = Math.min(first?.oldAt ?? 0, CONTEXT_LINES);
  const [oldFrom, newFrom] = [(first?.oldAt ?? 0) - above, (first?.newAt ?? 0) - above];
  const oldEnd = (last?.oldAt ?? 0) + (last?.oldCount ?? 0);
  const below = Math.min(old.shown.length - oldEnd, CONTEXT_LINES);
  const newEnd = (last?.newAt ?? 0) + (last?.newCount ?? 0) + below;
  const lines: string[] = [];
  const add = (sign: string, { shown, isEnded }: Side, from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      lines.push(`${sign}${shown[at] ?? ""}`);
      if (!isEnded && at === shown.length - 1) lines.push(NO_LINE_END);
    }
  };
  let reached = oldFrom;
  for (const { oldAt, oldCount, newAt, newCount } of edits) {
    add(" ", old, reached, oldAt);
    add("-", old, oldAt, oldAt + oldCount);
    add("+", now, newAt, newAt + newCount);
    reached = oldAt + oldCount;
  }
  add(" ", old, reached, oldEnd + below);
  const [oldLines, newLines] = [oldEnd + below - oldFrom, newEnd - newFrom];
  return {
    oldStart: oldLines === 0 ? oldFrom : oldFrom + 1,
    oldLines,
    newStart: newLines === 0 ? newFrom : newFrom + 1,
    newLines,
    heading: headingAbove(oldFrom),
    lines,
  };
}

/** As in git: the nearest line above that starts with a letter, `_` or `$`. Asked for later and later lines, it reads each once. */
function headingsIn(lines: readonly string[]): (from: number) => string {
  let [reached, heading] = [0, ""];
  return (from) => {
    for (; reached < from; reached += 1) {
      const line = lines[reached] ?? "";
      if (/^[A-Za-z_$]/.test(line)) heading = line;
    }
    return heading.slice(0, HEADING_CHARS_MAX).toWellFormed().trimEnd();
  };
}
