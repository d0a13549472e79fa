/**
 * Keeps what the round before showed: a further round expands that package instead of making another one.
 *
 * Things are matched by path and name, since row ids change when the index is rebuilt.
 */
import type { FileQueries, FileRow, SymbolQueries, SymbolRow } from "../../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../../task/query.ts";
import { lineScorer } from "../../lexical/line-scorer.ts";
import { HEAD_LINES, looseSnippets } from "../../lexical/snippets.ts";
import type { RoundShown, ShownItem } from "../../model/changes.ts";
import type { PlacedSnippet, PlacedSymbol, ScopedFile, Selection } from "../../model/selection.ts";
import { placedInOrder, RELEVANT_SHARE_MIN } from "../../precision/symbol-tiers.ts";
import type { SymbolRequests } from "../../requests/symbol-requests.ts";
import type { Item } from "./items.ts";

/** `files` are the candidates: what was rejected since is not among them. */
type KeptInput = {
  readonly kb: FileQueries & SymbolQueries;
  readonly files: readonly FileRow[];
  readonly task: TaskQuery;
  readonly symbolRequests: SymbolRequests;
};

/** Adds to a selection what the round before showed and this one would no longer choose, behind all that it chooses. */
export function withKept(selection: Selection, { round, shown }: RoundShown, input: KeptInput): Selection {
  const why = `shown in round ${round}`;
  const shownIn = Map.groupBy(shown, ({ path }) => path);
  const kept = input.files.filter(({ path }) => shownIn.has(path));
  const symbols = Map.groupBy(input.kb.symbolsIn(kept.map(({ id }) => id)), ({ fileId }) => fileId);
  const placed = Map.groupBy(selection.symbols, ({ symbol }) => symbol.fileId);
  const snippets = new Set(selection.snippets.map(({ fileId }) => fileId));
  const isLeftOut = ({ id }: Pick<SymbolRow, "id">): boolean => input.symbolRequests.bySymbol.get(id) === "out";
  const scorer = lineScorer(input.task);
  const added: PlacedSymbol[] = [];
  const lines: PlacedSnippet[] = [];
  for (const file of kept) {
    const items = shownIn.get(file.path) ?? [];
    const own = symbols.get(file.id) ?? [];
    const known = placed.get(file.id) ?? [];
    added.push(...unplaced(items, visible(own, isLeftOut), known).map((symbol) => keptSymbol(symbol, items, why)));
    if (snippets.has(file.id) || items.some(({ item }) => item !== "lines") || known.length > 0) continue;
    const [text = ""] = input.kb.texts([file.id]).values();
    const ranges = looseSnippets(text, own, scorer, HEAD_LINES);
    if (ranges.length > 0) lines.push({ fileId: file.id, ranges, score: RELEVANT_SHARE_MIN, floor: false, why });
  }
  const inScope = new Set(selection.files.map(({ file }) => file.id));
  const holders = new Set([...added.map(({ symbol }) => symbol.fileId), ...lines.map(({ fileId }) => fileId)]);
  const files = kept
    .filter(({ id }) => holders.has(id) && !inScope.has(id))
    .map((file, at): ScopedFile => {
      const score = { fileId: file.id, path: file.path, total: 0, terms: [] };
      return { file, tier: "ranked", relation: why, score, rank: selection.files.length + at + 1 };
    });
  const all = [...selection.files, ...files];
  return {
    ...selection,
    files: all,
    symbols: placedInOrder([...inFull(selection.symbols, kept, shownIn), ...added], all),
    snippets: [...selection.snippets, ...lines],
    leftOut: [
      ...(selection.leftOut ?? []),
      ...files.flatMap(({ file }) => (symbols.get(file.id) ?? []).filter(isLeftOut)),
    ],
  };
}

/** A supporting symbol has no body: one whose body was shown, since a better symbol brought it, stays primary. */
function inFull(
  placed: readonly PlacedSymbol[],
  kept: readonly FileRow[],
  shownIn: ReadonlyMap<string, readonly ShownItem[]>,
): readonly PlacedSymbol[] {
  const itemsOf = new Map(kept.map(({ id, path }) => [id, shownIn.get(path) ?? []]));
  return placed.map((one) => {
    if (one.tier === "primary" || one.requested !== undefined) return one;
    const isBody = ({ item, tier, detail }: ShownItem): boolean =>
      item === one.symbol.qualifiedName && tier === "primary" && detail === "body";
    return itemsOf.get(one.symbol.fileId)?.some(isBody) ? { ...one, tier: "primary" } : one;
  });
}

/** The symbols that were shown and are not placed, of equal names as many as were shown. */
function unplaced(
  items: readonly ShownItem[],
  symbols: readonly SymbolRow[],
  placed: readonly PlacedSymbol[],
): readonly SymbolRow[] {
  const placedIds = new Set(placed.map(({ symbol }) => symbol.id));
  return [...Map.groupBy(items, ({ item }) => item)].flatMap(([name, { length }]) => {
    const isNamed = ({ qualifiedName }: SymbolRow): boolean => qualifiedName === name;
    const missing = length - placed.filter(({ symbol }) => isNamed(symbol)).length;
    return symbols.filter((symbol) => isNamed(symbol) && !placedIds.has(symbol.id)).slice(0, Math.max(0, missing));
  });
}

/** The symbols that are neither left out nor inside one that is. */
function visible(
  symbols: readonly SymbolRow[],
  isLeftOut: (symbol: Pick<SymbolRow, "id">) => boolean,
): readonly SymbolRow[] {
  const parents = new Map(symbols.map(({ id, parentId }) => [id, parentId]));
  return symbols.filter(({ id: own }) => {
    for (let id: number | null = own; id !== null; id = parents.get(id) ?? null) if (isLeftOut({ id })) return false;
    return true;
  });
}

function keptSymbol(symbol: SymbolRow, items: readonly ShownItem[], why: string): PlacedSymbol {
  const tier = items.find(({ item }) => item === symbol.qualifiedName)?.tier;
  return {
    symbol,
    tier: tier === "supporting" || tier === "type_context" ? tier : "primary",
    floor: false,
    score: RELEVANT_SHARE_MIN,
    why,
    usedBy: [],
  };
}

/** Marks the items that the round before showed with how much of them it showed. */
export function markKept(items: readonly Item[], { shown }: RoundShown): readonly Item[] {
  const keyOf = (path: string, name: string): string => `${path}\0${name}`;
  const before = Map.groupBy(shown, ({ path, item }) => keyOf(path, item));
  return items.map((item) => {
    const kept =
      item.isEnclosing || item.reason !== null ? undefined : before.get(keyOf(item.path, item.label))?.shift();
    return kept === undefined ? item : { ...item, kept: kept.detail };
  });
}
