import { expect, test } from "bun:test";
import fc from "fast-check";
import type { CorpusStats } from "../../../src/db/curated/knowledge-base.ts";
import { findTerms } from "../../../src/retrieval/lexical/corpus.ts";
import { type Hits, PATH_ENTRY } from "../../../src/retrieval/lexical/hits.ts";
import { scoreText } from "../../../src/retrieval/lexical/lexical.ts";
import { atOnce } from "../../../src/retrieval/model/steps.ts";
import { replaceInBlock } from "../../../src/text/terms/encode-stats-block.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { BLOCK_FILES, BLOCK_HEADER_WORDS } from "../../../src/text/terms/stats-block.ts";
import { statsOf } from "../../support/knowledge.ts";
import { fileRow, queryOf } from "../../support/lexical-query.ts";

/** A corpus of one file a text, named `<position>.txt`. */
function corpusOf(texts: readonly string[]) {
  const files = texts.map((_, position) => fileRow(`${position}.txt`, texts.length - position));
  const rows = texts.map((text, position) => ({
    kind: "file" as const,
    fileId: texts.length - position,
    stats: encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false }),
  }));
  return { files, kb: { termStats: () => ({ rows }) } };
}

/** The bytes of the postings of each hit in a text, by file and term, in any order within a term. */
const postingsOf = ({ stats, postings }: ReturnType<typeof findTerms>, { term, entry, from, to }: Hits) =>
  Array.from(from, (first, position) => {
    const bytes = Buffer.from(stats.sources[stats.source[position] ?? 0] ?? []);
    const hits = Array.from({ length: (to[position] ?? 0) - first }, (_, at) => first + at);
    return hits
      .filter((hit) => entry[hit] !== PATH_ENTRY)
      .map((hit) => {
        const own = entry[hit] ?? 0;
        return `${term[hit]} ${bytes.toString("hex", postings.from[own], postings.to[own])}`;
      })
      .sort();
  });

/** The terms of each file, and whether they are in its path. */
const byFile = ({ term, entry, from, to }: Hits) =>
  Array.from(from, (first, position) =>
    Array.from(term.subarray(first, to[position]), (value, at) => [
      value,
      entry[first + at] === PATH_ENTRY ? "path" : "text",
    ]),
  );

test("a file's hits are in order of the query's terms, with the path last in each term", () => {
  const { files, kb } = corpusOf(["store stored", "other", "stores a txt"]);
  const { exact, stems } = findTerms(kb, files, queryOf(["txt", "stored", "store"]));
  expect(byFile(exact)).toEqual([
    [
      [0, "path"],
      [1, "text"],
      [2, "text"],
    ],
    [[0, "path"]],
    [
      [0, "text"],
      [0, "path"],
    ],
  ]);
  expect(byFile(stems)[0]).toEqual([
    [0, "path"],
    [1, "text"],
    [1, "text"],
  ]);
  expect([...exact.holders]).toEqual([3, 1, 1]);
  expect([...stems.holders]).toEqual([3, 2]);
});

test("a block of files has the hits and postings that its files have alone", () => {
  const word = fc.constantFrom("store", "stores", "storing", "session", "sessions", "txt", "user", "users", "a", "b");
  const text = fc.array(word, { maxLength: 8 });
  // Blocks with few hits and with many are sorted in different ways.
  const texts = fc.oneof(
    fc.array(text, { minLength: 1, maxLength: 6 }),
    fc.array(
      fc.tuple(text, text, text).map((parts) => parts.flat()),
      { minLength: 12, maxLength: 14 },
    ),
  );
  fc.assert(
    fc.property(texts, text, fc.constantFrom(1, 3), (words, task, step) => {
      const { files: alone, kb } = corpusOf(words.map((text) => text.join(" ")));
      const firstId = 5;
      const files = alone.map((file) => ({ ...file, id: firstId + step * file.id }));
      const stats = replaceInBlock(null, new Map(kb.termStats().rows.map((row) => [row.fileId, row.stats])));
      if (stats === null) throw new Error("no block");
      const rows = [{ kind: "block" as const, firstId, step, stats }];
      const [expected, found] = [
        findTerms(kb, alone, queryOf(task)),
        findTerms({ termStats: () => ({ rows }) }, files, queryOf(task)),
      ];
      for (const space of ["exact", "stems"] as const) {
        expect(byFile(found[space])).toEqual(byFile(expected[space]));
        expect(found[space].holders).toEqual(expected[space].holders);
        expect(postingsOf(found, found[space])).toEqual(postingsOf(expected, expected[space]));
      }
      for (const column of ["segmentCount", "fileTerms", "definitionTerms"] as const)
        expect(found.stats[column]).toEqual(expected.stats[column]);
    }),
    { numRuns: 200 },
  );
});

test("blocks whose bytes are gone once they have passed give the scores of blocks that stay", () => {
  const word = fc.constantFrom("store", "stores", "session", "sessions", "user", "a");
  const text = fc.array(word, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), text, (blocks, task) => {
      const files = blocks.flatMap((texts, block) =>
        texts.map((_, place) => fileRow(`${block}/${place}.ts`, block * BLOCK_FILES + place)),
      );
      const rows = blocks.map((texts, block) => ({
        kind: "block" as const,
        firstId: block * BLOCK_FILES,
        step: 1,
        stats: blockOf(texts.map((words) => words.join(" "))),
      }));
      function* passing() {
        for (const row of rows) {
          const stats = row.stats.slice();
          yield { ...row, stats };
          stats.fill(0xff);
        }
      }
      const scores = (termStats: () => CorpusStats) => {
        const sections = [{ kind: "prose" as const, text: task.join(" ") }];
        const { matched: _, ...found } = atOnce(
          scoreText({ termStats }, files, sections, new Float64Array(files.length).fill(1)),
        );
        return found;
      };
      expect(scores(() => ({ passing: passing() }))).toEqual(scores(() => ({ rows })));
    }),
    { numRuns: 200 },
  );
});

test("a block whose lists overlap is refused with the first of its files", () => {
  const files = [fileRow("a.ts", 1)];
  const stats = replaceInBlock(null, new Map([[1, statsOf({ text: "store session user" }, "typescript")]]));
  if (stats === null) throw new Error("no block");
  const words = new Int32Array(stats.buffer, stats.byteOffset, stats.byteLength >>> 2);
  const stems = words[2] ?? 0;
  words.fill(0, BLOCK_HEADER_WORDS + stems, BLOCK_HEADER_WORDS + 2 * stems);
  const rows = [{ kind: "block" as const, firstId: 0, step: 1, stats }];
  expect(() => findTerms({ termStats: () => ({ rows }) }, files, queryOf(["store", "session"]))).toThrow(
    /^a\.ts: .*damaged/,
  );
});

/** The statistics of texts, each with a function of its own. */
function blockOf(texts: readonly string[]): Uint8Array {
  const symbols = [{ name: "store", kind: "function", lines: [1, 1] }] as const;
  const stats = replaceInBlock(
    null,
    new Map(texts.map((text, place) => [place, statsOf({ text, symbols }, "typescript")])),
  );
  if (stats === null) throw new Error("no block");
  return stats;
}
