/**
 * Line ranges: padding, clamping and merging.
 *
 * Lines are 1-based and both ends are inclusive. Results are sorted, disjoint and never adjacent; ranges outside of the
 * file are dropped.
 */

export type LineRange = { readonly startLine: number; readonly endLine: number };

/** Sorts ranges and joins those that overlap or touch, such as 1..3 and 4..6. Empty ranges (end before start) are dropped. */
export function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const sorted = ranges
    .filter((range) => range.endLine >= range.startLine)
    .toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const merged: LineRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.startLine > last.endLine + 1) {
      merged.push({ startLine: range.startLine, endLine: range.endLine });
    } else if (range.endLine > last.endLine) {
      merged[merged.length - 1] = { startLine: last.startLine, endLine: range.endLine };
    }
  }
  return merged;
}

/** Widens every range by `lines` on both sides, clamps to a file of `lineCount` lines, and merges. */
export function padRanges(ranges: readonly LineRange[], lines: number, lineCount: number): readonly LineRange[] {
  return clampRanges(
    ranges
      .filter((range) => range.endLine >= range.startLine)
      .map((range) => ({ startLine: range.startLine - lines, endLine: range.endLine + lines })),
    lineCount,
  );
}

/** Cuts ranges to 1..lineCount and merges them; ranges outside the file are dropped. */
export function clampRanges(ranges: readonly LineRange[], lineCount: number): readonly LineRange[] {
  return mergeRanges(
    ranges.map((range) => ({ startLine: Math.max(1, range.startLine), endLine: Math.min(lineCount, range.endLine) })),
  );
}
