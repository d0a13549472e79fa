/** Counts of texts in the stat cache: by content and extractor, checked when they are read. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { checkStatCache } from "../../../src/db/check/caches.ts";
import type { TextCounts } from "../../../src/db/parse-cache/count-cache.ts";
import { openStatCache } from "../../../src/db/parse-cache/stat-cache.ts";
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
  first.counts.put([A, B]);
  expect(first.counts.all()).toEqual(new Map([A, B].map((row) => [row.hash, expect.objectContaining(row)])));
  first.close();
  const second = openStatCache(dir.at("c"), "2");
  expect(second.counts.all().size).toBe(0);
  second.counts.put([{ ...A, lines: 7 }]);
  expect([...second.counts.all().values()]).toMatchObject([{ hash: A.hash, lines: 7 }]);
  second.close();
});

test("only the counts that are kept stay", () => {
  using dir = folder();
  const cache = openStatCache(dir.at("c"), "1");
  cache.counts.put([A, B]);
  cache.counts.keep(new Set([B.hash, "another"]));
  expect([...cache.counts.all().keys()]).toEqual([B.hash]);
  cache.close();
});

test("a damaged row is not used, and reported", () => {
  using dir = folder();
  const cache = openStatCache(dir.at("c"), "1");
  cache.counts.put([A, B]);
  cache.close();
  expect(checkStatCache(dir.at("c"), () => {})).toEqual([]);
  const db = new Database(dir.at("c"));
  db.run("update counts set chars = chars + 1 where hash = ?", [A.hash]);
  db.close();
  const again = openStatCache(dir.at("c"), "1");
  expect([...again.counts.all().keys()]).toEqual([B.hash]);
  again.close();
  expect(checkStatCache(dir.at("c"), () => {})).toMatchObject([
    { severity: "warning", code: "cache-damaged", what: expect.stringContaining("1 counted files are damaged") },
  ]);
});
