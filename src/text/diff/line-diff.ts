/**
 * Finds the lines that differ between two texts.
 *
 * The result is deterministic. Lines that differ only in their line end are equal. If the texts differ by more than
 * `EDITS_MAX` edits, everything between their common start and end counts as changed.
 */
import { diffArrays } from "diff";
import type { LineRange } from "../ranges.ts";

/**
 * `added`: ranges of lines of the later text. `goneAfter`: lines of the later text (0: before the first) after which
 * earlier lines were removed and nothing was added.
 */
export type LineDiff = { readonly added: readonly LineRange[]; readonly goneAfter: readonly number[] };

/** A run of lines and what replaces it. Positions count from 0; one of the two runs may be empty. */
export type LineEdit = {
  readonly oldAt: number;
  readonly oldCount: number;
  readonly newAt: number;
  readonly newCount: number;
};

/** Bounds the search, whose time and memory are quadratic in the number of edits. */
const EDITS_MAX = 1_000;

/** Compares two texts by line. The end of the last line does not count. */
export function diffLines(before: string, after: string): LineDiff {
  const edits = lineEdits(splitLines(before), splitLines(after));
  return {
    added: edits.flatMap(({ newAt, newCount }) =>
      newCount === 0 ? [] : [{ startLine: newAt + 1, endLine: newAt + newCount }],
    ),
    goneAfter: edits.flatMap(({ newAt, newCount }) => (newCount === 0 ? [newAt] : [])),
  };
}

/** The edits from one list of lines to another, in order. */
export function lineEdits(old: readonly string[], now: readonly string[]): readonly LineEdit[] {
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const [removed, inserted] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const found =
    editsMin(removed, inserted) > EDITS_MAX ? undefined : diffArrays(removed, inserted, { maxEditLength: EDITS_MAX });
  const changes = found ?? [
    { count: removed.length, added: false, removed: true },
    { count: inserted.length, added: true, removed: false },
  ];
  const edits: LineEdit[] = [];
  let [oldAt, newAt] = [head, head];
  for (const { added, removed: isRemoved, count } of changes) {
    const last = edits.at(-1);
    const isNext = last !== undefined && last.oldAt + last.oldCount === oldAt && last.newAt + last.newCount === newAt;
    if ((added || isRemoved) && count > 0) {
      const edit = { oldAt, oldCount: isRemoved ? count : 0, newAt, newCount: added ? count : 0 };
      // An insertion follows the removal that it replaces.
      if (isNext) edits[edits.length - 1] = joined(last, edit);
      else edits.push(edit);
    }
    if (!added) oldAt += count;
    if (!isRemoved) newAt += count;
  }
  return edits;
}

/** A lower bound of the edits: a line that one text has more often takes one edit each time. One pass tells what a search finds late. */
function editsMin(old: readonly string[], now: readonly string[]): number {
  const surplus = new Map<string, number>();
  for (const line of old) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of now) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  let edits = 0;
  for (const count of surplus.values()) edits += Math.abs(count);
  return edits;
}

/** Two edits that touch as one. */
export const joined = (one: LineEdit, next: LineEdit): LineEdit => ({
  ...one,
  oldCount: one.oldCount + next.oldCount,
  newCount: one.newCount + next.newCount,
});

/** The lines of a text without their ends. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
