/**
 * The lines of an expected definition that are not its own: for a class and other containers, those of its members.
 *
 * A change to a class means its head and its fields; its methods are definitions of their own.
 */
import type { SymbolRow } from "../db/curated/knowledge-base.ts";
import { isContainerKind, isFunctionKind } from "../syntax/facts/facts.ts";
import type { LineRange } from "../text/ranges.ts";
import type { GoldSymbol } from "./model.ts";

const isMember = ({ kind }: SymbolRow): boolean => isFunctionKind(kind) || isContainerKind(kind);

/** Strictly inside: a symbol with the same lines is the same definition under another name. */
const isInside = ({ startLine, endLine }: SymbolRow, start: number, end: number): boolean =>
  startLine >= start && endLine <= end && endLine - startLine < end - start;
const isWithin = (one: SymbolRow, other: SymbolRow): boolean => isInside(one, other.startLine, other.endLine);

/**
 * The members of an expected definition with their documentation, and blank lines; nothing for a function. `symbols` and
 * `text` are those of its file. A definition that the index does not name (an `impl` block) counts as a container.
 */
export function foreignLines(
  { name, lines }: Pick<GoldSymbol, "name" | "lines">,
  symbols: readonly SymbolRow[],
  text: string,
): readonly LineRange[] {
  if (lines === null) return [];
  const { start, end } = lines;
  const same = symbols.find((symbol) => symbol.name === name && symbol.startLine <= end && symbol.endLine >= start);
  if (same !== undefined && !isContainerKind(same.kind)) return [];
  const members = symbols.filter((symbol) => symbol !== same && isMember(symbol) && isInside(symbol, start, end));
  if (members.length === 0) return [];
  // Members of a member belong to that member.
  const direct = members.filter((one) => !members.some((other) => isWithin(one, other)));
  const blank = text
    .split("\n")
    .slice(start - 1, end)
    .flatMap((line, at) => (line.trim() === "" ? [{ startLine: start + at, endLine: start + at }] : []));
  return [...direct.map(({ docLine, endLine }) => ({ startLine: docLine, endLine })), ...blank];
}
