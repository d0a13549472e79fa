/** One list of the definitions, or of the commits, that are found by words and by meaning: its order and its bounds. */
import { describe, expect, test } from "bun:test";
import type { FoundCommitRow, FoundDefinition } from "../../../src/db/curated/knowledge-base.ts";
import { foundCode, foundCommits } from "../../../src/recall/search/find-in-index.ts";
import { queryWordsOf } from "../../../src/recall/search/query-words.ts";
import { fused, MEANING_MIN } from "../../../src/recall/search/relevance.ts";

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
const none = () => [];
/** Answers with those of these rows that are asked for, as the index does, and keeps what was asked. */
const among = <R extends { readonly id: number }>(rows: readonly R[], asked: (readonly number[])[] = []) => {
  return (ids: readonly number[]): readonly R[] => {
    asked.push(ids);
    return rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, rank: 0 }));
  };
};

describe("by words alone", () => {
  test("what is as relevant is in the order of path and line, a number and not a text", () => {
    const hits = [definition(10), definition(9), definition(200, { path: "src/bill.py" })];
    const found = foundCode({ words, hits, nearness: null, byId: none, limit: 10 });
    expect(found.map(({ found: { path, startLine } }) => [path, startLine])).toEqual([
      ["src/bill.py", 200],
      ["src/cart.py", 9],
      ["src/cart.py", 10],
    ]);
    expect(foundCode({ words, hits, nearness: null, byId: none, limit: 1 })).toEqual(found.slice(0, 1));
  });

  test("what ranks better comes first, and a test after code that is as relevant", () => {
    const hits = [definition(1, { isTest: true, rank: 2 }), definition(2, { rank: 2 }), definition(3)];
    const found = foundCode({ words, hits, nearness: null, byId: none, limit: 10 });
    expect(found.map(({ relevance, found: { startLine } }) => [startLine, relevance])).toEqual([
      [2, 1],
      [1, 0.9],
      [3, 0.875],
    ]);
  });

  test("commits that are as relevant are in the order of their hashes", () => {
    const hits = [commit(3), commit(1), commit(2, { message: "Sum the basket" })];
    const found = foundCommits({ words, hits, nearness: null, byId: none, limit: 10 });
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

describe("by meaning too", () => {
  test("the nearest that no word found are asked for, no more than are wanted, ties by their ids", () => {
    const rows = [5, 6, 7, 8].map((id) => definition(id, { signature: "", path: `src/${id}.py` }));
    const asked: (readonly number[])[] = [];
    const nearness = new Map([
      [8, 0.8],
      [7, 0.5],
      [6, 0.5],
      [5, MEANING_MIN - 0.01],
      [1, 0.9],
    ]);
    const hits = [definition(1)];
    const found = foundCode({ words, hits, nearness, byId: among(rows, asked), limit: 2 });
    expect(asked).toEqual([[8, 6]]);
    expect(found.map(({ found: { startLine } }) => startLine)).toEqual([1, 8]);
    expect(found.map(({ relevance }) => relevance)).toEqual([fused(1, 0.9), fused(0, 0.8)]);
  });

  test("what has no vector yet counts as half as near as its words say", () => {
    const hits = [commit(1), commit(2)];
    const found = foundCommits({ words, hits, nearness: new Map([[2, 0.4]]), byId: none, limit: 10 });
    expect(found.map(({ relevance, found: { sha } }) => [Number.parseInt(sha, 16), relevance])).toEqual([
      [1, fused(1, 0.5)],
      [2, fused(1, 0.4)],
    ]);
  });

  test("commits that are near and hold no word are told whole", () => {
    const rows = [commit(4, { message: "Add up what is bought" })];
    const found = foundCommits({ words, hits: [], nearness: new Map([[4, 0.7]]), byId: among(rows), limit: 5 });
    expect(found).toMatchObject([{ relevance: fused(0, 0.7), found: { message: "Add up what is bought" } }]);
  });
});
