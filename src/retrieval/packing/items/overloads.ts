/**
 * Shows the declared overloads of a function together with its implementation, as one definition.
 *
 * The index has a symbol for each overload (`@overload` in Python, a signature alone in TypeScript) and one for the
 * implementation, all of one name. An overload says nothing without it, and a task that matches one means the function.
 */
import type { SymbolRow } from "../../../db/curated/knowledge-base.ts";
import { LANGUAGES } from "../../../languages/languages.ts";
import type { PricedText } from "../../lexical/snippets.ts";
import type { PlacedSymbol, ScopedFile } from "../../model/selection.ts";
import { SYMBOL_TIERS } from "../../model/tiers.ts";

const OVERLOAD = /^\s*@(?:\w+\.)*overload\b/;

/** The placed symbols, with one for each overloaded function, in the place of the first; it begins with its overloads. */
export function withImplementations(
  placed: readonly PlacedSymbol[],
  symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>,
  sources: ReadonlyMap<number, PricedText>,
  files: ReadonlyMap<number, ScopedFile>,
): readonly PlacedSymbol[] {
  const joined = new Map<number, SymbolRow>();
  for (const fileId of new Set(placed.map(({ symbol }) => symbol.fileId))) {
    const isOverload = hasBareOverloads(files.get(fileId)?.file.language) ? isBare : isDecorated;
    const lines = sources.get(fileId)?.lines ?? [];
    for (const [id, symbol] of implementations(symbolsOf.get(fileId) ?? [], lines, isOverload)) joined.set(id, symbol);
  }
  if (joined.size === 0) return placed;
  const idOf = (id: number): number => joined.get(id)?.id ?? id;
  const ids = (list: readonly number[]): readonly number[] => [...new Set(list.map(idOf))];
  const found = new Map<number, PlacedSymbol>();
  for (const one of placed) {
    const symbol = joined.get(one.symbol.id) ?? one.symbol;
    const related = {
      ...one,
      symbol,
      usedBy: ids(one.usedBy),
      ...(one.companionOf === undefined ? {} : { companionOf: ids(one.companionOf) }),
    };
    const before = found.get(symbol.id);
    found.set(symbol.id, before === undefined ? related : stronger(before, related));
  }
  return [...found.values()];
}

function stronger(a: PlacedSymbol, b: PlacedSymbol): PlacedSymbol {
  const order = SYMBOL_TIERS.indexOf(a.tier) - SYMBOL_TIERS.indexOf(b.tier) || b.score - a.score;
  const [first, second] = order <= 0 ? [a, b] : [b, a];
  return { ...second, ...first, floor: a.floor || b.floor, score: Math.max(a.score, b.score) };
}

/** The implementation of each overload and of itself, by id, with lines and tokens that include its overloads. */
function implementations(
  symbols: readonly SymbolRow[],
  lines: readonly string[],
  isOverload: IsOverload,
): ReadonlyMap<number, SymbolRow> {
  const found = new Map<number, SymbolRow>();
  let overloads: SymbolRow[] = [];
  for (const symbol of symbols) {
    const [first] = overloads;
    if (first !== undefined && first.qualifiedName !== symbol.qualifiedName) overloads = [];
    if (isOverload(symbol, lines)) {
      overloads.push(symbol);
      continue;
    }
    const group = [...overloads, symbol];
    const [begin] = overloads;
    overloads = [];
    if (begin === undefined) continue;
    const bodyTokens = group.reduce((sum, { bodyTokens: tokens }) => sum + tokens, 0);
    for (const { id } of group) found.set(id, { ...symbol, docLine: begin.docLine, bodyTokens });
  }
  return found;
}

/** Other languages have no signature without a body next to one with it, or it is a function of its own (Java). */
const hasBareOverloads = (language = ""): boolean => LANGUAGES.get(language)?.imports === "ecmascript";

type IsOverload = (symbol: SymbolRow, lines: readonly string[]) => boolean;

const isDecorated: IsOverload = ({ startLine, endLine, nameLine }, lines) => {
  for (let line = startLine; line < nameLine && line <= endLine; line += 1)
    if (OVERLOAD.test(lines[line - 1] ?? "")) return true;
  return false;
};

/** Whether a function ends where its signature does: the last word of both is the same. */
const isBare: IsOverload = ({ kind, signature, endLine }, lines) => {
  if (kind !== "function" && kind !== "method") return false;
  const end = (lines[endLine - 1] ?? "").trimEnd();
  const word = signature.slice(signature.lastIndexOf(" ") + 1);
  return end.endsWith(word) || end.endsWith(`${word};`);
};
