/** The check of the index finds every kind of damage, and a rebuild then equals a fresh index. */
import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkCurated, holdsIndex } from "../../../src/db/check/curated.ts";
import { openOrRebuildCurated } from "../../../src/db/curated/write/rebuild.ts";
import { hashOfIndex } from "../../../src/indexing/update/scan/compare.ts";
import { onOneThread, runIndex, sharedPool, withDeps, world } from "../../indexing/update/index-repo-world.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { listing, tempFolder } from "../../support/folder.ts";
import { shared } from "../../support/shared.ts";
import { shopRepo } from "../../support/shop.ts";

const index = (): string => here.paths.curated;
const repo = shared(shopRepo());
const folder = shared(tempFolder()).path;
const here = onOneThread(world(repo.path, join(folder, "data"), sharedPool()));
await runIndex(here);
cpSync(here.paths.folder, join(folder, "good"), { recursive: true });
const good = dumpCuratedFile(index());
beforeEach(() => {
  rmSync(here.paths.folder, { recursive: true, force: true });
  cpSync(join(folder, "good"), here.paths.folder, { recursive: true });
});

const check = () => checkCurated(index(), hashOfIndex, () => {});

/** Changes the index as SQLite lets anyone, and seals it as an honest run does. */
function change(sql: string): void {
  const db = new Database(index());
  db.run("pragma foreign_keys = off; pragma ignore_check_constraints = on");
  db.run(sql);
  db.run("pragma wal_checkpoint(truncate)");
  db.close();
  for (const end of ["-wal", "-shm", ".seal"]) rmSync(index() + end, { force: true });
}

/** Fills the first page of a table or index with letters. */
function overwrite(name: string): void {
  const db = new Database(index(), { readonly: true });
  const page = db
    .query<{ page: number }, [string]>("select rootpage as page from sqlite_schema where name = ?")
    .get(name);
  db.close();
  for (const end of ["-wal", "-shm", ".seal"]) rmSync(index() + end, { force: true });
  const bytes = readFileSync(index());
  bytes.fill(0x41, ((page?.page ?? 1) - 1) * 4096, (page?.page ?? 1) * 4096);
  writeFileSync(index(), bytes);
}

function spoil(): void {
  const bytes = readFileSync(index());
  const place = Math.floor(bytes.length * 0.6);
  bytes[place] = (bytes[place] ?? 0) ^ 0x55;
  writeFileSync(index(), bytes);
}

test("a sound index has no diagnostics, and checking changes nothing", () => {
  const before = listing(here.paths.folder);
  expect(check()).toEqual([]);
  expect(holdsIndex(index())).toBe(true);
  expect(listing(here.paths.folder)).toEqual(before);
});

test("reads changes in the write-ahead log, with and without its shared memory, and changes nothing", () => {
  const writer = new Database(index());
  writer.run("pragma wal_autocheckpoint = 0");
  writer.run("delete from file_texts where file_id = 1");
  const there = here.paths.folder;
  const copy = join(folder, "copy");
  for (const without of [null, "-shm"]) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(there, copy, { recursive: true });
    if (without !== null) rmSync(join(copy, `curated.sqlite${without}`));
    rmSync(join(copy, "curated.sqlite.seal"));
    const before = listing(copy);
    const found = checkCurated(join(copy, "curated.sqlite"), hashOfIndex, () => {});
    expect(found.map(({ what }) => what)).toEqual([expect.stringContaining("1 files without text")]);
    expect(listing(copy)).toEqual(before);
  }
  // And while the writer lives.
  expect(check().map(({ what }) => what)).toEqual([expect.stringContaining("1 files without text")]);
  writer.close();
});

test("a missing or empty file is no index", () => {
  rmSync(index());
  expect([check(), holdsIndex(index())]).toEqual([[], false]);
  rmSync(`${index()}.seal`);
  writeFileSync(index(), "");
  expect([check(), holdsIndex(index())]).toEqual([[], false]);
});

/** A name, how to do the damage, and what is said of it. */
const SQL: readonly (readonly [string, string, RegExp])[] = [
  ["a trigger was planted", "create trigger t after insert on files begin select 1; end", /tables are not those/],
  ["a table is gone", "drop table co_changes", /tables are not those/],
  ["it is of another application", "pragma application_id = 7", /cra did not write it/],
  ["the description is gone", "delete from meta", /rows but no description/],
  ["the description is none", "update meta set value = '{'", /description is unreadable/],
  ["counts differ", `update meta set value = replace(value, '"files":5', '"files":6')`, /its counts do not match/],
  [
    "a content hash differs",
    "update files set content_hash = replace(content_hash, 'a', 'b')",
    /content hash does not match/,
  ],
  ["another commit", "update repos set head = 'abc'", /another commit/],
  [
    "a symbol has no file",
    "update symbols set file_id = 99 where id = 1",
    /a row of symbols refers to a missing row of files/,
  ],
  [
    "a reference leads nowhere",
    "insert into symbol_references(caller_id, callee_id, kind_number, percent) values (1, 999, 0, 100)",
    /symbol_references refers/,
  ],
  ["a confidence is too high", "update symbol_references set percent = 200", /impossible confidence/],
  [
    "an exact reference is of no kind",
    "insert into exact_files values ('a', ''); insert into exact_uses values ('a', 1, 'b', 'c', 'd', 'e')",
    /exact references of an unknown kind/,
  ],
  ["pairs are the wrong way round", "update co_changes set a = b, b = a", /CHECK constraint|without a commit/],
  ["a pair has no commit", "update co_changes set last_commit = 77", /without a commit that changed both/],
  ["a definition ends beyond its file", "update symbols set end_line = 900", /definitions outside their file/],
  [
    "a parent is in another file",
    "update symbols set parent_id = 1 where file_id <> (select file_id from symbols where id = 1)",
    /inside a definition of another file/,
  ],
  ["a test tests a test", "update files set is_test = 1", /from a test to a source file/],
  ["a file has no text", "delete from file_texts where file_id = 1", /1 files without text/],
  [
    "a text is of another file",
    "update file_texts set text = (select text from file_texts where file_id = 2) where file_id = 1",
    /texts that do not match their files/,
  ],
  ["a text cannot be unpacked", "update file_texts set text = x'00' where file_id = 1", /texts that do not match/],
  ["statistics are none", "update term_blocks set stats = x'0102'", /missing or unreadable term statistics/],
  [
    "statistics are cut",
    "update term_blocks set stats = substr(stats, 1, length(stats) - 4)",
    /missing or unreadable term statistics/,
  ],
  ["statistics are missing", "delete from term_blocks", /missing or unreadable term statistics/],
  ["words of paths are missing", "delete from path_blocks", /1 blocks of files with other words than their paths have/],
  ["words of paths are cut", "update path_blocks set words = substr(words, 2)", /blocks of files with other words/],
  [
    "words are of paths of no file",
    "insert into path_blocks(id, words) values (9, x'01')",
    /blocks of files with other/,
  ],
  ["a last change is wrong", "update files set modified_at = 5 where id = 1", /modification time is not that/],
  ["search lacks a file", "delete from file_search where rowid = 1", /1 rows of files missing from full-text search/],
  [
    "search knows too much",
    "insert into symbol_search(rowid, name) values (4000, 'x')",
    /of symbol_search without a source row/,
  ],
  [
    "search lacks a commit",
    "delete from commit_search where rowid = 2",
    /rows of commits missing from full-text search/,
  ],
  [
    "metadata is none that cra writes",
    `insert into file_metadata values (1, 'x', null, null, '["Upper"]', '[]', null)`,
    /1 metadata that cra cannot have written/,
  ],
  ["concepts are no list", "insert into file_metadata values (1, 'x', null, null, '[', '[]', null)", /1 metadata that/],
  ["a skipped file is there", "insert into index_skips values ('README.md', 'binary')", /also listed as skipped/],
];

/** A name, how to do the damage, and what is said of it. */
const DAMAGE: readonly (readonly [string, () => void, RegExp])[] = [
  ...SQL.map(([name, sql, said]) => [name, () => change(sql), said] as const),
  ["a byte is another one", spoil, /bytes have changed since cra wrote them/],
  ["the file is cut", () => writeFileSync(index(), readFileSync(index()).subarray(0, 40_960)), /bytes have changed/],
  [
    "the file is a text",
    () => writeFileSync(index(), "long enough to be a database, and none\n"),
    /bytes have changed/,
  ],
  [
    "a folder stands in its place",
    () => {
      rmSync(index());
      mkdirSync(index());
    },
    /not a regular file/,
  ],
  ["a page of a table is another one", () => overwrite("comments"), /comments|malformed|page|Tree/],
  ["a page of an index is another one", () => overwrite("symbols_name"), /symbols_name|malformed|page|Tree/],
];

describe("damage", () => {
  test.each([...DAMAGE])("%s", async (_, damage, said) => {
    damage();
    const before = listing(here.paths.folder);
    const found = check();
    expect(found.map(({ what }) => what).join("\n")).toMatch(said);
    for (const { severity, where, mend } of found)
      expect([severity, where, mend]).toEqual(["error", index(), "cra index --rebuild"]);
    expect(listing(here.paths.folder)).toEqual(before);
    let known = found[0]?.what ?? null;
    const openCurated = () => {
      const damage = known;
      known = null;
      return openOrRebuildCurated(index(), { thorough: true, damage });
    };
    const { notices } = await runIndex(withDeps(here, "store", { openCurated }), { rebuild: true });
    expect(notices.map(({ code }) => code)).toEqual(["index-rebuilt"]);
    expect(dumpCuratedFile(index())).toBe(good);
    expect(check()).toEqual([]);
  });
});
