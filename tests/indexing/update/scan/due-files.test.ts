/** How much is due: by content, whatever time stamps say, and only when it is more than the limit. */
import { expect, test } from "bun:test";
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { openCuratedWriter } from "../../../../src/db/curated/write/write.ts";
import { walkWorkTree } from "../../../../src/indexing/update/scan/change-fingerprint.ts";
import { dueBeyond } from "../../../../src/indexing/update/scan/due-files.ts";
import { statMaker } from "../../../../src/indexing/update/scan/scan-and-parse.ts";
import { wholeScope } from "../../../../src/indexing/update/scan/scan-scope.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { OPTIONS, runIndex, sharedWorlds, type World } from "../index-repo-world.ts";

const worldOf = sharedWorlds();
const NEVER = new AbortController().signal;
const FILES = { "a.py": "a = 1\n", "b.py": "b = 1\n", "c.txt": "c\n", "d.min.js": "x\n" } as const;

async function dueIn({ deps, paths }: World, limit = { files: 1, bytes: 1_000 }, isValid = true) {
  const walked = await walkWorkTree(
    { ...deps, now: () => Date.now() + 60_000 },
    OPTIONS,
    () => [],
    () => undefined,
    NEVER,
  );
  const writer = openCuratedWriter(paths.curated);
  const cache = deps.store.openCache();
  try {
    const stored = isValid ? writer.files() : [];
    return dueBeyond(
      deps.workTree,
      OPTIONS,
      wholeScope(deps.workTree, walked, cache.statEntries(statMaker(deps.build))),
      stored,
      limit,
    );
  } finally {
    cache.close();
    writer.close();
  }
}

/** An index whose stat keys are all settled, so that none of them has to be read again. */
async function indexed(repo: TempRepo): Promise<World> {
  const here = worldOf(repo);
  await runIndex({ ...here, deps: { ...here.deps, now: () => Date.now() + 60_000 } });
  return here;
}

test("nothing is due of what is indexed, even if it was touched", async () => {
  using repo = tempRepo(FILES);
  const here = await indexed(repo);
  expect(await dueIn(here, { files: 0, bytes: 0 })).toBeNull();
  for (const path of Object.keys(FILES)) utimesSync(join(repo.path, path), 1, 1);
  expect(await dueIn(here, { files: 0, bytes: 0 })).toBeNull();
});

test("new and changed contents are due, by number or by size", async () => {
  using repo = tempRepo(FILES);
  const here = await indexed(repo);
  repo.write({ "a.py": "a = 22\n" });
  rmSync(join(repo.path, "c.txt"));
  expect(await dueIn(here)).toBeNull();
  expect(await dueIn(here, { files: 0, bytes: 1_000 })).toEqual({ files: 1, bytes: 7 });
  expect(await dueIn(here, { files: 5, bytes: 6 })).toEqual({ files: 1, bytes: 7 });
  repo.write({ "e.py": "e = 1\n", "lib.min.js": "skipped\n" });
  expect(await dueIn(here)).toEqual({ files: 2, bytes: 13 });
});

test("everything is due when the rows were made by another version", async () => {
  using repo = tempRepo(FILES);
  const here = await indexed(repo);
  expect(await dueIn(here, { files: 2, bytes: 1_000 }, false)).toEqual({ files: 3, bytes: 14 });
});
