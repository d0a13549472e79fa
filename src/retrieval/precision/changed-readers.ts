/**
 * What reads a constant that a review changes. References do not cover what is only read, so its name is looked up in the lines of the
 * definitions in its own file, and in those of the files that import that one.
 */
import type { KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isFunctionKind } from "../../syntax/facts/facts.ts";
import { identifiersIn } from "../../text/terms/identifiers.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { PlacedSymbol, Seed } from "../model/selection.ts";
import { CONSTANT_NAME_MIN, LINE_CHARS_MAX } from "./read-constants.ts";

/** Readers of each constant, sources and tests apart, and of all. */
const PER_CONSTANT_MAX = 5;
const READERS_MAX = 15;
/** Files that are searched, those with changes first. */
const FILES_MAX = 60;

type ReaderInput = {
  readonly kb: Pick<KnowledgeBase, "dependencyEnds" | "textsToMatch">;
  readonly seeds: readonly Seed[];
  readonly placed: readonly PlacedSymbol[];
  /** Those of the files in scope. */
  readonly symbols: readonly SymbolRow[];
  readonly testSymbols: () => ReadonlySet<number>;
};

/** The placed symbols with the readers, in no particular order. */
export function withReaders({ kb, seeds, placed, symbols, testSymbols }: ReaderInput): readonly PlacedSymbol[] {
  const changed = new Set(seeds.flatMap((seed) => seed.changed ?? []));
  const constants = symbols.filter(
    ({ id, kind, parentId, name }) =>
      changed.has(id) && kind === "variable" && parentId === null && name.length >= CONSTANT_NAME_MIN,
  );
  if (constants.length === 0) return placed;
  const byFile = Map.groupBy(symbols, ({ fileId }) => fileId);
  const holding = new Set(constants.map(({ fileId }) => fileId));
  const importers = Map.groupBy(kb.dependencyEnds([...holding]), ({ target }) => target);
  const sources = [...holding].flatMap((id) => (importers.get(id) ?? []).map(({ source }) => source));
  const files = [...new Set([...holding, ...sources])].filter((id) => byFile.has(id)).slice(0, FILES_MAX);
  const texts = kb.textsToMatch(files);
  const settled = new Set(placed.flatMap(({ symbol, floor, isCaller }) => (floor || isCaller ? [symbol.id] : [])));
  const tests = testSymbols();
  const counts = new Map<string, number>();
  const found = new Map<number, PlacedSymbol>();
  for (const fileId of files) {
    const own = byFile.get(fileId) ?? [];
    const isImporter = (of: number): boolean => (importers.get(of) ?? []).some(({ source }) => source === fileId);
    // What the file itself calls so is another one.
    const isReadable = (one: SymbolRow): boolean =>
      one.fileId === fileId || (isImporter(one.fileId) && !own.some(({ name }) => name === one.name));
    for (const { constant, reader } of readsIn(fileId, texts.get(fileId) ?? "", own, constants.filter(isReadable))) {
      if (changed.has(reader.id) || settled.has(reader.id) || found.has(reader.id)) continue;
      const key = `${constant.id} ${tests.has(reader.id)}`;
      const count = counts.get(key) ?? 0;
      if (count >= PER_CONSTANT_MAX || found.size >= READERS_MAX) continue;
      counts.set(key, count + 1);
      const why = `uses ${constant.qualifiedName}, which was changed`;
      const score = CONFIDENCE_MIN;
      found.set(reader.id, { symbol: reader, tier: "primary", floor: false, score, why, usedBy: [], isCaller: true });
    }
  }
  return [...placed.filter(({ symbol }) => !found.has(symbol.id)), ...found.values()];
}

type Read = { readonly constant: SymbolRow; readonly reader: SymbolRow };

/** The lines of a file that read one of the constants, each with the function around. `own` are the symbols of the file. */
function* readsIn(
  fileId: number,
  text: string,
  own: readonly SymbolRow[],
  constants: readonly SymbolRow[],
): Generator<Read> {
  const readable = new Map(constants.map((one) => [one.name, one]));
  if (readable.size === 0) return;
  for (const [at, whole] of text.split("\n").entries()) {
    const line = whole.slice(0, LINE_CHARS_MAX);
    for (const name of identifiersIn(line)) {
      const constant = readable.get(name);
      if (constant === undefined || !isRead(constant, line, fileId)) continue;
      const reader = innermost(own, at + 1);
      // A parameter of that name is another one.
      if (reader !== undefined && !identifiersIn(reader.signature).includes(name)) yield { constant, reader };
    }
  }
}

/** Whether a line reads it by its name alone, or in another file through its module. A plain word behind a dot is any member. */
function isRead({ name, fileId }: SymbolRow, line: string, inFile: number): boolean {
  const isTelling = inFile !== fileId && /[\p{Lu}_]/u.test(name);
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? "", line[at + name.length] ?? ""];
    if (WORD.test(before) || WORD.test(after)) continue;
    if (isTelling || before !== "." || line.slice(0, at).endsWith("exports.") || line.slice(0, at).endsWith("..."))
      return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}_$]/u;

/** The smallest function or method around a line. */
const innermost = (symbols: readonly SymbolRow[], line: number): SymbolRow | undefined =>
  symbols
    .filter(({ kind, startLine, endLine }) => isFunctionKind(kind) && startLine <= line && line <= endLine)
    .sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
