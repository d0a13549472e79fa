/**
 * Finds added lines of a text compared to an earlier one, and where lines were removed.
 *
 * The result is deterministic. Lines that differ only in their line end are equal. If the texts differ by more than
 * `EDITS_MAX` edits, everything between their common start and end counts as added.
 */
import { diffArrays } from "diff";
import type { LineRange } from "./ranges.ts";

/**
 * `added`: ranges of lines of the later text. `goneAfter`: lines of the later text (0: before the first) after which
 * earlier lines were removed and nothing was added.
 */
export type LineDiff = { readonly added: readonly LineRange[]; readonly goneAfter: readonly number[] };

/** Bounds the search, whose time and memory are quadratic in the number of edits. */
const EDITS_MAX = 1_000;

/** Compares two texts by line. */
export function diffLines(before: string, after: string): LineDiff {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const [removed, inserted] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const changes = diffArrays(removed, inserted, { maxEditLength: EDITS_MAX }) ?? [
    { count: removed.length, added: false, removed: true },
    { count: inserted.length, added: true, removed: false },
  ];
  const added: LineRange[] = [];
  const goneAfter: number[] = [];
  let line = head;
  for (const [at, change] of changes.entries()) {
    if (change.added) added.push({ startLine: line + 1, endLine: line + change.count });
    // An insertion follows the removal that it replaces.
    else if (change.removed && change.count > 0 && changes[at + 1]?.added !== true) goneAfter.push(line);
    if (!change.removed) line += change.count;
  }
  return { added, goneAfter };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
