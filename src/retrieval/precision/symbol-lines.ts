/**
 * The lines that stand for a definition when it is shown: of a long class its own ones, of anything else all.
 *
 * Pure. Not here: what they cost (`items.ts`), which lines hold the task's words (`snippets.ts`).
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import type { LineRange } from "../../text/ranges.ts";
import { SMALL_FILE_LINES } from "../lexical/snippets.ts";
import type { ItemTier } from "../model/tiers.ts";
import { withoutLines } from "./symbol-requests.ts";

/** Types of at most this many lines are shown in full, longer ones as signatures. */
const TYPE_LINES_MAX = 20;

/** The lines of a symbol in its tier, none where its signature is all that is shown. `lines` are those of its file. */
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

const MEMBER_KINDS: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "namespace"]);

/** What is left of some lines that a refinement does not want to be shown. */
export const withoutHidden = (
  ranges: readonly LineRange[],
  hidden: readonly LineRange[],
  lines: readonly string[],
): readonly LineRange[] =>
  hidden.length === 0 ? ranges : withoutLines(ranges, hidden).flatMap((range) => withoutBlankEdges(range, lines));

/** The range from its first to its last line that is not blank; none when all are. */
function withoutBlankEdges({ startLine, endLine }: LineRange, lines: readonly string[]): readonly LineRange[] {
  const isBlank = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  let [start, end] = [startLine, endLine];
  while (start <= end && isBlank(start)) start += 1;
  while (end > start && isBlank(end)) end -= 1;
  return start > end ? [] : [{ startLine: start, endLine: end }];
}
