/**
 * The lines of a block that stands around definitions and is none itself: the `impl` of Rust, without which a method
 * does not say of which type it is and for which trait.
 *
 * Read off the indentation, as rustfmt writes it. Pure. Not here: when such lines are shown (`fit.ts`).
 */
import type { SymbolRow } from "../db/curated.ts";
import { isContainerKind } from "../syntax/facts.ts";
import type { LineRange } from "../text/ranges.ts";

const HEADER = /^\s*(?:unsafe\s+|default\s+)*impl\b/;
/** Parameters and bounds of an `impl` can take several lines. */
const HEADER_LINES_MAX = 12;
/** The blocks that may stand around a definition, by the language of its file. */
const LANGUAGES: ReadonlySet<string> = new Set(["rust"]);

/** Of a definition its first line, that of its documentation, and its last. */
type Lines = Pick<SymbolRow, "kind" | "docLine" | "startLine" | "endLine">;

/** `own` are its lines that are no member's: its header, its end and what stands between members. */
export type EnclosingBlock = { readonly header: LineRange; readonly own: readonly LineRange[] };

/**
 * The nameless block around a definition; null when there is none. `members` are the definitions of the file, `lines` its
 * text.
 */
export function enclosingBlock(
  language: string | null,
  { startLine, docLine, endLine }: Lines,
  members: readonly Lines[],
  lines: readonly string[],
): EnclosingBlock | null {
  if (language === null || !LANGUAGES.has(language)) return null;
  const textOf = (line: number): string => lines[line - 1] ?? "";
  const isBlank = (line: number): boolean => textOf(line).trim() === "";
  const indentOf = (line: number): number => textOf(line).search(/\S|$/);
  const indent = indentOf(startLine);
  let open = docLine - 1;
  while (open > 0 && (isBlank(open) || indentOf(open) >= indent)) open -= 1;
  let header = open;
  while (header > 0 && !HEADER.test(textOf(header))) {
    if (isBlank(header) || open - header >= HEADER_LINES_MAX) return null;
    header -= 1;
  }
  if (header === 0) return null;
  const outer = indentOf(header);
  let close = endLine + 1;
  while (close <= lines.length && (isBlank(close) || indentOf(close) > outer)) close += 1;
  if (indentOf(close) !== outer || !textOf(close).trimStart().startsWith("}")) return null;
  return {
    header: { startLine: header, endLine: open },
    own: withoutMembers({ startLine: header, endLine: close }, members, isBlank),
  };
}

const isMember = ({ kind }: Lines): boolean => kind === "function" || kind === "method" || isContainerKind(kind);

function withoutMembers(
  block: LineRange,
  members: readonly Lines[],
  isBlank: (line: number) => boolean,
): readonly LineRange[] {
  const taken = new Uint8Array(block.endLine + 2);
  for (const member of members)
    if (isMember(member) && member.docLine > block.startLine && member.endLine < block.endLine)
      taken.fill(1, member.docLine, member.endLine + 1);
  const own: { startLine: number; endLine: number }[] = [];
  for (let line = block.startLine; line <= block.endLine; line += 1) {
    if (taken[line] === 1 || isBlank(line)) continue;
    const last = own.at(-1);
    if (last?.endLine === line - 1) last.endLine = line;
    else own.push({ startLine: line, endLine: line });
  }
  return own;
}
