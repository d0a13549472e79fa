/** Counts of texts in the stat cache: by content and extractor, checked when they are read. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { checkStatCache } from "../../../src/db/check/caches.ts";
import { openStatCache } from "../../../src/db/parse-cache/stat-cache.ts";
import { packCounts, type TextCounts, unpackCounts } from "../../../src/text/terms/count-block.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { folder } from "../folder.ts";

const counted = (hash: string, text: string): TextCounts => ({
  hash: hash.repeat(64),
  lines: text.split("\n").length,
  chars: text.length,
  stats: encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false }),
});

const A = counted("a", "parse the url");
const B = counted("b", "one\ntwo");

test("counts are found by the extractor that made them, and replaced by another", () => {
  using dir = folder();
  const first = openStatCache(dir.at("c"), "1");
  first.counts.put([packCounts([A, B])]);
  expect(first.counts.all()).toEqual(new Map([A, B].map((row) => [row.hash, expect.objectContaining(row)])));
  first.close();
  const second = openStatCache(dir.at("c"), "2");
  expect(second.counts.all().size).toBe(0);
  second.counts.put([packCounts([{ ...A, lines: 7 }])]);
  expect([...second.counts.all().values()]).toMatchObject([{ hash: A.hash, lines: 7 }]);
  second.close();
});

test("only the counts that are kept stay", () => {
  using dir = folder();
  const cache = openStatCache(dir.at("c"), "1");
  cache.counts.put([packCounts([A, B])]);
  cache.counts.keep(new Set([B.hash, "another"]));
  expect([...cache.counts.all().keys()]).toEqual([B.hash]);
  cache.close();
});

test("a damaged block is not used, and reported", () => {
  using dir = folder();
  const cache = openStatCache(dir.at("c"), "1");
  cache.counts.put([packCounts([A]), packCounts([B])]);
  cache.close();
  expect(checkStatCache(dir.at("c"), () => {})).toEqual([]);
  const db = new Database(dir.at("c"));
  db.run("update count_blocks set block = zeroblob(8) where id = 1");
  db.close();
  const again = openStatCache(dir.at("c"), "1");
  expect([...again.counts.all().keys()]).toEqual([B.hash]);
  again.close();
  expect(checkStatCache(dir.at("c"), () => {})).toMatchObject([
    {
      severity: "warning",
      code: "cache-damaged",
      what: expect.stringContaining("1 blocks of counted files are damaged"),
    },
  ]);
});

test("a block gives what was packed, and of a damaged one what lies inside", () => {
  const rows = [A, counted("0f", "検索 parse_url x1 x1"), counted("b", "")].map((row) => ({
    ...row,
    hash: row.hash.slice(0, 64),
  }));
  const block = packCounts(rows);
  expect(unpackCounts(block)).toEqual(rows);
  // Not at the beginning of its memory.
  expect(unpackCounts(Uint8Array.from([1, 2, 3, 4, ...block]).subarray(4))).toEqual(rows);
  for (const length of [0, 3, 4, 60, block.length - 4]) {
    const found = unpackCounts(block.subarray(0, length));
    expect(found).toEqual(rows.slice(0, found.length));
    expect(found.length).toBeLessThan(rows.length);
  }
  expect(unpackCounts(new Uint8Array(64).fill(0xff))).toEqual([]);
});
