/** Commits are held until they are stored, and are the same ones afterwards. */
import { expect, test } from "bun:test";
import type { CachedCommit } from "../../../../src/db/parse-cache/commit-cache.ts";
import { factCache } from "../../../../src/db/parse-cache/parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "../../../../src/db/parse-cache/schema.ts";
import { openDatabase } from "../../../../src/db/sqlite/open.ts";
import { heldHistory, historyToWrite } from "../../../../src/indexing/update/writer/held-history.ts";

const COMMITS: readonly CachedCommit[] = Array.from({ length: 300 }, (_, at) => ({
  hash: (at * 7919).toString(16).padStart(40, "0"),
  author: "Ada",
  message: `Change ${at}`,
  timestamp: 1_700_000_000 - at,
  files: [`a${at}.py`, "b.py"],
}));

const opened = () => openDatabase(":memory:", "write", PARSE_CACHE_SCHEMA);
const cacheOf = (db: ReturnType<typeof opened>) => factCache(db, "1", 20_000);

test("the same commits in the same order, before and after they are stored", () => {
  const db = opened();
  const history = heldHistory({ commits: COMMITS, problem: null }, cacheOf(db));
  expect(history.commits()).toEqual(COMMITS);
  history.store();
  history.store();
  expect(history.commits()).toEqual(COMMITS);
  expect(historyToWrite(history, null, 50)).toEqual({ commits: COMMITS, filesMax: 50 });
  db.run("delete from commit_packs");
  expect(history.commits).toThrow("cached commits cannot be read back");
  db.close();
});

test("nothing is stored of a history that could not be read", () => {
  const db = opened();
  const history = heldHistory({ commits: [], problem: "no git" }, cacheOf(db));
  history.store();
  expect([history.problem, history.commits()]).toEqual(["no git", []]);
  expect(db.all("select 1 from commit_packs")).toEqual([]);
  expect(historyToWrite(null, null, 50)).toBeNull();
  db.close();
});
