/** A glance in place of a full look: it is taken only while nothing changed, and then says what the full look would. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openOrRebuildCurated } from "../../../../src/db/curated/write/rebuild.ts";
import type { IndexOptions } from "../../../../src/indexing/model/index-run.ts";
import type {
  GitReader,
  IndexBuild,
  IndexStore,
  TextParser,
  WorkTree,
} from "../../../../src/indexing/update/index-deps.ts";
import { TOO_MUCH_WORK } from "../../../../src/syntax/facts/facts.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { runIndex, sharedWorlds, type World, withDeps, withParser } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const HOUR = 3_600_000;

const FILES = {
  "a.py": "x = 1\n",
  "b.py": "import a\n",
  "lib/c.py": "def c():\n    return 3\n",
  "out.log": "nothing\n",
  ".gitignore": "*.tmp\n",
  "x.tmp": "left out\n",
  "big.txt": `${"word ".repeat(100)}\n`,
  "blob.bits": new Uint8Array([0, 1, 2, 0]),
  ".env": "TOKEN=1\n",
};

/** A world in which files count as old, and the index is opened as before a retrieval. `looks`: runs that compare files, or what holds of them. */
function watchedWorld(repo: TempRepo, aheadMs = HOUR): { readonly here: World; readonly looks: () => number } {
  const there = worldOf(repo);
  let looks = 0;
  const openCache: IndexStore["openCache"] = () => {
    const cache = there.deps.store.openCache();
    const statEntries: typeof cache.statEntries = (...asked) => {
      looks += 1;
      return cache.statEntries(...asked);
    };
    return { ...cache, statEntries };
  };
  const openCurated: IndexStore["openCurated"] = () => openOrRebuildCurated(there.paths.curated, { thorough: false });
  const now = (): number => Date.now() + aheadMs;
  const counted = withDeps(there, "store", { openCurated, openCache });
  return { here: { ...counted, deps: { ...counted.deps, now } }, looks: () => looks };
}

const OPTIONS: Partial<IndexOptions> = { bytesMax: 1_000 };

/** A repository whose index was looked at in full and found current. */
async function settled(repo: TempRepo): Promise<{ readonly here: World; readonly looks: () => number }> {
  const { here, looks } = watchedWorld(repo);
  await runIndex(here, OPTIONS);
  await runIndex(here, OPTIONS);
  expect(looks()).toBe(2);
  await runIndex(here, OPTIONS);
  expect(looks()).toBe(2);
  return { here, looks };
}

/** What is done to a repository; `with` are the settings from then on. */
type Change = { readonly do?: (repo: TempRepo, here: World) => void; readonly with?: Partial<IndexOptions> };

const CHANGES: Readonly<Record<string, Change>> = {
  "changed content": { do: (repo) => repo.write({ "a.py": "x = 1\ny = 2\n" }) },
  "changed content of the same size with the old time restored": {
    do(repo) {
      const path = join(repo.path, "a.py");
      const { atime, mtime } = statSync(path);
      writeFileSync(path, "z = 1\n");
      utimesSync(path, atime, mtime);
    },
  },
  "another file of the same size and time in its place": {
    do(repo) {
      const [path, other] = [join(repo.path, "a.py"), join(repo.path, "x.tmp")];
      const { atime, mtime } = statSync(path);
      writeFileSync(other, "w = 1\n");
      utimesSync(other, atime, mtime);
      renameSync(other, path);
    },
  },
  "a new file": { do: (repo) => repo.write({ "lib/new.py": "n = 1\n" }) },
  "a new folder": { do: (repo) => repo.write({ "more/deep/new.py": "n = 1\n" }) },
  "a removed file": { do: (repo) => repo.remove("b.py") },
  "a removed folder": { do: (repo) => repo.remove("lib") },
  "a renamed file": { do: (repo) => renameSync(join(repo.path, "a.py"), join(repo.path, "a2.py")) },
  "a renamed folder": { do: (repo) => renameSync(join(repo.path, "lib"), join(repo.path, "lib2")) },
  "two files that swap names": {
    do(repo) {
      const at = (name: string): string => join(repo.path, name);
      renameSync(at("a.py"), at("x.tmp"));
      renameSync(at("b.py"), at("a.py"));
      renameSync(at("x.tmp"), at("b.py"));
    },
  },
  "a changed mode": { do: (repo) => chmodSync(join(repo.path, "a.py"), 0o600) },
  "a link in place of a file": {
    do(repo) {
      repo.remove("a.py");
      symlinkSync("b.py", join(repo.path, "a.py"));
    },
  },
  "a link, then a file in its place": {
    do(repo) {
      symlinkSync("a.py", join(repo.path, "l.py"));
      repo.remove("l.py");
      repo.write({ "l.py": "l = 1\n" });
    },
  },
  "an ignore rule": { do: (repo) => repo.write({ ".gitignore": "*.tmp\nlib/\n" }) },
  "a removed ignore rule": { do: (repo) => repo.write({ ".gitignore": "" }) },
  "a .craignore rule": { do: (repo) => repo.write({ ".craignore": "a.py\n" }) },
  "a rule in .git": { do: (repo) => appendFileSync(join(repo.path, ".git/info/exclude"), "loose.py\n") },
  "an ignored file that git tracks": { do: (repo) => void repo.git("add", "--force", "x.tmp") },
  "a file that has become too large": { do: (repo) => repo.write({ "big.txt": "word ".repeat(1_000) }) },
  "a binary file that has become text": { do: (repo) => repo.write({ "blob.bits": "word\n" }) },
  "a file that may now hold secrets": {
    do: (repo) => renameSync(join(repo.path, "a.py"), join(repo.path, "a.pem")),
  },
  "a nested repository": {
    do(repo) {
      repo.write({ "lib/.git/HEAD": "ref: refs/heads/main\n", "lib/.git/objects/x": "", "lib/.git/refs/x": "" });
      repo.git("rm", "--quiet", "-r", "--cached", "lib");
    },
  },
  "a commit": { do: (repo) => void repo.commit("More") },
  "a branch with other files": {
    do(repo) {
      repo.git("checkout", "--quiet", "-b", "side");
      repo.write({ "a.py": "side = 1\n" });
      repo.commit("Side");
    },
  },
  "a new remote": { do: (repo) => void repo.git("remote", "add", "origin", "https://example.org/a.git") },
  "a removed .git": { do: (repo) => repo.remove(".git") },
  "a changed limit": { with: { bytesMax: 300 } },
  "a pattern in the settings": { with: { ignore: ["lib/"] } },
  "fewer commits": { with: { commitsMax: 1 } },
  "a lost index": { do: (_, { paths }) => rmSync(paths.curated) },
  "a lost cache": { do: (_, { paths }) => rmSync(paths.statCache) },
  "a row changed by another program": {
    do(_, { paths }) {
      const db = new Database(paths.curated);
      db.run("update files set content_hash = 'other' where path = 'a.py'");
      db.close();
    },
  },
  "a skip deleted by another program": {
    do(_, { paths }) {
      const db = new Database(paths.curated);
      db.run("delete from index_skips");
      db.close();
    },
  },
};

for (const [name, change] of Object.entries(CHANGES))
  test(`detects ${name}`, async () => {
    using repo = tempRepo(FILES, { git: true });
    repo.write({ "lib/late.py": "late = 1\n" });
    repo.commit("Second");
    repo.write({ "loose.py": "loose = 1\n" });
    const { here, looks } = await settled(repo);
    const before = looks();
    change.do?.(repo, here);
    await runIndex(here, { ...OPTIONS, ...change.with });
    expect(looks()).toBeGreaterThan(before);
    const fresh = watchedWorld(repo).here;
    await runIndex(fresh, { ...OPTIONS, ...change.with });
    expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
  });

test("an older index that is put back is checked in full", async () => {
  using repo = tempRepo(FILES, { git: true });
  const { here } = await settled(repo);
  const { curated } = here.paths;
  copyFileSync(curated, `${curated}.old`);
  repo.write({ "a.py": "x = 2\n" });
  await runIndex(here, OPTIONS);
  await runIndex(here, OPTIONS);
  const current = dumpCuratedFile(curated);
  renameSync(`${curated}.old`, curated);
  expect((await runIndex(here, OPTIONS)).files.changed).toBe(1);
  expect(dumpCuratedFile(curated)).toBe(current);
});

test("another version, another build, and a rebuild check in full", async () => {
  using repo = tempRepo(FILES, { git: true });
  const { here, looks } = await settled(repo);
  const others: readonly Partial<IndexBuild>[] = [{ craCommit: "abc" }, { craVersion: "9" }, { extractorVersion: "9" }];
  for (const [at, other] of others.entries()) {
    await runIndex(withDeps(here, "build", other), OPTIONS);
    expect(looks()).toBe(3 + at);
  }
  expect((await runIndex(here, { ...OPTIONS, rebuild: true })).changed).toBe(true);
});

/** The same with another time at which the index was written last. */
const writtenAt = (here: World, changedMs: number): World => {
  const indexStat: IndexStore["indexStat"] = () => {
    const stat = here.deps.store.indexStat();
    return stat === null ? null : { ...stat, changedMs };
  };
  return withDeps(here, "store", { indexStat });
};

test("files changed a moment ago are checked in full every time", async () => {
  using repo = tempRepo(FILES, { git: true });
  for (const [aheadMs, changedMs] of [
    // By their times the files, then the index, stay new however long the runs take.
    [-HOUR, 0],
    [HOUR, Date.now() + 2 * HOUR],
  ] as const) {
    const { here, looks } = watchedWorld(repo, aheadMs);
    for (const count of [1, 2, 3]) {
      await runIndex(writtenAt(here, changedMs), OPTIONS);
      expect(looks()).toBe(count);
    }
  }
});

test("an unreadable history is tried again although it has not changed", async () => {
  using repo = tempRepo(FILES, { git: true });
  const { here } = watchedWorld(repo);
  const readHistory: GitReader["readHistory"] = async () => ({ commits: [], problem: "git was stopped" });
  const stopped = withDeps(here, "git", { readHistory });
  for (const _ of [1, 2, 3]) expect((await runIndex(stopped, OPTIONS)).notices).toHaveLength(1);
  expect((await runIndex(here, OPTIONS)).meta.counts.commits).toBe(1);
});

test("an unreadable file is tried again although it has not changed", async () => {
  using repo = tempRepo(FILES, { git: true });
  const { here } = watchedWorld(repo);
  let isClosed = true;
  const readFile: WorkTree["readFile"] = (path, bytesMax) =>
    isClosed && path === "a.py"
      ? { kind: "problem", why: "permission denied" }
      : here.deps.workTree.readFile(path, bytesMax);
  const closed = withDeps(here, "workTree", { readFile });
  for (const _ of [1, 2, 3]) expect((await runIndex(closed, OPTIONS)).problems).toHaveLength(1);
  isClosed = false;
  expect(await runIndex(closed, OPTIONS)).toMatchObject({ files: { added: 1 }, problems: [] });
});

test("an unchanged fingerprint gives the same result as a full check", async () => {
  for (const git of [true, false]) {
    using repo = tempRepo({ ...FILES, "\u{ff61}.pem": "1", "\u{1f600}.pem": "1" }, { git });
    const { here, looks } = watchedWorld(repo);
    const parse: TextParser["parse"] = async (input, signal) => {
      const { facts, stats } = await here.deps.parser.parse(input, signal);
      return { facts: { ...facts, problem: input.path === "b.py" ? TOO_MUCH_WORK : null }, stats };
    };
    const slow = withParser(here, parse);
    await runIndex(slow, OPTIONS);
    const { ms: _, msTotal: __, ...full } = await runIndex(slow, OPTIONS);
    const { ms: ___, msTotal: ____, ...glanced } = await runIndex(slow, OPTIONS);
    expect(looks()).toBe(2);
    expect(glanced).toEqual(full);
    expect([full.problems.length, full.notices.length]).toEqual([1, git ? 0 : 1]);
    expect(full.skips.map(({ reason }) => reason)).toContain("secret");
  }
});
