/**
 * Merges word matches and vector neighbours into one ranking: a weighted sum of both relevances (`relevance.ts`).
 *
 * Ties end on the word rank, then on the caller's key if it has one, then on the order in which rows were found.
 */
import type { Ranked } from "../../db/memory/store.ts";
import { combinedRelevance, FILTER_RELEVANCE, relevanceByWords, standsOut } from "./relevance.ts";
import type { Found } from "./searcher.ts";

/** How near rows are to the query by meaning, 0 to 1. */
export type Similarity<Id, Row> = {
  readonly byId: Iterable<readonly [Id, number]>;
  /** `byWords` is the row's relevance by words, for rows without a vector. */
  of(row: Row, byWords: number): number;
};

export type HybridQuery<Id extends string | number, Row extends { readonly id: Id }> = {
  /** Word matches, best first. */
  readonly hits: readonly Ranked<Row>[];
  /** Rows that pass the filter, with or without matching words; they fill the result up to `limit`. */
  readonly filtered?: readonly Ranked<Row>[];
  /** Null ranks by words alone. */
  readonly similarity: Similarity<Id, Row> | null;
  readonly limit: number;
  /** How many of the nearest rows are read at a time. */
  readonly batch: number;
  byId(ids: readonly Id[]): readonly Row[];
  /** Whether a row that was found by meaning passes the filter. */
  passes(row: Row): boolean;
  /** The share of the query's words that a row contains, 0 to 1. */
  coverageOf(row: Row): number;
  factorOf?(row: Row): number;
  /** Without it, rows that tie stay in the order of `hits`, and of `filtered`. */
  tieOf?(row: Row): string;
};

type Scored<Row> = { readonly found: Row; readonly relevance: number; readonly rank: number };

/** At most `limit` rows, the most relevant first. */
export function hybridRank<Id extends string | number, Row extends { readonly id: Id }>(
  query: HybridQuery<Id, Row>,
): readonly Found<Row>[] {
  const { hits, filtered = [], similarity, limit, tieOf = () => "" } = query;
  const bestRank = hits[0]?.rank ?? 0;
  const scored = new Map<Id, Scored<Row>>();
  const add = (found: Row, byWords: number, rank: number): void => {
    if (scored.has(found.id)) return;
    const relevance = similarity === null ? byWords : combinedRelevance(byWords, similarity.of(found, byWords));
    scored.set(found.id, { found, rank, relevance: relevance * (query.factorOf?.(found) ?? 1) });
  };
  for (const { entry, rank } of hits) add(entry, relevanceByWords(query.coverageOf(entry), rank, bestRank), rank);
  if (similarity !== null)
    for (const row of nearestRows(query, similarity, new Set(scored.keys())))
      if (similarity.of(row, 0) > 0) add(row, 0, 0);
  const missing = filtered.filter(({ entry }) => !scored.has(entry.id)).slice(0, Math.max(0, limit - scored.size));
  for (const { entry } of missing) add(entry, FILTER_RELEVANCE, 0);
  return [...scored.values()]
    .sort((a, b) => b.relevance - a.relevance || b.rank - a.rank || compared(tieOf(a.found), tieOf(b.found)))
    .slice(0, limit)
    .map(({ found, relevance }) => ({ found, relevance }));
}

/** The nearest rows that words did not find and that pass the filter, about `limit` of them. */
function nearestRows<Id extends string | number, Row extends { readonly id: Id }>(
  { byId, passes, limit, batch }: HybridQuery<Id, Row>,
  similarity: Similarity<Id, Row>,
  known: ReadonlySet<Id>,
): readonly Row[] {
  const all = [...similarity.byId];
  const isFound = standsOut(all.map(([, relevance]) => relevance));
  const ids = all
    .filter(([id, relevance]) => isFound(relevance) && !known.has(id))
    .sort(([a, x], [b, y]) => y - x || compared(a, b))
    .map(([id]) => id);
  const rows: Row[] = [];
  for (let at = 0; at < ids.length && rows.length < limit; at += batch)
    rows.push(...byId(ids.slice(at, at + batch)).filter(passes));
  return rows;
}

const compared = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
