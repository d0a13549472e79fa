/**
 * Constants that primary symbols read: supporting material, such as a table of limits or the text of a message.
 *
 * References do not cover what is only read, so names are looked up in the lines that a symbol shows: in its own file, and for
 * the best symbols also in the files that it imports.
 */
import type { DependencyRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { identifiersIn } from "../../text/terms/identifiers.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";
import { SUPPORT_SHARE } from "./symbol-tiers.ts";

/** How many of the best primary symbols bring what they read of their own files. */
export const READERS_MAX = 40;
/** How many also bring what they read of other files, each of which costs a heading. */
const IMPORTING_MAX = 10;
/** A longer constant is data. */
export const CONSTANT_TOKENS_MAX = 80;
/** Shorter names are ambiguous. */
export const CONSTANT_NAME_MIN = 3;
/** The rest of a longer line is not searched for names. */
export const LINE_CHARS_MAX = 2_000;

/** `readers` are at most `READERS_MAX` primary symbols, best first; `symbols` are all that may be shown, without tests. */
type ConstantInput = {
  readonly readers: readonly PlacedSymbol[];
  readonly placed: readonly PlacedSymbol[];
  readonly symbols: readonly SymbolRow[];
  /** The lines of a definition that are shown when it is. */
  readonly linesOf: (symbol: SymbolRow) => readonly string[];
  /** Imports between the files in scope. */
  readonly imports: readonly DependencyRow[];
};

/** The placed symbols, and after them the constants that were not placed. */
export function withConstants({ readers, placed, symbols, linesOf, imports }: ConstantInput): readonly PlacedSymbol[] {
  const known = new Set(placed.map(({ symbol }) => symbol.id));
  const constants = Map.groupBy(symbols.filter(isConstant), ({ name }) => name);
  const imported = Map.groupBy(imports, ({ source }) => source);
  const found = new Map<number, PlacedSymbol>();
  for (const [at, { symbol: reader, score }] of readers.entries()) {
    const targets = new Set(
      (at < IMPORTING_MAX ? imported.get(reader.fileId) : undefined)?.map(({ target }) => target),
    );
    for (const name of new Set(linesOf(reader).flatMap((line) => identifiersIn(line.slice(0, LINE_CHARS_MAX))))) {
      const symbol = meant(constants.get(name) ?? [], reader.fileId, targets);
      if (symbol === undefined || symbol.id === reader.id || known.has(symbol.id)) continue;
      const before = found.get(symbol.id);
      found.set(symbol.id, {
        symbol,
        tier: "supporting",
        floor: false,
        score: before?.score ?? roundScore(score * SUPPORT_SHARE),
        why: before?.why ?? `read by ${reader.qualifiedName}`,
        usedBy: [...(before?.usedBy ?? []), reader.id],
      });
    }
  }
  return [...placed, ...found.values()];
}

/** The constant of the reader's file, else the only one of the files that it imports. */
function meant(named: readonly SymbolRow[], fileId: number, imported: ReadonlySet<number>): SymbolRow | undefined {
  const others = named.filter((symbol) => imported.has(symbol.fileId));
  return named.find((symbol) => symbol.fileId === fileId) ?? (others.length === 1 ? others[0] : undefined);
}

const isConstant = ({ kind, parentId, name, bodyTokens }: SymbolRow): boolean =>
  kind === "variable" && parentId === null && name.length >= CONSTANT_NAME_MIN && bodyTokens <= CONSTANT_TOKENS_MAX;
