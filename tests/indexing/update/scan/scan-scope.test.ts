/** Of a larger tree, a run compares the parts that are not as the last one left them, and the index is what a fresh one would be. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexSummary } from "../../../../src/indexing/update/index-summary.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { HANG_MS } from "../../../support/hang.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { runIndex, sharedWorlds, type World, withDeps } from "../index-repo-world.ts";

setDefaultTimeout(HANG_MS);

const worldOf = sharedWorlds();
const HOUR = 3_600_000;
const FILES = 110;

const module = (at: number): string =>
  `from pkg${(at + 1) % 8}.m${at + 1} import work${at + 1}\n\ndef work${at}(x):\n    return work${at + 1}(x)\n`;

const REPO: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`pkg${at % 8}/m${at}.py`, module(at)])),
  "pkg3/poetry.lock": "locked\n",
  "pkg4/data.bits": new Uint8Array([0, 1, 2, 0]),
  "vendor/copied.py": "def copied(): pass\n",
};

/** A world whose clock is ahead, so that the files count as old; `compared` are the paths that were looked at. */
function countedWorld(repo: TempRepo): { readonly here: World; readonly compared: Set<string> } {
  const there = worldOf(repo);
  const compared = new Set<string>();
  const skipByPath: World["deps"]["workTree"]["skipByPath"] = (path, bytes, limits) => {
    compared.add(path);
    return there.deps.workTree.skipByPath(path, bytes, limits);
  };
  const counted = withDeps(there, "workTree", { skipByPath });
  return { here: { ...counted, deps: { ...counted.deps, now: () => Date.now() + HOUR } }, compared };
}

const told = ({ skips, problems, files, meta }: IndexSummary) => {
  const total = files.added + files.changed + files.unchanged;
  return { skips, problems, total, hash: meta.contentHash, counts: meta.counts };
};

async function expectFresh(repo: TempRepo, here: World, summary: IndexSummary): Promise<void> {
  const fresh = worldOf(repo);
  expect(told(summary)).toEqual(told(await runIndex(fresh)));
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
}

test("each edit compares a part of the files, and gives the index that a fresh run gives", async () => {
  using repo = tempRepo(REPO);
  const { here, compared } = countedWorld(repo);
  await runIndex(here);
  expect(compared.size).toBeGreaterThan(FILES);
  const edits: readonly (readonly [string, () => void])[] = [
    ["a function", () => repo.write({ "pkg5/m101.py": `${module(101)}\ndef added(x):\n    return work9(x)\n` })],
    ["a comment", () => repo.write({ "pkg5/m101.py": `${module(101)}# said\n` })],
    [
      "a new file",
      () => repo.write({ "pkg5/late.py": "from pkg1.m9 import work9\n\ndef late(x):\n    return work9(x)\n" }),
    ],
    ["a new skipped file", () => repo.write({ "pkg5/go.sum": "x\n" })],
    ["a removed file", () => rmSync(join(repo.path, "pkg6/m102.py"))],
    ["a file that is no text now", () => repo.write({ "pkg6/m6.py": new Uint8Array([0, 0, 1]) })],
    ["nothing", () => undefined],
  ];
  for (const [what, edit] of edits) {
    edit();
    compared.clear();
    const summary = await runIndex(here);
    expect([what, compared.size < FILES / 2, summary.changed]).toEqual([what, true, what !== "nothing"]);
    if (what === "nothing") await expectFresh(repo, here, summary);
  }
});

for (const name of ["\uff08old\uff09", "\u{1f600}", "\u{10ffff}"])
  test(`files that come last are compared once: ${name}`, async () => {
    using repo = tempRepo({ ...REPO, [`${name}.bits`]: new Uint8Array([0, 1, 2, 0]), [`${name}.py`]: module(0) });
    const { here, compared } = countedWorld(repo);
    await runIndex(here);
    repo.write({ "pkg7/m103.py": "def work103(x): return 0\n" });
    compared.clear();
    const summary = await runIndex(here);
    expect(compared.size).toBeLessThan(FILES);
    await expectFresh(repo, here, summary);
  });

test("all files are compared when most code is in vendored folders from now on, or another run wrote the index", async () => {
  using repo = tempRepo(REPO);
  const { here, compared } = countedWorld(repo);
  await runIndex(here);
  repo.write(Object.fromEntries(Array.from({ length: FILES + 9 }, (_, at) => [`vendor/more/v${at}.py`, "x = 1\n"])));
  compared.clear();
  await runIndex(here);
  expect(compared.size).toBeGreaterThan(2 * FILES);
  // An older state of the index, with what is known of a newer one.
  const other = worldOf(repo);
  repo.write({ "pkg0/m0.py": "def work0(x): return 0\n" });
  await runIndex({ ...other, paths: here.paths, deps: { ...other.deps, store: here.deps.store } });
  repo.write({ "pkg0/m0.py": module(0) });
  await expectFresh(repo, here, await runIndex(here));
});

test("facts that are lost outside of the part are parsed again", async () => {
  using repo = tempRepo(REPO);
  const { here } = countedWorld(repo);
  await runIndex(here);
  writeFileSync(here.paths.parseCache, "rubbish");
  repo.write({ "pkg5/m101.py": `${module(101)}\ndef work9(x):\n    return work102(x)\n` });
  await expectFresh(repo, here, await runIndex(here));
});
