/** One parse cache for many processes: used at once, replaced, removed and taken over. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkParseCache } from "../../../src/db/check/caches.ts";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import {
  cacheUsers,
  excludeUsers,
  openFactCache,
  openFactSnapshot,
} from "../../../src/db/parse-cache/open-parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "../../../src/db/parse-cache/schema.ts";
import { takeOverParseCache } from "../../../src/db/parse-cache/take-over.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";
import { cacheEntry, EMPTY_FACTS } from "./entry.ts";

const TODAY = 20_000;
const key = (hash: string) => ({ hash, language: "python" });

/** The paths of a work tree whose parse cache is in the folder `shared`. */
function sharing(dir: ReturnType<typeof folder>, tree: string) {
  for (const name of [tree, "shared"]) mkdirSync(dir.at(name), { recursive: true });
  return dataPaths(dir.at(tree), dir.at("shared"));
}

const MODULE = join(import.meta.dir, "../../../src/db/parse-cache/open-parse-cache.ts");

test("processes that write, read and evict at once lose nothing of today", async () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  // A damaged file, which all of them find.
  writeFileSync(paths.parseCache, "rubbish".repeat(1000));
  const script = `
    import { openFactCache } from ${JSON.stringify(MODULE)};
    import { cacheEntry } from ${JSON.stringify(join(import.meta.dir, "entry.ts"))};
    const [name] = process.argv.slice(-1);
    for (let round = 0; round < 5; round += 1) {
      const cache = openFactCache(${JSON.stringify(paths)}, "1", ${TODAY});
      cache.put([cacheEntry(name + round), cacheEntry("same" + round)]);
      cache.use("/" + name, [{ hash: name + round, language: "python" }]);
      cache.evict(1);
      if (cache.facts({ hash: name + "0", language: "python" }) === null) throw new Error("lost");
      cache.close();
    }`;
  const children = ["p", "q", "r"].map((name) =>
    Bun.spawn([process.execPath, "-e", script, name], { stdout: "ignore", stderr: "pipe" }),
  );
  const errors = await Promise.all(children.map(({ stderr }) => new Response(stderr).text()));
  expect(errors).toEqual(["", "", ""]);
  const cache = openFactCache(paths, "1", TODAY);
  for (const round of [0, 1, 2, 3, 4])
    for (const name of ["p", "q", "r", "same"]) expect(cache.has(key(`${name}${round}`))).toBe(true);
  cache.close();
  expect(cacheUsers(paths.parseCache).map(({ path }) => path)).toEqual(["/p", "/q", "/r"]);
  expect(checkParseCache(paths.parseCache, () => {})).toEqual([]);
});

import { WITH_VERSION_5 } from "./version-5.ts";

test("a cache in use cannot be removed, and nobody opens one that is being removed", () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  const [one, two] = [openFactCache(paths, "1", TODAY), openFactCache(paths, "1", TODAY)];
  one.close();
  expect(failureOf(() => excludeUsers(paths.parseCache, 0))).toMatchObject({ code: "locked" });
  two.close();
  const lock = excludeUsers(paths.parseCache, 0);
  expect(failureOf(() => excludeUsers(paths.parseCache, 0))).toMatchObject({ code: "locked" });
  lock.release();
  openFactCache(paths, "1", TODAY).close();
});

test("a snapshot keeps what it began with while others write, and leaves no log behind", () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  const cache = openFactCache(paths, "1", TODAY);
  cache.put([cacheEntry("before")]);
  const snapshot = openFactSnapshot(paths, "1");
  expect(snapshot.outline(key("before"), (text) => text)).not.toBeNull();
  cache.put([cacheEntry("after")]);
  expect(cache.has(key("after"))).toBe(true);
  expect(snapshot.has(key("after"))).toBe(false);
  expect(snapshot.uses(key("before"))).not.toBeNull();
  snapshot.close();
  const later = openFactSnapshot(paths, "1");
  expect(later.has(key("after"))).toBe(true);
  later.close();
  cache.close();
  expect(existsSync(`${paths.parseCache}-wal`)).toBe(false);
});

test("a shared cache of a newer cra stays, and the work tree uses its own", () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  const { migrations } = PARSE_CACHE_SCHEMA;
  const newer = { ...PARSE_CACHE_SCHEMA, migrations: [...migrations, "create table more (a)"], digests: {} };
  openDatabase(paths.parseCache, "write", newer).close();
  const before = readFileSync(paths.parseCache);
  for (const put of [true, false]) {
    const cache = openFactCache(paths, "1", TODAY);
    if (put) cache.put([cacheEntry("aa")]);
    expect(cache.has(key("aa"))).toBe(true);
    cache.close();
    takeOverParseCache(paths, "1");
  }
  expect(readFileSync(paths.parseCache).equals(before)).toBe(true);
});

const COMMIT = { hash: "1", author: "A", message: "m", timestamp: 5, files: ["a.py"] };

/** Writes a cache that is shared with nobody, with these contents and one commit. */
function writeOwnCache(path: string, hashes: readonly string[]): void {
  const own = openFactCache({ parseCache: path, ownParseCache: path, statCache: "" }, "1", TODAY);
  own.put(hashes.map((hash) => cacheEntry(hash)));
  own.setCommits([COMMIT]);
  own.close();
}

test("the cache in the data folder is taken over once", () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  writeOwnCache(paths.ownParseCache, ["aa", "bb"]);
  const before = openFactCache(paths, "1", TODAY);
  before.put([cacheEntry("bb", 7), cacheEntry("cc")]);
  before.close();
  takeOverParseCache(paths, "1");
  expect(existsSync(paths.ownParseCache)).toBe(false);
  const cache = openFactCache(paths, "1", TODAY);
  expect(["aa", "bb", "cc"].map((hash) => cache.facts(key(hash))?.lineCount)).toEqual([1, 7, 1]);
  expect(cache.facts(key("aa"))).toEqual(EMPTY_FACTS);
  expect(cache.commits().get("1")).toEqual(COMMIT);
  cache.evict(1e9);
  expect(cache.has(key("aa"))).toBe(true);
  cache.close();
  takeOverParseCache(paths, "1");
  expect(checkParseCache(paths.parseCache, () => {})).toEqual([]);
});

test("the cache of an older cra begins anew, in its place or where it is shared", () => {
  for (const isShared of [true, false]) {
    using dir = folder();
    const paths = isShared ? sharing(dir, "a") : dataPaths(dir.path);
    const older = { ...WITH_VERSION_5, migrations: WITH_VERSION_5.migrations.slice(0, 5) };
    const db = openDatabase(paths.ownParseCache, "write", older);
    db.run("insert into commits(hash, record, sum) values ('1', ?1, ?2)", "{}", Bun.hash.crc32("{}"));
    db.close();
    takeOverParseCache(paths, "1");
    const cache = openFactCache(paths, "1", TODAY);
    expect([cache.commits().get("1"), existsSync(paths.ownParseCache)]).toEqual([undefined, !isShared]);
    cache.put([cacheEntry("aa")]);
    cache.evict(1e9);
    expect(cache.facts(key("aa"))).toEqual(EMPTY_FACTS);
    cache.close();
    expect(cacheUsers(paths.parseCache)).toEqual([]);
    expect(checkParseCache(paths.parseCache, () => {})).toEqual([]);
  }
});

test("a damaged cache in the data folder is given up, and the shared one stays", () => {
  using dir = folder();
  const paths = sharing(dir, "a");
  const shared = openFactCache(paths, "1", TODAY);
  shared.put([cacheEntry("cc")]);
  for (const spoil of [
    () => writeFileSync(paths.ownParseCache, "rubbish".repeat(1000)),
    () => {
      writeOwnCache(
        paths.ownParseCache,
        Array.from({ length: 200 }, (_, at) => `old${at}`),
      );
      const bytes = readFileSync(paths.ownParseCache);
      writeFileSync(paths.ownParseCache, bytes.fill(0xff, 40_000));
    },
  ]) {
    spoil();
    takeOverParseCache(paths, "1");
    expect([existsSync(paths.ownParseCache), shared.has(key("cc"))]).toEqual([false, true]);
  }
  shared.close();
  expect(checkParseCache(paths.parseCache, () => {})).toEqual([]);
});
