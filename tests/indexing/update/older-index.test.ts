/** An index with the tables of an earlier version counts as none, and the next run makes it what a fresh one is. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { checkCurated } from "../../../src/db/check/curated.ts";
import type { StoredFileRow } from "../../../src/db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { CURATED_SCHEMA } from "../../../src/db/curated/schema.ts";
import { checksumState, writeChecksum } from "../../../src/db/sqlite/checksum.ts";
import type { Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { hashOfIndex } from "../../../src/indexing/update/scan/compare.ts";
import { WITH_VERSION_1 } from "../../db/curated/version-1.ts";
import { dumpCurated, dumpCuratedFile } from "../../support/dump.ts";
import { failureOf } from "../../support/failure.ts";
import { tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds } from "./index-repo-world.ts";

const worldOf = sharedWorlds();

const OLDER: Schema = { ...WITH_VERSION_1, migrations: WITH_VERSION_1.migrations.slice(0, 1) };

/** What version 0.1.0 would have left: its tables, and rows of them under other ids. */
function writeOlder(path: string, files: readonly StoredFileRow[]): void {
  const db = openDatabase(path, "write", OLDER);
  db.run("insert into meta values ('index', '{}')");
  db.run("insert into repos(id, path, indexed_at) values (1, '/r', '')");
  for (const [at, { path, language, contentHash, sizeBytes }] of files.entries()) {
    const id = 7 + at;
    db.run(
      `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, interface_hash)
       values (?1, 1, ?2, ?3, ?4, ?5, 1, 1, 0, '')`,
      id,
      path,
      language,
      contentHash,
      sizeBytes,
    );
    db.run("insert into file_texts values (?1, x'00')", id);
    db.run("insert into file_terms values (?1, x'01617263')", id);
    db.run("insert into file_search(rowid, path, content) values (?1, 'old', 'old')", id);
    for (const [symbol, parent] of [
      [2 * id, null],
      [2 * id + 1, 2 * id],
    ] as const) {
      db.run("insert into symbols values (?1, ?2, 'o', 'o', 'class', 1, 1, 1, 1, '', 0, 0, ?3, 1)", symbol, id, parent);
      db.run("insert into symbol_search(rowid, name) values (?1, 'old')", symbol);
      db.run("insert into docstrings values (?1, ?2, 'old', 'plain')", id, symbol);
      db.run("insert into comments values (?1, ?2, 1, 'old', 'note', 0)", id, symbol);
      db.run("insert into symbol_references values (?1, ?1, 'call', .5)", symbol);
    }
    db.run("insert into dependencies values (?1, ?1, 'import')", id);
    db.run("insert into file_metadata(file_id, purpose, concepts) values (?1, 'kept', '[]')", id);
  }
  db.close();
}

test("an index of an earlier version is written again, under the same ids and with what a model said of its files", async () => {
  using repo = tempRepo(
    {
      "a.ts": "export const a = () => 1;\n",
      "b.md": "# Words\n",
      "c.ts": 'import { a } from "./a";\nexport const c = () => a();\n',
    },
    { git: true },
  );
  const here = worldOf(repo);
  await runIndex(here);
  const { curated } = here.paths;
  const fresh = dumpCuratedFile(curated);
  const before = openKnowledgeBase(curated, repo.path);
  const files = before.storedFiles();
  before.close();
  for (const suffix of ["", "-wal", "-shm", ".seal"]) rmSync(curated + suffix, { force: true });
  writeOlder(curated, files);
  writeChecksum(curated, OLDER);
  expect(checksumState(curated)).toBe("whole");
  const diagnostics = () =>
    checkCurated(curated, hashOfIndex, () => {}).map(({ severity, code, mend }) => [severity, code, mend]);
  expect(diagnostics()).toEqual([["note", "older", null]]);
  expect(failureOf(() => openKnowledgeBase(curated, repo.path))?.code).toBe("not-indexed");
  expect(diagnostics()).toEqual([["note", "older", "cra index"]]);
  // Whoever opens it migrates it, which is no damage.
  expect(checksumState(curated)).toBe("unknown");
  expect((await runIndex(here)).files).toEqual({ added: 0, changed: 3, removed: 0, unchanged: 0 });
  const db = openDatabase(curated, "write", CURATED_SCHEMA);
  expect(
    db.all("select f.id, f.path, m.purpose from files f join file_metadata m on m.file_id = f.id order by 1"),
  ).toEqual(files.map(({ path }, at) => ({ id: 7 + at, path, purpose: "kept" })));
  db.run("delete from file_metadata");
  expect(dumpCurated(db)).toBe(fresh);
  db.close();
});
