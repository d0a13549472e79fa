/** The ranking of definitions and commits by words and by meaning: order and limits. */
import { describe, expect, test } from "bun:test";
import type { FoundCommitRow, FoundDefinition } from "../../../src/db/curated/knowledge-base.ts";
import { queryWordsOf } from "../../../src/recall/search/query-words.ts";
import { rankCommits, rankDefinitions } from "../../../src/recall/search/rank-index-rows.ts";
import {
  combinedRelevance,
  MEANING_MIN,
  relevanceByMeaning,
  relevanceByWords,
} from "../../../src/recall/search/relevance.ts";

const definition = (id: number, given: Partial<FoundDefinition> = {}): FoundDefinition => ({
  id,
  path: "src/cart.py",
  language: "python",
  isTest: false,
  kind: "function",
  name: `sum_${id}`,
  qualifiedName: `sum_${id}`,
  startLine: id,
  endLine: id + 1,
  signature: `def sum_${id}(cart)`,
  docstring: null,
  rank: 1,
  ...given,
});

const commit = (id: number, given: Partial<FoundCommitRow> = {}): FoundCommitRow => ({
  id,
  hash: id.toString(16).padStart(40, "0"),
  author: "Ada",
  message: "Sum the cart",
  timestamp: 1_767_225_600,
  paths: ["src/cart.py"],
  insertions: 3,
  deletions: null,
  rank: 1,
  ...given,
});

const words = queryWordsOf("cart");
/** The coverage of a word that is in the signature and the path, but not in the name. */
const IN_SIGNATURE = 0.9 * 0.8;
const none = () => [];
/** Returns the requested rows, as the index does, and records the ids. */
const among = <R extends { readonly id: number }>(rows: readonly R[], asked: (readonly number[])[] = []) => {
  return (ids: readonly number[]): readonly R[] => {
    asked.push(ids);
    return rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, rank: 0 }));
  };
};

describe("by words only", () => {
  test("ties are ordered by path, then by line as a number", () => {
    const hits = [definition(10), definition(9), definition(200, { path: "src/bill.py" })];
    const found = rankDefinitions({ words, hits, similarities: null, byId: none, limit: 10 });
    expect(found.map(({ found: { path, startLine } }) => [path, startLine])).toEqual([
      ["src/bill.py", 200],
      ["src/cart.py", 9],
      ["src/cart.py", 10],
    ]);
    expect(rankDefinitions({ words, hits, similarities: null, byId: none, limit: 1 })).toEqual(found.slice(0, 1));
  });

  test("a better rank comes first; tests and constants come after other code of the same relevance", () => {
    const hits = [
      definition(1, { isTest: true, rank: 2 }),
      definition(2, { rank: 2 }),
      definition(3),
      definition(4, { kind: "variable", rank: 2 }),
    ];
    const found = rankDefinitions({ words, hits, similarities: null, byId: none, limit: 10 });
    const best = relevanceByWords(IN_SIGNATURE, 2, 2);
    expect(found.map(({ relevance, found: { startLine } }) => [startLine, relevance])).toEqual([
      [2, best],
      [3, relevanceByWords(IN_SIGNATURE, 1, 2)],
      [4, best * 0.75],
      [1, best * 0.7],
    ]);
  });

  test("commits of the same relevance are ordered by hash", () => {
    const hits = [commit(3), commit(1), commit(2, { message: "Sum the basket" })];
    const found = rankCommits({ words, hits, similarities: null, byId: none, limit: 10 });
    expect(found.map(({ found: { sha } }) => Number.parseInt(sha, 16))).toEqual([1, 3, 2]);
    expect(found[0]?.found).toEqual({
      sha: commit(1).hash,
      author: "Ada",
      message: "Sum the cart",
      timestamp: "2026-01-01T00:00:00.000Z",
      filesChanged: ["src/cart.py"],
      insertions: 3,
      deletions: null,
    });
  });
});

describe("by words and meaning", () => {
  test("reads the nearest rows without word matches, at most `limit`, ties by id", () => {
    const rows = [5, 6, 7, 8].map((id) => definition(id, { signature: "", path: `src/${id}.py` }));
    const asked: (readonly number[])[] = [];
    const similarities = new Map([
      [8, 0.8],
      [7, 0.5],
      [6, 0.5],
      [5, MEANING_MIN - 0.01],
      [1, 0.9],
    ]);
    const hits = [definition(1)];
    const found = rankDefinitions({ words, hits, similarities, byId: among(rows, asked), limit: 2 });
    expect(asked).toEqual([[8, 6]]);
    expect(found.map(({ found: { startLine } }) => startLine)).toEqual([1, 8]);
    expect(found.map(({ relevance }) => relevance)).toEqual([
      combinedRelevance(relevanceByWords(IN_SIGNATURE, 1, 1), 0.9),
      combinedRelevance(0, 0.8),
    ]);
  });

  test("a right answer whose vector is only a little near is found if it stands out from the rest, not among its like", () => {
    const rows = Array.from({ length: 40 }, (_, id) => definition(id + 1, { signature: "", path: `src/${id + 1}.py` }));
    const right = relevanceByMeaning(0.279, 0.1);
    expect(right).toBeLessThan(MEANING_MIN);
    const foundAmong = (others: number): readonly number[] => {
      const similarities = new Map(rows.map(({ id }) => [id, id === 7 ? right : others + (id % 5) * 0.01]));
      const found = rankDefinitions({ words, hits: [], similarities, byId: among(rows), limit: 5 });
      return found.map(({ found: { startLine } }) => startLine);
    };
    expect(foundAmong(0)).toEqual([7]);
    expect(foundAmong(0.16)).toEqual([]);
  });

  test("a row without a vector counts half its relevance by words", () => {
    const hits = [commit(1), commit(2)];
    const found = rankCommits({ words, hits, similarities: new Map([[2, 0.4]]), byId: none, limit: 10 });
    expect(found.map(({ relevance, found: { sha } }) => [Number.parseInt(sha, 16), relevance])).toEqual([
      [1, combinedRelevance(1, 0.5)],
      [2, combinedRelevance(1, 0.4)],
    ]);
  });

  test("a commit found by meaning alone is returned whole", () => {
    const rows = [commit(4, { message: "Add up what is bought" })];
    const found = rankCommits({ words, hits: [], similarities: new Map([[4, 0.7]]), byId: among(rows), limit: 5 });
    expect(found).toMatchObject([
      { relevance: combinedRelevance(0, 0.7), found: { message: "Add up what is bought" } },
    ]);
  });
});
