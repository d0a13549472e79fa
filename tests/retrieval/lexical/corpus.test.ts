import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FileRow } from "../../../src/db/curated/knowledge-base.ts";
import { findTerms, type Hits } from "../../../src/retrieval/lexical/corpus.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { stem } from "../../../src/text/terms/stem.ts";

const weighted = (terms: readonly string[]) => ({ terms, weights: terms.map(() => 1) });
const queryOf = (words: readonly string[]) => ({
  exact: weighted([...new Set(words)]),
  stems: weighted([...new Set(words.map(stem))]),
});

const fileRow = (path: string, id: number): FileRow => ({
  id,
  path,
  language: "text",
  contentHash: "",
  sizeBytes: 0,
  lineCount: 1,
  tokenCount: 1,
  isTest: false,
  modifiedAt: null,
});

/** A corpus of one file a text, named `<position>.txt`. */
function corpusOf(texts: readonly string[]) {
  const files = texts.map((_, position) => fileRow(`${position}.txt`, texts.length - position));
  const rows = texts.map((text, position) => ({
    fileId: texts.length - position,
    stats: encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false }),
  }));
  return { files, kb: { termStats: () => rows } };
}

/** The terms and entries of each file. */
const byFile = ({ term, entry, start }: Hits) =>
  Array.from({ length: start.length - 1 }, (_, position) =>
    Array.from(term.subarray(start[position], start[position + 1]), (value, at) => [
      value,
      entry[(start[position] ?? 0) + at],
    ]),
  );

// Terms that are their own stems are a file's first entries.
test("a file's hits are in order of the query's terms, with the path last in each term", () => {
  const { files, kb } = corpusOf(["store stored", "other", "stores a txt"]);
  const { exact, stems } = findTerms(kb, files, queryOf(["txt", "stored", "store"]));
  expect(byFile(exact)).toEqual([
    [
      [0, -1],
      [1, 1],
      [2, 0],
    ],
    [[0, -1]],
    [
      [0, 0],
      [0, -1],
    ],
  ]);
  expect(byFile(stems)[0]).toEqual([
    [0, -1],
    [1, 0],
    [1, 1],
  ]);
  expect([...exact.holders]).toEqual([3, 1, 1]);
  expect([...stems.holders]).toEqual([3, 2]);
});

test("a later task finds through the cached index what a scan finds", () => {
  const word = fc.constantFrom("store", "stores", "storing", "session", "sessions", "txt", "user", "users", "a", "b");
  const words = fc.array(word, { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), fc.array(words, { maxLength: 3 }), (texts, tasks) => {
      const known = corpusOf(texts.map((text) => text.join(" ")));
      findTerms(known.kb, known.files, queryOf(["anything"]));
      for (const task of tasks) {
        const query = queryOf(task);
        const scanned = findTerms(known.kb, [...known.files], query);
        const looked = findTerms(known.kb, known.files, query);
        for (const space of ["exact", "stems"] as const) {
          expect(byFile(looked[space])).toEqual(byFile(scanned[space]));
          expect(looked[space].holders).toEqual(scanned[space].holders);
          expect(looked[space].inPath).toEqual(scanned[space].inPath);
        }
      }
    }),
    { numRuns: 200 },
  );
});
