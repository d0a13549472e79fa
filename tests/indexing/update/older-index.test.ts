/** An index with the tables of an earlier version counts as none, and the next run makes it what a fresh one is. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { CURATED_SCHEMA } from "../../../src/db/curated/schema.ts";
import { readTermStats } from "../../../src/text/terms/term-stats.ts";
import { failureOf } from "../../db/folder.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds } from "./index-repo-world.ts";

const worldOf = sharedWorlds();

test("an index of an earlier version is written again, under the same ids", async () => {
  using repo = tempRepo({ "a.ts": "export const a = () => 1;\n", "b.md": "# Words\n" }, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const { curated } = here.paths;
  const fresh = dumpCuratedFile(curated);
  const older = new Database(curated);
  for (const migration of CURATED_SCHEMA.migrations.slice(3)) expect(migration).not.toContain("table");
  older.run("update file_terms set stats = x'01617263'");
  older.run("pragma user_version = 3");
  older.close();
  rmSync(`${curated}.seal`);
  expect(failureOf(() => openKnowledgeBase(curated, repo.path))?.code).toBe("not-indexed");
  const { files } = await runIndex(here);
  expect(files).toEqual({ added: 0, changed: 2, removed: 0, unchanged: 0 });
  expect(dumpCuratedFile(curated)).toBe(fresh);
  const kb = openKnowledgeBase(curated, repo.path);
  expect(kb.termStats().map(({ stats }) => readTermStats(stats)?.segmentCount)).toEqual([2, 1]);
  kb.close();
});
