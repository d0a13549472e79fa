/**
 * Makes one list of the definitions, or of the commits, that hold words of a query and those that are near by meaning.
 *
 * Ties end on the rank by words, then on the place or the hash, so the order is total. Pure but for `byId`. Not here: the
 * formulas (`relevance.ts`), what is remembered (`hybrid-rank.ts`).
 */
import type { FoundCommitRow, FoundDefinition } from "../../db/curated/knowledge-base.ts";
import { inOrder } from "../../text/order.ts";
import type { IndexNearness } from "./index-vector-search.ts";
import type { QueryWords } from "./query-words.ts";
import { fused, MEANING_MIN, relevanceByWords } from "./relevance.ts";
import type { Found, FoundCode, FoundCommit } from "./searcher.ts";

type Row = { readonly id: number; readonly rank: number };

export type InIndex<R extends Row> = {
  readonly words: QueryWords;
  /** By words, the best first. */
  readonly hits: readonly R[];
  /** Null: by words alone. */
  readonly nearness: IndexNearness | null;
  readonly byId: (ids: readonly number[]) => readonly R[];
  readonly limit: number;
};

/** Tests are seldom what is asked for. */
const TEST_FACTOR = 0.9;
/** What has no vector yet counts as this part as near as its words say, so that it is neither lost nor above all others. */
const UNKNOWN_SHARE = 0.5;

/** At most `limit` definitions. */
export const foundCode = (asked: InIndex<FoundDefinition>): readonly Found<FoundCode>[] =>
  best(asked, {
    textOf: ({ path, qualifiedName, signature, docstring }) =>
      [path, qualifiedName, signature, docstring ?? ""].join("\n"),
    factorOf: ({ isTest }) => (isTest ? TEST_FACTOR : 1),
    nameOf: ({ path, startLine }) => `${path}\n${String(startLine).padStart(9, "0")}`,
    shown: ({ id: _, isTest, rank, ...found }) => found,
  });

/** At most `limit` commits. */
export const foundCommits = (asked: InIndex<FoundCommitRow>): readonly Found<FoundCommit>[] =>
  best(asked, {
    textOf: ({ message }) => message,
    factorOf: () => 1,
    nameOf: ({ hash }) => hash,
    shown: ({ hash, author, message, timestamp, paths, insertions, deletions }) => ({
      sha: hash,
      author,
      message,
      timestamp: new Date(timestamp * 1000).toISOString(),
      filesChanged: paths,
      insertions,
      deletions,
    }),
  });

type Telling<R, T> = {
  readonly textOf: (row: R) => string;
  readonly factorOf: (row: R) => number;
  /** What ends ties. */
  readonly nameOf: (row: R) => string;
  readonly shown: (row: R) => T;
};

function best<R extends Row, T>(
  { words, hits, nearness, byId, limit }: InIndex<R>,
  { textOf, factorOf, nameOf, shown }: Telling<R, T>,
): readonly Found<T>[] {
  const bestRank = hits[0]?.rank ?? 0;
  const relevanceOf = (row: R, byWords: number): number =>
    (nearness === null ? byWords : fused(byWords, nearness.get(row.id) ?? byWords * UNKNOWN_SHARE)) * factorOf(row);
  const near = nearness === null ? [] : byId(nearest(nearness, new Set(hits.map(({ id }) => id)), limit));
  return [
    ...hits.map((row) => ({
      row,
      relevance: relevanceOf(row, relevanceByWords(words.coverage(textOf(row)), row.rank, bestRank)),
    })),
    ...near.map((row) => ({ row, relevance: relevanceOf(row, 0) })),
  ]
    .sort((a, b) => b.relevance - a.relevance || b.row.rank - a.row.rank || inOrder(nameOf(a.row), nameOf(b.row)))
    .slice(0, limit)
    .map(({ row, relevance }) => ({ relevance, found: shown(row) }));
}

/** The nearest that are not `known`. */
const nearest = (nearness: IndexNearness, known: ReadonlySet<number>, limit: number): readonly number[] =>
  [...nearness]
    .filter(([id, relevance]) => relevance >= MEANING_MIN && !known.has(id))
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, limit)
    .map(([id]) => id);
