/** Which files are read again: those whose marks differ, and those that changed too shortly before. */
import { expect, test } from "bun:test";
import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storedListings } from "../../../../src/db/parse-cache/stat-cache.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { runIndex, sharedWorlds, type World, withDeps } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const HOUR = 3_600_000;

/** A world whose clock is ahead, so that the files of a test count as old; `reads` are the paths that were read. */
function laterWorld(repo: TempRepo, aheadMs = HOUR): { readonly here: World; readonly reads: string[] } {
  const there = worldOf(repo);
  const reads: string[] = [];
  const readFile: World["deps"]["workTree"]["readFile"] = (path, bytesMax) => {
    reads.push(path);
    return there.deps.workTree.readFile(path, bytesMax);
  };
  const counted = withDeps(there, "workTree", { readFile });
  return { here: { ...counted, deps: { ...counted.deps, now: () => Date.now() + aheadMs } }, reads };
}

const FILES = { "a.py": "x = 1\n", "b.py": "y = 1\n", "blob.bits": new Uint8Array([0, 1, 2, 0]) };

test("unchanged files are not read again", async () => {
  using repo = tempRepo(FILES);
  const { here, reads } = laterWorld(repo);
  const first = await runIndex(here);
  expect(reads.splice(0).toSorted()).toEqual(["a.py", "b.py", "blob.bits"]);
  const second = await runIndex(here);
  expect(reads).toEqual([]);
  expect([second.changed, second.files.unchanged, second.skips]).toEqual([false, 2, first.skips]);
});

test("a changed file of the same size with its old time restored is read", async () => {
  using repo = tempRepo(FILES);
  const { here, reads } = laterWorld(repo);
  await runIndex(here);
  reads.length = 0;
  const path = join(repo.path, "a.py");
  const { atime, mtime } = statSync(path);
  writeFileSync(path, "z = 1\n");
  utimesSync(path, atime, mtime);
  const { changed, files } = await runIndex(here);
  expect([reads, changed, files.changed]).toEqual([["a.py"], true, 1]);
});

test("a file that changed just before it was read is read again", async () => {
  using repo = tempRepo(FILES);
  const { here, reads } = laterWorld(repo, 0);
  await runIndex(here);
  reads.length = 0;
  expect((await runIndex(here)).changed).toBe(false);
  expect(reads.toSorted()).toEqual(["a.py", "b.py", "blob.bits"]);
});

test("another version and a rebuild read everything again", async () => {
  using repo = tempRepo(FILES);
  const { here, reads } = laterWorld(repo);
  await runIndex(here);
  reads.length = 0;
  await runIndex(withDeps(here, "build", { craVersion: "2.0.0" }));
  expect(reads.splice(0)).toHaveLength(3);
  await runIndex(withDeps(here, "build", { craVersion: "2.0.0" }), { rebuild: true });
  expect(reads).toHaveLength(3);
});

test("a removed file that comes back unchanged is indexed as before", async () => {
  using repo = tempRepo(FILES);
  const { here } = laterWorld(repo);
  await runIndex(here);
  const before = dumpCuratedFile(here.paths.curated);
  rmSync(join(repo.path, "b.py"));
  await runIndex(here);
  repo.write({ "b.py": "y = 1\n" });
  await runIndex(here);
  expect(dumpCuratedFile(here.paths.curated)).toBe(before);
});

test("a run that finds nothing changed keeps what the walk knows of folders, and one that writes does not", async () => {
  using repo = tempRepo({ "a.ts": "1" });
  const here = worldOf(repo);
  const known = Uint8Array.of(1, 2, 3);
  const walking = withDeps(here, "workTree", {
    walk: async (options) => ({ ...(await here.deps.workTree.walk(options)), listings: known }),
  });
  await runIndex(walking);
  expect(storedListings(here.paths.statCache)).toBeNull();
  await runIndex(walking);
  expect(storedListings(here.paths.statCache)).toEqual(known);
});
