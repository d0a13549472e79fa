/** The parse cache: validated, bounded, disposable. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { zstdCompressSync } from "bun";
import { checkParseCache, checkStatCache } from "../../../src/db/check/caches.ts";
import { cacheUsers, openFactCache } from "../../../src/db/parse-cache/open-parse-cache.ts";
import { openStatCache, storedListings } from "../../../src/db/parse-cache/stat-cache.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";
import { packFacts } from "../../../src/syntax/facts/facts-codec.ts";
import { folder } from "../folder.ts";
import { cacheEntry, EMPTY_FACTS } from "./entry.ts";

const TODAY = 20_000;
/** The cache in a folder, as `extractor` sees it on a day. */
const open = (dir: ReturnType<typeof folder>, extractor = "1", day = TODAY) => {
  const path = dir.at("c");
  return openFactCache({ parseCache: path, ownParseCache: path, statCache: dir.at("s") }, extractor, day);
};
const key = (hash: string) => ({ hash, language: "python" });

test("entries are found for the same language and extractor only", () => {
  using dir = folder();
  const cache = open(dir);
  expect(cache.isEmpty()).toBe(true);
  cache.put([cacheEntry("aa")]);
  expect([cache.isEmpty(), cache.has(key("aa"))]).toEqual([false, true]);
  expect(cache.facts(key("aa"))).toEqual(EMPTY_FACTS);
  expect(cache.has({ hash: "aa", language: "go" })).toBe(false);
  cache.close();
  expect(open(dir, "2").has(key("aa"))).toBe(false);
});

test("facts are returned whole and in parts", () => {
  using dir = folder();
  const cache = open(dir);
  const place = { startLine: 1, endLine: 3, docLine: 1, nameLine: 2, signatureTokens: 4, bodyTokens: 9 };
  const doc = { content: "Runs.", format: "plain" } as const;
  const facts: FileFacts = {
    ...EMPTY_FACTS,
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
    commentLines: [
      { line: 1, endLine: 2 },
      { line: 2, endLine: 2 },
    ],
  };
  cache.put([{ ...cacheEntry("aa"), ...packFacts(facts) }]);
  expect(cache.facts(key("aa"))).toEqual(facts);
  const { references, ...outline } = facts;
  const symbols = outline.symbols.map(({ doc: _, ...symbol }) => symbol);
  expect(cache.outline(key("aa"), (text) => text)).toEqual({
    ...outline,
    doc: null,
    comments: [],
    commentLines: [],
    symbols,
  });
  expect(cache.uses(key("aa"))).toEqual(references);
});

for (const [name, facts] of [
  ["no facts", zstdCompressSync(JSON.stringify([[true, null, 1, null, 2], [["f"]], [], []]))],
  ["no JSON", zstdCompressSync("{")],
  ["not compressed", new Uint8Array([1, 2, 3])],
] as const)
  test(`a row that holds ${name} counts as absent and can be put again`, () => {
    using dir = folder();
    const cache = open(dir);
    cache.put([cacheEntry("aa")]);
    const raw = new Database(dir.at("c"));
    raw.query("update entries set facts = ?").run(facts);
    raw.close();
    expect(cache.facts(key("aa"))).toBeNull();
    cache.drop(key("aa"));
    expect(cache.has(key("aa"))).toBe(false);
    cache.put([cacheEntry("aa")]);
    expect(cache.facts(key("aa"))).toEqual(EMPTY_FACTS);
  });

test("parts of another row are not taken for a row's own", () => {
  using dir = folder();
  const cache = open(dir);
  const raw = new Database(dir.at("c"));
  const read = () => [
    cache.outline(key("aa"), (text) => text) !== null,
    cache.uses(key("aa")) !== null,
    cache.facts(key("aa")) !== null,
    cache.packed(key("aa")) !== null,
  ];
  for (const [part, are] of [
    ["facts", [false, true, false, false]],
    ["uses", [true, false, false, false]],
    ["prose", [true, true, false, false]],
  ] as const) {
    cache.put([cacheEntry("aa"), cacheEntry("bb")]);
    expect(read()).toEqual([true, true, true, true]);
    raw.run(
      `update entries set (${part}, ${part}_sum) = (select ${part}, ${part}_sum from entries where id = 2) where id = 1`,
    );
    expect(read()).toEqual([...are]);
  }
  raw.close();
  cache.close();
});

test("an unusable file is replaced", () => {
  using dir = folder();
  writeFileSync(dir.at("c"), "rubbish".repeat(1000));
  const cache = open(dir);
  cache.put([cacheEntry("aa")]);
  expect(cache.has(key("aa"))).toBe(true);
});

test("evicts what no work tree has used for the longest time, and never what was used today", () => {
  using dir = folder();
  for (const [daysAgo, put] of [
    [2, ["a1", "a2"]],
    [1, ["b1"]],
  ] as const) {
    const cache = open(dir, "1", TODAY - daysAgo);
    cache.put(put.map((hash) => cacheEntry(hash)));
    cache.close();
  }
  const cache = open(dir);
  cache.put([cacheEntry("c1")]);
  const there = (): string => ["a1", "a2", "b1", "c1"].filter((hash) => cache.has(key(hash))).join(" ");
  const bytes =
    new Database(dir.at("c"), { readonly: true })
      .query<{ n: number }, []>("select max(bytes) as n from last_used")
      .get()?.n ?? 0;
  cache.use("/tree", [key("a1")]);
  cache.evict(4 * bytes);
  expect(there()).toBe("a1 a2 b1 c1");
  cache.evict(3 * bytes);
  expect(there()).toBe("a1 b1 c1");
  cache.evict(2 * bytes);
  expect(there()).toBe("a1 c1");
  cache.evict(0);
  expect(there()).toBe("a1 c1");
  cache.close();
});

test("forgets contents, commits and work trees that were not used for two months", () => {
  using dir = folder();
  const commit = (hash: string) => ({ hash, author: "A", message: "m", timestamp: 5, files: ["a.py"] });
  const before = open(dir, "1", TODAY - 61);
  before.put([cacheEntry("aa"), cacheEntry("bb")]);
  before.use("/gone", [key("aa")]);
  before.setCommits([commit("1"), commit("2")]);
  before.close();
  const cache = open(dir);
  cache.use("/here", [key("bb")]);
  cache.setCommits([commit("2"), commit("3")]);
  cache.evict(1e9);
  expect([cache.has(key("aa")), cache.has(key("bb"))]).toEqual([false, true]);
  expect(["1", "2", "3"].map((hash) => cache.commits().get(hash))).toEqual([undefined, commit("2"), commit("3")]);
  cache.close();
  expect(cacheUsers(dir.at("c"))).toEqual([{ path: "/here", day: TODAY }]);
});

test("keeps commits of all work trees, and reads no damaged pack", () => {
  using dir = folder();
  const commit = (at: number) => ({
    hash: Bun.hash(String(at)).toString(16).padStart(16, "0"),
    author: "A",
    message: `m${at}`,
    timestamp: at,
    files: [`${at}.py`],
  });
  const all = Array.from({ length: 300 }, (_, at) => commit(at));
  const cache = open(dir);
  cache.setCommits(all.slice(0, 200));
  cache.setCommits(all.slice(100));
  const read = () => all.filter(({ hash, ...rest }) => Bun.deepEquals(cache.commits().get(hash), { hash, ...rest }));
  expect(read()).toEqual(all);
  const raw = new Database(dir.at("c"));
  const packs = raw.query<{ pack: Uint8Array }, []>("select pack from commit_packs order by bucket").all();
  raw.run("update commit_packs set pack = x'00' where bucket = (select min(bucket) from commit_packs)");
  expect(packs.length).toBeGreaterThan(100);
  expect(read().length).toBeWithin(280, 300);
  expect(checkParseCache(dir.at("c"), () => {}).map(({ what }) => what)).toEqual([
    "1 packs of commits are damaged; cra redoes this work when needed",
  ]);
  cache.setCommits(all);
  expect(read()).toEqual(all);
  raw.close();
  cache.close();
});

test("keeps the names in folders, and uses no damaged ones", () => {
  using dir = folder();
  const path = dir.at("s");
  expect(storedListings(path)).toBeNull();
  const cache = openStatCache(path, "1");
  expect(storedListings(path)).toBeNull();
  for (const size of [3, 5]) cache.setListings(new Uint8Array(size).fill(size));
  cache.close();
  expect(storedListings(path)).toEqual(new Uint8Array(5).fill(5));
  expect(checkStatCache(path, () => {})).toEqual([]);
  const db = new Database(path);
  db.run("update listings set folders = x'0505050504'");
  db.close();
  expect(storedListings(path)).toBeNull();
  expect(checkStatCache(path, () => {}).map(({ code }) => code)).toEqual(["cache-damaged"]);
  writeFileSync(path, "no database, and long enough to be one");
  expect(storedListings(path)).toBeNull();
});

test("keeps the tree as it was left, and uses no damaged one", () => {
  using dir = folder();
  const path = dir.at("s");
  const cache = openStatCache(path, "1");
  expect(cache.seenTree()).toBeNull();
  const tree = { state: "of an index", blocks: [{ first: "", files: 2, paths: "a", digest: "b" }] };
  for (const each of [{ state: "older", blocks: [] }, tree]) cache.setSeenTree(each);
  expect(cache.seenTree()).toEqual(tree);
  expect(checkStatCache(path, () => {})).toEqual([]);
  const db = new Database(path);
  db.run("update seen_tree set blocks = replace(blocks, '2', '3')");
  db.close();
  expect(cache.seenTree()).toBeNull();
  cache.close();
  expect(checkStatCache(path, () => {}).map(({ code }) => code)).toEqual(["cache-damaged"]);
});

test("keeps the last fingerprint, and the check reports an invalid one", () => {
  using dir = folder();
  const [path, hash] = [dir.at("s"), "a".repeat(64)];
  const cache = openStatCache(path, "1");
  expect(cache.fingerprint()).toBeNull();
  for (const fingerprint of ["b".repeat(64), hash]) cache.setFingerprint(fingerprint);
  expect(cache.fingerprint()).toBe(hash);
  cache.close();
  expect(checkStatCache(path, () => {})).toEqual([]);
  for (const spoil of ["update fingerprint set hash = 'x'", `insert into fingerprint(hash) values ('${hash}')`]) {
    const db = new Database(path);
    db.run(spoil);
    db.close();
    expect(checkStatCache(path, () => {}).map(({ code }) => code)).toEqual(["cache-damaged"]);
  }
});
