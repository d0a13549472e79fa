/**
 * Ranks definitions and commits of the index for a query: by words and, if there are vectors, by meaning.
 *
 * A word counts more in a definition's name than in its documentation; functions and classes come before constants.
 */
import type { FoundCommitRow, FoundDefinition } from "../../db/curated/knowledge-base.ts";
import type { Ranked } from "../../db/memory/store.ts";
import { type HybridQuery, hybridRank } from "./hybrid-rank.ts";
import type { IndexSimilarities } from "./index-vector-search.ts";
import type { QueryWords } from "./query-words.ts";
import type { Found, FoundCode, FoundCommit } from "./searcher.ts";

type IndexRow = { readonly id: number; readonly rank: number };

/** A search of the index: its word matches, best first, and the similarities of rows that have a vector. */
type IndexQuery<Row extends IndexRow> = {
  readonly words: QueryWords;
  readonly hits: readonly Row[];
  readonly similarities: IndexSimilarities | null;
  readonly byId: (ids: readonly number[]) => readonly Row[];
  readonly limit: number;
};

/** Where a word of the query occurs in a definition, and how much it counts there. */
const PART_WEIGHTS = { name: 1, qualifiedName: 0.9, firstDocLine: 0.85, signature: 0.8, path: 0.8, doc: 0.7 } as const;
/** Only the beginning of a long documentation is read. */
const DOC_CHARS_MAX = 2_000;
/** How much of the coverage is the share of the name that the query asks for: "send file" means `send_file` first. */
const NAME_SHARE = 0.1;
/** Queries are rarely about tests, and rather about what code does than about its constants. */
const TEST_FACTOR = 0.7;
const VALUE_FACTOR = 0.75;
const VALUE_KINDS: ReadonlySet<string> = new Set(["variable", "property"]);

/** At most `limit` definitions. */
export function rankDefinitions(query: IndexQuery<FoundDefinition>): readonly Found<FoundCode>[] {
  const { words } = query;
  const testFactor = words.shareOfName("test") === 1 ? 1 : TEST_FACTOR;
  return rankIndexRows(query, {
    coverageOf: ({ path, name, qualifiedName, signature, docstring }) => {
      const [firstDocLine = "", ...doc] = (docstring ?? "").slice(0, DOC_CHARS_MAX).split("\n");
      const covered = words.weightedCoverage([
        { text: name, weight: PART_WEIGHTS.name },
        { text: qualifiedName, weight: PART_WEIGHTS.qualifiedName },
        { text: firstDocLine, weight: PART_WEIGHTS.firstDocLine },
        { text: signature, weight: PART_WEIGHTS.signature },
        { text: path, weight: PART_WEIGHTS.path },
        { text: doc.join("\n"), weight: PART_WEIGHTS.doc },
      ]);
      return (1 - NAME_SHARE) * covered + NAME_SHARE * words.shareOfName(name);
    },
    factorOf: ({ isTest, kind }) => (isTest ? testFactor : 1) * (VALUE_KINDS.has(kind) ? VALUE_FACTOR : 1),
    tieOf: ({ path, startLine }) => `${path}\n${String(startLine).padStart(9, "0")}`,
  }).map(({ relevance, found: { id: _, isTest, rank, ...found } }) => ({ relevance, found }));
}

/** At most `limit` commits. */
export const rankCommits = (query: IndexQuery<FoundCommitRow>): readonly Found<FoundCommit>[] =>
  rankIndexRows(query, { coverageOf: ({ message }) => query.words.coverage(message), tieOf: ({ hash }) => hash }).map(
    ({ relevance, found }) => {
      const { hash, author, message, timestamp, paths, insertions, deletions } = found;
      const time = new Date(timestamp * 1000).toISOString();
      return {
        relevance,
        found: { sha: hash, author, message, timestamp: time, filesChanged: paths, insertions, deletions },
      };
    },
  );

/** A row without a vector counts as this share of its relevance by words: neither lost nor above all others. */
const UNEMBEDDED_SHARE = 0.5;

const rankIndexRows = <Row extends IndexRow>(
  { hits, similarities, byId, limit }: IndexQuery<Row>,
  row: Pick<HybridQuery<number, Row>, "coverageOf" | "factorOf" | "tieOf">,
): readonly Found<Row>[] =>
  hybridRank({
    ...row,
    hits: hits.map((entry): Ranked<Row> => ({ entry, rank: entry.rank })),
    similarity: similarities && {
      byId: similarities,
      of: ({ id }, byWords) => similarities.get(id) ?? byWords * UNEMBEDDED_SHARE,
    },
    byId,
    passes: () => true,
    batch: limit,
    limit,
  });
