/** The lines that a definition shows: all of them, or those of a long class without its members. A refinement hides some. */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import type { LineRange } from "../../text/ranges.ts";
import { SMALL_FILE_LINES } from "../lexical/snippets.ts";
import type { ItemTier } from "../model/tiers.ts";

/** Longer types are shown as signatures. */
const TYPE_LINES_MAX = 20;

const MEMBER_KINDS: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "namespace"]);

/** The lines shown; empty if the tier shows only the signature. `lines` are those of the symbol's file, `siblings` its symbols. */
export function linesFor(
  symbol: SymbolRow,
  tier: ItemTier,
  lines: readonly string[],
  siblings: readonly SymbolRow[],
): readonly LineRange[] {
  const end = Math.min(symbol.endLine, lines.length);
  const whole = { startLine: symbol.docLine, endLine: end };
  const length = end - symbol.docLine + 1;
  if (tier === "supporting" || (tier === "type_context" && length > TYPE_LINES_MAX)) return [];
  if (length < SMALL_FILE_LINES || !isContainerKind(symbol.kind)) return [whole];
  const members = siblings.filter(
    (member) =>
      member.id !== symbol.id &&
      member.startLine >= symbol.startLine &&
      member.endLine <= symbol.endLine &&
      MEMBER_KINDS.has(member.kind),
  );
  const own: LineRange[] = [];
  let line = whole.startLine;
  for (const member of members) {
    if (member.docLine > line) own.push({ startLine: line, endLine: member.docLine - 1 });
    line = Math.max(line, member.endLine + 1);
  }
  if (line <= end) own.push({ startLine: line, endLine: end });
  return own.flatMap((range) => withoutBlankEdges(range, lines));
}

/**
 * The lines of `inner` symbols inside `holder`, or in the whole file if `holder` is null. Never includes the first line of
 * `holder`, because at least one line is always shown.
 */
export function hiddenLines(
  inner: readonly SymbolRow[],
  holder: { readonly id: number; readonly startLine: number; readonly endLine: number } | null,
): readonly LineRange[] {
  return inner.flatMap((symbol) => {
    const { docLine, startLine, endLine } = symbol;
    if (holder === null) return [{ startLine: docLine, endLine }];
    if (symbol.id === holder.id || startLine < holder.startLine || endLine > holder.endLine) return [];
    if (startLine === holder.startLine && endLine === holder.endLine) return [];
    const from = Math.max(docLine, holder.startLine + 1);
    return from > endLine ? [] : [{ startLine: from, endLine }];
  });
}

/** `ranges` without the `hidden` lines, and without blank lines at the new edges. */
export const withoutHidden = (
  ranges: readonly LineRange[],
  hidden: readonly LineRange[],
  lines: readonly string[],
): readonly LineRange[] =>
  hidden.length === 0 ? ranges : withoutLines(ranges, hidden).flatMap((range) => withoutBlankEdges(range, lines));

/** `ranges` without the lines of `hidden`, in order. */
function withoutLines(ranges: readonly LineRange[], hidden: readonly LineRange[]): readonly LineRange[] {
  return hidden.reduce<readonly LineRange[]>(
    (left, out) =>
      left.flatMap(({ startLine, endLine }) =>
        [
          { startLine, endLine: Math.min(endLine, out.startLine - 1) },
          { startLine: Math.max(startLine, out.endLine + 1), endLine },
        ].filter((range) => range.startLine <= range.endLine),
      ),
    ranges,
  );
}

/** The range from its first to its last line that is not blank; none if all are blank. */
function withoutBlankEdges({ startLine, endLine }: LineRange, lines: readonly string[]): readonly LineRange[] {
  const isBlank = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  let [start, end] = [startLine, endLine];
  while (start <= end && isBlank(start)) start += 1;
  while (end > start && isBlank(end)) end -= 1;
  return start > end ? [] : [{ startLine: start, endLine: end }];
}

/** The lines of a text with hidden lines replaced by blank ones. */
export const blanked = (lines: readonly string[], hidden: readonly LineRange[]): readonly string[] =>
  hidden.length === 0
    ? lines
    : lines.map((text, at) => (hidden.some((out) => out.startLine <= at + 1 && at + 1 <= out.endLine) ? "" : text));
