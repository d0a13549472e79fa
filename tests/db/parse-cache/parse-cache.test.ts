/** The parse cache: validated, bounded, disposable. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { zstdCompressSync } from "bun";
import { checkParseCache } from "../../../src/db/check/caches.ts";
import { openParseCache, type ParseEntry } from "../../../src/db/parse-cache/parse-cache.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";
import { folder } from "../folder.ts";

const FACTS: FileFacts = {
  parsed: true,
  problem: null,
  namespace: null,
  lineCount: 1,
  tokenCount: 2,
  doc: null,
  symbols: [],
  comments: [],
  imports: [],
  references: [],
  exportedAs: {},
};
const entry = (hash: string, text = "x = 1\n"): ParseEntry => ({
  hash,
  language: "python",
  facts: FACTS,
  stats: new Uint8Array([1, 2, 3]),
  text,
});
const key = (hash: string) => ({ hash, language: "python" });

test("entries are found for the same language and extractor only", () => {
  using dir = folder();
  const cache = openParseCache(dir.at("c"), "1");
  cache.put([entry("aa")]);
  expect(cache.has(key("aa"))).toBe(true);
  expect(cache.facts(key("aa"))).toEqual(FACTS);
  expect(cache.content(key("aa"))?.text).toBe("x = 1\n");
  expect([...(cache.content(key("aa"))?.stats ?? [])]).toEqual([1, 2, 3]);
  expect(cache.has({ hash: "aa", language: "go" })).toBe(false);
  cache.close();
  expect(openParseCache(dir.at("c"), "2").has(key("aa"))).toBe(false);
});

test("facts are returned whole and in parts", () => {
  using dir = folder();
  const cache = openParseCache(dir.at("c"), "1");
  const place = { startLine: 1, endLine: 3, docLine: 1, nameLine: 2, signatureTokens: 4, bodyTokens: 9 };
  const doc = { content: "Runs.", format: "plain" } as const;
  const facts: FileFacts = {
    ...FACTS,
    namespace: "a.b",
    doc,
    symbols: [
      {
        name: "A",
        qualifiedName: "A",
        kind: "class",
        signature: "class A",
        parent: null,
        exported: true,
        doc,
        ...place,
      },
      {
        name: "f",
        qualifiedName: "A.f",
        kind: "method",
        signature: "f()",
        parent: 0,
        exported: false,
        doc: null,
        ...place,
      },
    ],
    comments: [{ line: 1, endLine: 2, content: "because", kind: "rationale", isRationale: true, symbol: 1 }],
    imports: [{ specifier: "./b", line: 1, kind: "import", names: [{ name: "*", alias: null }], star: true }],
    references: [{ name: "g", qualifier: "b", kind: "call", line: 3, symbol: 1 }],
    exportedAs: { constructor: "A" },
  };
  cache.put([{ ...entry("aa"), facts }]);
  expect(cache.facts(key("aa"))).toEqual(facts);
  const { references, ...outline } = facts;
  const symbols = outline.symbols.map((symbol) => ({ ...symbol, doc: null }));
  expect(cache.outline(key("aa"), (text) => text)).toEqual({ ...outline, doc: null, comments: [], symbols });
  expect(cache.uses(key("aa"))).toEqual(references);
});

for (const [name, facts] of [
  ["no facts", zstdCompressSync(JSON.stringify([[true, null, 1, null, 2], [["f"]], [], []]))],
  ["no JSON", zstdCompressSync("{")],
  ["not compressed", new Uint8Array([1, 2, 3])],
] as const)
  test(`a row that holds ${name} counts as absent and can be put again`, () => {
    using dir = folder();
    const cache = openParseCache(dir.at("c"), "1");
    cache.put([entry("aa")]);
    const raw = new Database(dir.at("c"));
    raw.query("update entries set facts = ?").run(facts);
    raw.close();
    expect(cache.facts(key("aa"))).toBeNull();
    cache.drop(key("aa"));
    expect(cache.has(key("aa"))).toBe(false);
    cache.put([entry("aa")]);
    expect(cache.facts(key("aa"))).toEqual(FACTS);
  });

test("an unusable file is replaced", () => {
  using dir = folder();
  writeFileSync(dir.at("c"), "rubbish".repeat(1000));
  const cache = openParseCache(dir.at("c"), "1");
  cache.put([entry("aa")]);
  expect(cache.has(key("aa"))).toBe(true);
});

test("evicts the oldest generations first and never the current one", () => {
  using dir = folder();
  for (const put of [["a1", "a2"], ["b1"]]) {
    const cache = openParseCache(dir.at("c"), "1");
    cache.put(put.map((hash) => entry(hash)));
    cache.close();
  }
  const cache = openParseCache(dir.at("c"), "1");
  cache.put([entry("c1")]);
  const there = (): string => ["a1", "a2", "b1", "c1"].filter((hash) => cache.has(key(hash))).join(" ");
  const bytes =
    new Database(dir.at("c"), { readonly: true }).query<{ n: number }, []>("select max(bytes) as n from entries").get()
      ?.n ?? 0;
  cache.evict(4 * bytes, [key("a1")]);
  expect(there()).toBe("a1 a2 b1 c1");
  cache.evict(3 * bytes, [key("a1")]);
  expect(there()).toBe("a1 b1 c1");
  cache.evict(2 * bytes, [key("a1")]);
  expect(there()).toBe("a1 c1");
  cache.evict(0, []);
  expect(there()).toBe("a1 c1");
});

test("caches commits by hash, and only those of the window", () => {
  using dir = folder();
  const cache = openParseCache(dir.at("c"), "1");
  const commit = (hash: string) => ({ hash, author: "A", message: "m", timestamp: 5, files: ["a.py"] });
  cache.setCommits([commit("1"), commit("2")]);
  cache.setCommits([commit("2"), commit("3")]);
  expect([...cache.commits().values()]).toEqual([commit("2"), commit("3")]);
});

test("keeps the last fingerprint, and the check reports an invalid one", () => {
  using dir = folder();
  const [path, hash] = [dir.at("c"), "a".repeat(64)];
  const cache = openParseCache(path, "1");
  expect(cache.fingerprint()).toBeNull();
  for (const glance of ["b".repeat(64), hash]) cache.setFingerprint(glance);
  expect(cache.fingerprint()).toBe(hash);
  cache.close();
  expect(checkParseCache(path, () => {})).toEqual([]);
  for (const spoil of ["update glance set hash = 'x'", `insert into glance(hash) values ('${hash}')`]) {
    const db = new Database(path);
    db.run(spoil);
    db.close();
    expect(checkParseCache(path, () => {}).map(({ code }) => code)).toEqual(["cache-damaged"]);
  }
});
