/** What could not be read or parsed this time: what was known is kept, it is said and vouched for by another hash, and tried again. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { checkCurated } from "../../../src/db/check/curated.ts";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import type { GitReader, TextParser } from "../../../src/indexing/update/index-deps.ts";
import { hashOfIndex } from "../../../src/indexing/update/scan/compare.ts";
import { TOO_MUCH_WORK } from "../../../src/syntax/facts/facts.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { HANG_MS } from "../../support/hang.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds, type World, withDeps, withParser } from "./index-repo-world.ts";

setDefaultTimeout(HANG_MS);
const worldOf = sharedWorlds();

const FILES = { "a.py": "def one(): pass\n", "b.py": "from a import one\n" };
const WHY = "git was ended: it made no progress for 30 seconds";

/** Two commits that change both files. */
function repoWithHistory(): TempRepo {
  const repo = tempRepo(FILES, { git: true });
  repo.write({ "a.py": "def two(): pass\n", "b.py": "from a import two\n" });
  repo.commit("Second");
  return repo;
}

const dump = (here: World): string => dumpCuratedFile(here.paths.curated);
const fresh = async (repo: TempRepo): Promise<string> => {
  const here = worldOf(repo);
  await runIndex(here);
  return dump(here);
};
const breachesIn = (here: World): readonly unknown[] => checkCurated(here.paths.curated, hashOfIndex, () => undefined);

describe("git's history", () => {
  const failing = (here: World, git: Partial<GitReader> = {}): World =>
    withDeps(here, "git", { readHistory: async () => ({ commits: [], problem: WHY }), ...git });

  test("of an earlier commit is kept while the present one cannot be read", async () => {
    using repo = repoWithHistory();
    const here = worldOf(repo);
    const before = (await runIndex(here)).meta;
    repo.write({ "c.py": "from b import two\n", "b.py": "" });
    repo.commit("Third");
    for (const changed of [true, false]) {
      const summary = await runIndex(failing(here));
      expect(summary).toMatchObject({
        changed,
        meta: { historyProblem: WHY, keptHistory: { head: before.head }, counts: { files: 3, commits: 2 } },
        notices: [{ code: "history-outdated", why: WHY, commit: before.head }],
        problems: [{ path: ".git", why: WHY }],
      });
    }
    expect(breachesIn(here)).toEqual([]);
    const kb = openKnowledgeBase(here.paths.curated, repo.path);
    const [a] = kb.files();
    expect(kb.coChangesOf([a?.id ?? 0])).toHaveLength(1);
    kb.close();
    expect(await runIndex(here)).toMatchObject({
      changed: true,
      notices: [],
      problems: [],
      meta: { historyProblem: null },
    });
    expect(dump(here)).toBe(await fresh(repo));
  });

  test("is missing while it cannot be read and none is known", async () => {
    using repo = repoWithHistory();
    const here = worldOf(repo);
    const summary = await runIndex(failing(here));
    expect(summary).toMatchObject({ notices: [{ code: "history-missing" }], problems: [{ path: ".git", why: WHY }] });
    expect(summary.meta.counts.commits).toBe(0);
    expect(breachesIn(here)).toEqual([]);
    await runIndex(here);
    expect(dump(here)).toBe(await fresh(repo));
  });

  test("no two of these indexes have the same content hash", async () => {
    using repo = repoWithHistory();
    const [here, without] = [worldOf(repo), worldOf(repo)];
    await runIndex(here);
    repo.write({ "c.py": "" });
    repo.commit("Third");
    const hashes = [
      (await runIndex(failing(without))).meta.contentHash,
      (await runIndex(failing(here))).meta.contentHash,
      (await runIndex(here)).meta.contentHash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect((await runIndex(without)).meta.contentHash).toBe(hashes[2] ?? "");
  });

  test("read before is still known to the run that reads it again", async () => {
    using repo = repoWithHistory();
    const here = worldOf(repo);
    await runIndex(here);
    repo.write({ "c.py": "" });
    repo.commit("Third");
    await runIndex(failing(here));
    const known: boolean[] = [];
    const readHistory: GitReader["readHistory"] = async (options) => {
      const read = await here.deps.git.readHistory(options);
      for (const { hash } of read.commits) known.push(options.known?.get(hash) !== undefined);
      return read;
    };
    await runIndex(withDeps(here, "git", { readHistory }));
    expect(known).toEqual([false, true, true]);
  });

  test("is that of the known HEAD while HEAD cannot be read", async () => {
    using repo = repoWithHistory();
    const here = worldOf(repo);
    const before = (await runIndex(here)).meta;
    repo.write({ "a.py": "def three(): pass\n" });
    const nothing = { head: null, branch: null, remoteUrl: null, shallow: null, problem: WHY };
    const blind = failing(here, { readHead: async () => nothing });
    const summary = await runIndex(blind);
    expect(summary.meta).toMatchObject({ head: before.head, historyProblem: WHY, counts: { commits: 2 } });
    expect(summary.notices).toMatchObject([{ code: "history-outdated" }]);
    await runIndex(here);
    expect(dump(here)).toBe(await fresh(repo));
  });

  test("that a repository does not have is no failure", async () => {
    using repo = tempRepo(FILES);
    expect(await runIndex(worldOf(repo))).toMatchObject({ notices: [{ code: "history-missing" }], problems: [] });
  });
});

test("ignored files that git tracks stay while git cannot tell which it tracks", async () => {
  using repo = repoWithHistory();
  repo.write({ ".gitignore": "kept.py\n", "kept.py": "x = 1\n" });
  repo.git("add", "--force", "kept.py");
  repo.commit("Kept");
  const here = worldOf(repo);
  expect((await runIndex(here)).meta.counts.files).toBe(4);
  const unknown = withDeps(here, "git", { readTracked: async () => null });
  const summary = await runIndex(unknown);
  expect(summary.files).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 4 });
  expect(summary.problems).toEqual([{ path: ".git", why: "git cannot tell which of the ignored files it tracks" }]);
});

describe("a file that a parser failed on", () => {
  /** A world whose parser has this problem with one file, null for none, and counts what it parses. */
  function ailing(here: World): { readonly here: World; readonly parsed: string[]; problem: string | null } {
    const parsed: string[] = [];
    const state = { here, parsed, problem: "the parser crashed" as string | null };
    const parse: TextParser["parse"] = async (input, signal) => {
      parsed.push(input.path);
      if (state.problem === null || input.path !== "a.py") return await here.deps.parser.parse(input, signal);
      const { facts, stats } = await here.deps.parser.parse({ ...input, language: "text" }, signal);
      return { facts: { ...facts, problem: state.problem }, stats };
    };
    state.here = withParser(here, parse);
    return state;
  }

  test("is parsed again by each cra index, until it succeeds", async () => {
    using repo = repoWithHistory();
    const world = ailing(worldOf(repo));
    const first = await runIndex(world.here);
    expect(first.problems).toEqual([{ path: "a.py", why: "the parser crashed" }]);
    world.parsed.length = 0;
    // A refresh before a retrieval does not try again.
    expect((await runIndex(world.here, { retries: false })).changed).toBe(false);
    expect(world.parsed).toEqual([]);
    for (const _ of [1, 2]) {
      expect(await runIndex(world.here)).toMatchObject({ changed: false, problems: [{ path: "a.py" }] });
      expect(world.parsed.splice(0)).toEqual(["a.py"]);
    }
    expect(breachesIn(world.here)).toEqual([]);
    world.problem = null;
    const last = await runIndex(world.here);
    expect(last).toMatchObject({ changed: true, files: { changed: 1, unchanged: 1 }, problems: [] });
    expect(last.meta.contentHash).not.toBe(first.meta.contentHash);
    expect(dump(world.here)).toBe(await fresh(repo));
  });

  test("is parsed again where its content comes back", async () => {
    using repo = repoWithHistory();
    const world = ailing(worldOf(repo));
    await runIndex(world.here);
    repo.remove("a.py");
    await runIndex(world.here);
    world.problem = null;
    repo.write({ "a.py": "def two(): pass\n" });
    expect(await runIndex(world.here)).toMatchObject({ problems: [] });
    expect(dump(world.here)).toBe(await fresh(repo));
  });

  test("because it is too much work is not parsed again", async () => {
    using repo = repoWithHistory();
    const world = ailing(worldOf(repo));
    world.problem = TOO_MUCH_WORK;
    await runIndex(world.here);
    world.parsed.length = 0;
    expect(await runIndex(world.here)).toMatchObject({ changed: false, problems: [{ why: TOO_MUCH_WORK }] });
    expect(world.parsed).toEqual([]);
  });
});

test("facts that are known serve again without parsing, also those of a file that changes while it is indexed", async () => {
  using repo = tempRepo(FILES, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const first = dump(here);
  for (const [change, count, expected] of [
    [() => undefined, 0, async () => first],
    [() => repo.write({ "a.py": "def one(): return 2\n" }), 1, () => fresh(repo)],
  ] as const) {
    for (const suffix of ["", "-wal", "-shm", ".seal"]) rmSync(here.paths.curated + suffix, { force: true });
    const { writeHere } = here.deps.store;
    const late = withDeps(here, "store", {
      writeHere(request, ...rest) {
        change();
        return writeHere?.(request, ...rest) ?? { kind: "unreadable", paths: [] };
      },
    });
    const { parsed } = await runIndex(late);
    expect(parsed).toBe(count);
    expect(dump(here)).toBe(await expected());
    expect(breachesIn(here)).toEqual([]);
  }
});

test("the facts of a text that changes while it is indexed stay for others", async () => {
  using repo = tempRepo(FILES, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const first = dump(here);
  for (const suffix of ["", "-wal", "-shm", ".seal"]) rmSync(here.paths.curated + suffix, { force: true });
  const { writeHere } = here.deps.store;
  const late = withDeps(here, "store", {
    writeHere(request, ...rest) {
      repo.write({ "a.py": "def one(): return 2\n" });
      return writeHere?.(request, ...rest) ?? { kind: "unreadable", paths: [] };
    },
  });
  await runIndex(late);
  repo.write(FILES);
  expect(await runIndex(here)).toMatchObject({ changed: true, parsed: 0, fromCache: 1 });
  expect(dump(here)).toBe(first);
});

describe("files that change with every try", () => {
  const TEXTS = Array.from({ length: 6 }, (_, at) => `def one(): return ${at}\n`);

  /** An index of the first text, of a tree that has the next one whenever rows are written; the facts of all are known. */
  async function changing(repo: TempRepo): Promise<World> {
    const here = worldOf(repo);
    for (const text of TEXTS.toReversed()) {
      repo.write({ "a.py": text });
      await runIndex(here);
    }
    repo.write({ "a.py": TEXTS[1] ?? "" });
    let next = 2;
    const { writeHere, startWriter } = here.deps.store;
    const change = (): void => repo.write({ "a.py": TEXTS[next++] ?? TEXTS.at(-1) ?? "" });
    return withDeps(here, "store", {
      writeHere(request, ...rest) {
        change();
        return writeHere?.(request, ...rest) ?? { kind: "unreadable", paths: [] };
      },
      startWriter(...all) {
        const session = startWriter(...all);
        const finish: typeof session.finish = (...request) => {
          change();
          return session.finish(...request);
        };
        return { ...session, finish };
      },
    });
  }

  test("end a run with the reason, and leave the index as it was", async () => {
    using repo = tempRepo(FILES);
    const here = await changing(repo);
    const before = dump(here);
    await expect(runIndex(here)).rejects.toThrow(
      `${here.root}: files keep changing while they are read; try again when they do not`,
    );
    expect(dump(here)).toBe(before);
  });

  test("are waited for by a run that is patient", async () => {
    using repo = tempRepo(FILES);
    const here = await changing(repo);
    expect(await runIndex(here, { patient: true })).toMatchObject({ changed: true, parsed: 0 });
    expect(dump(here)).toBe(await fresh(repo));
  });
});
