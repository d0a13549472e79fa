/**
 * Constants that primary symbols read: supporting material, such as a table of limits or the text of a message.
 *
 * References do not cover what is only read, so names are looked up in the lines that a symbol shows: in its own file, and for
 * the best symbols also among what is exported by the files that it imports.
 */
import type { DependencyRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { ImportFamily } from "../../languages/language.ts";
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
  readonly familyOf: (fileId: number) => ImportFamily | undefined;
  /** Imports between the files in scope. */
  readonly imports: readonly DependencyRow[];
};

/** The placed symbols, and after them the constants that were not placed. */
export function withConstants(input: ConstantInput): readonly PlacedSymbol[] {
  const { readers, placed, symbols, linesOf, imports, familyOf } = input;
  const known = new Set(placed.map(({ symbol }) => symbol.id));
  const constants = Map.groupBy(symbols.filter(isConstant), ({ name }) => name);
  const exporting = new Set(symbols.flatMap(({ fileId, exported }) => (exported ? [fileId] : [])));
  const isOpen = ({ fileId, exported }: SymbolRow): boolean =>
    exported || familyOf(fileId) !== "ecmascript" || !exporting.has(fileId);
  const imported = Map.groupBy(imports, ({ source }) => source);
  const found = new Map<number, PlacedSymbol>();
  for (const [at, { symbol: reader, score }] of readers.entries()) {
    const targets = new Set(
      (at < IMPORTING_MAX ? imported.get(reader.fileId) : undefined)?.map(({ target }) => target),
    );
    const lines = linesOf(reader).map((line) => line.slice(0, LINE_CHARS_MAX));
    const hasMembers = DOTTED.has(familyOf(reader.fileId));
    for (const name of new Set(lines.flatMap(identifiersIn))) {
      const named = constants.get(name) ?? [];
      const own = named.find(({ fileId }) => fileId === reader.fileId);
      const others = named.filter((symbol) => targets.has(symbol.fileId) && isOpen(symbol));
      const symbol = own ?? (others.length === 1 ? others[0] : undefined);
      if (symbol !== undefined && symbol === own && hasMembers && isOnlyMember(name, lines)) continue;
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

/** Where a name behind a dot is a member of something else, never a name of the file. */
const DOTTED: ReadonlySet<ImportFamily | undefined> = new Set<ImportFamily>(["ecmascript", "python"]);

/** Whether every place of a name is behind a dot (`error.location`), except what a file exports (`exports.LIMIT`). */
const isOnlyMember = (name: string, lines: readonly string[]): boolean => {
  const read = new RegExp(
    String.raw`(?:(?<![\w$.])|\.\.\.|\bexports\.)${name.replaceAll("$", String.raw`\$`)}(?![\w$])`,
  );
  return !lines.some((line) => read.test(line));
};

const isConstant = ({ kind, parentId, name, bodyTokens }: SymbolRow): boolean =>
  kind === "variable" && parentId === null && name.length >= CONSTANT_NAME_MIN && bodyTokens <= CONSTANT_TOKENS_MAX;
