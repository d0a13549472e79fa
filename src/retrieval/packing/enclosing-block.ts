/**
 * The lines of a block that stands around definitions and is none itself: the `impl` of Rust, without which a method
 * does not say of which type it is and for which trait.
 *
 * Read off the indentation, as rustfmt writes it. Pure. Not here: when such lines are shown (`packer.ts`).
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import type { LineRange } from "../../text/ranges.ts";

/** Parameters and bounds of an `impl` can take several lines. */
const HEADER_LINES_MAX = 12;
/** The beginning and the end are looked for so many lines away: generated blocks have thousands of members. */
const DISTANCE_MAX = 1_000;

/** Of a definition its first line, that of its documentation, and its last. */
type Lines = Pick<SymbolRow, "kind" | "docLine" | "startLine" | "endLine">;

/** A block from its first line to its last, and what of that opens it. */
export type EnclosingBlock = { readonly header: LineRange; readonly whole: LineRange };

/** The nameless block around a definition; null when there is none. `lines` are the text of the file. */
export function enclosingBlock(
  language: string | null,
  { startLine, docLine, endLine }: Lines,
  lines: readonly string[],
): EnclosingBlock | null {
  const opening = language === null ? undefined : LANGUAGES.get(language)?.namelessBlock;
  if (opening === undefined) return null;
  const textOf = (line: number): string => lines[line - 1] ?? "";
  const isBlank = (line: number): boolean => isBlankLine(lines, line);
  const indentOf = (line: number): number => textOf(line).search(/\S|$/);
  const indent = indentOf(startLine);
  if (indent === 0) return null;
  const first = Math.max(1, docLine - DISTANCE_MAX);
  let open = docLine - 1;
  while (open > first && (isBlank(open) || indentOf(open) >= indent)) open -= 1;
  if (open < 1 || indentOf(open) >= indent) return null;
  let header = open;
  while (header > 0 && !opening.test(textOf(header))) {
    if (isBlank(header) || open - header >= HEADER_LINES_MAX) return null;
    header -= 1;
  }
  if (header === 0) return null;
  const outer = indentOf(header);
  const last = Math.min(lines.length, endLine + DISTANCE_MAX);
  let close = endLine + 1;
  while (close <= last && (isBlank(close) || indentOf(close) > outer)) close += 1;
  if (indentOf(close) !== outer || !textOf(close).trimStart().startsWith("}")) return null;
  return { header: { startLine: header, endLine: open }, whole: { startLine: header, endLine: close } };
}

const isBlankLine = (lines: readonly string[], line: number): boolean => (lines[line - 1] ?? "").trim() === "";

const isMember = ({ kind }: Lines): boolean => kind === "function" || kind === "method" || isContainerKind(kind);

/** The lines of a block that are no member's: its header, its end and what stands between. `members` may be more. */
export function ownLines(
  { whole: block }: EnclosingBlock,
  members: readonly Lines[],
  lines: readonly string[],
): readonly LineRange[] {
  const taken = new Uint8Array(block.endLine + 2);
  for (const member of members)
    if (isMember(member) && member.docLine > block.startLine && member.endLine < block.endLine)
      taken.fill(1, member.docLine, member.endLine + 1);
  const own: { startLine: number; endLine: number }[] = [];
  for (let line = block.startLine; line <= block.endLine; line += 1) {
    if (taken[line] === 1 || isBlankLine(lines, line)) continue;
    const last = own.at(-1);
    if (last?.endLine === line - 1) last.endLine = line;
    else own.push({ startLine: line, endLine: line });
  }
  return own;
}
