/** Indexing real repositories: incremental equals fresh, and what happens when things go wrong. */

import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { keptRows, statsByFile } from "../../../src/db/curated/term-blocks.ts";
import { Failed } from "../../../src/failure.ts";
import type { IndexProgress } from "../../../src/indexing/model/index-run.ts";
import { TOO_MUCH_WORK } from "../../../src/syntax/facts/facts.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { tempFolder } from "../../support/folder.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";
import { onOneThread, runIndex, sharedPool, type World, withDeps, withParser, world } from "./index-repo-world.ts";

let folders = 0;
const scratch = shared(tempFolder()).path;

/** The repository with a data folder of its own, empty at first, written in a thread of its own as in the program. */
const inThreads = (repo: TempRepo): World => world(repo.path, join(scratch, String(++folders)), sharedPool());
const worldOf = (repo: TempRepo): World => onOneThread(inThreads(repo));
const dumpOf = ({ paths }: World): string => dumpCuratedFile(paths.curated);

const FILES = {
  "pkg/__init__.py": "from .core import run\n",
  "pkg/core.py":
    '"""Core."""\nfrom .util import helper\n\ndef run(task):\n    """Runs it."""\n    # because the helper is slow\n    return helper(task)\n',
  "pkg/util.py": "def helper(task):\n    # the task itself\n    return task\n",
  "web/app.ts": 'import { greet } from "./greet";\nexport const main = () => greet("x");\n',
  "web/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n  return name;\n}\n",
  "README.md": "# Read me\n",
  "logo.png": new Uint8Array([0, 1, 2]),
};

test("a repository is indexed, and a second run does nothing", async () => {
  using repo = tempRepo(FILES, { git: true });
  const here = inThreads(repo);
  const phases = new Set<string>();
  const first = await runIndex(here, {}, undefined, ({ phase }: IndexProgress) => phases.add(phase));
  expect(first.files).toEqual({ added: 6, changed: 0, removed: 0, unchanged: 0 });
  expect([first.changed, first.parsed, first.fromCache, first.problems, first.notices]).toEqual([true, 6, 0, [], []]);
  expect(first.skips).toEqual([{ path: "logo.png", reason: "binary" }]);
  expect([...phases].sort()).toEqual(["history", "parse", "resolve", "walk", "write"]);
  const bytes = readFileSync(here.paths.curated);
  const second = await runIndex(here);
  expect([second.changed, second.parsed, second.files.unchanged]).toEqual([false, 0, 6]);
  expect(second.meta).toEqual(first.meta);
  expect(readFileSync(here.paths.curated).equals(bytes)).toBe(true);
  expect(repo.git("status", "--porcelain")).toBe("");
});

test("an index can be queried", async () => {
  using repo = tempRepo(FILES, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const kb = openKnowledgeBase(here.paths.curated, repo.path);
  const files = kb.files();
  const id = (path: string): number => files.find((file) => file.path === path)?.id ?? 0;
  const path = (wanted: number): string => files.find((file) => file.id === wanted)?.path ?? "";
  expect(files.map((file) => file.path)).toEqual([
    "README.md",
    "pkg/__init__.py",
    "pkg/core.py",
    "pkg/util.py",
    "web/app.ts",
    "web/greet.ts",
  ]);
  expect(files.every(({ modifiedAt }) => modifiedAt === kb.commitRange()?.newest)).toBe(true);
  expect(kb.texts([id("pkg/core.py")]).get(id("pkg/core.py"))).toBe(FILES["pkg/core.py"]);
  const [run] = kb.symbolsNamed(["run"]);
  const [helper] = kb.symbolsNamed(["helper"]);
  expect(run).toMatchObject({
    fileId: id("pkg/core.py"),
    qualifiedName: "run",
    kind: "function",
    startLine: 4,
    exported: true,
  });
  expect(kb.symbolsById([run?.id ?? 0])).toEqual(run ? [run] : []);
  expect(kb.symbolsIn([id("pkg/core.py"), id("pkg/util.py")]).map(({ name }) => name)).toEqual(["run", "helper"]);
  expect(kb.referencesFrom([run?.id ?? 0])).toMatchObject([{ caller: run?.id, callee: helper?.id, kind: "call" }]);
  expect(kb.referencesTo([helper?.id ?? 0])).toEqual(kb.referencesFrom([run?.id ?? 0]));
  expect(
    kb
      .dependenciesOf([id("pkg/core.py"), id("web/app.ts")])
      .map(({ source, target }) => `${path(source)} ${path(target)}`),
  ).toEqual(["pkg/__init__.py pkg/core.py", "pkg/core.py pkg/util.py", "web/app.ts web/greet.ts"]);
  const [core, util, app] = [id("pkg/core.py"), id("pkg/util.py"), id("web/app.ts")];
  expect(kb.dependenciesBetween([core, util, app])).toMatchObject([{ source: core, target: util }]);
  expect(kb.dependenciesBetween([core, app])).toEqual([]);
  expect(kb.importerCounts().get(util)).toBe(1);
  expect(kb.docstringsIn([id("pkg/core.py")]).map(({ content, symbolId }) => [content, symbolId])).toEqual([
    ["Core.", null],
    ["Runs it.", run?.id ?? 0],
  ]);
  expect(kb.commentsIn([id("pkg/core.py")])).toMatchObject([{ symbolId: run?.id, isRationale: true }]);
  const ids = files.map((file) => file.id);
  expect(kb.commentsIn(ids)).toHaveLength(2);
  expect(kb.rationalesIn(ids)).toEqual(kb.commentsIn(ids).filter(({ isRationale }) => isRationale));
  expect(
    keptRows(kb.termStats())
      .flatMap((row) => statsByFile(row).map(([id]) => id))
      .map(path),
  ).toEqual(files.map((file) => file.path));
  expect(kb.coChangesOf([id("README.md")]).length).toBe(5);
  expect(kb.search("greet", 1)).toMatchObject([{ what: "symbol", path: "web/greet.ts", line: 2, name: "greet" }]);
  expect(kb.meta()).toMatchObject({ repoPath: repo.path, counts: { files: 6, commits: 1 }, historyProblem: null });
  kb.close();
});

test("methods of a Rust type are found in the blocks of any file, also under the name of an import", async () => {
  using repo = tempRepo({
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "mod cart;\nmod late;\nmod other;\nmod renamed;\n",
    "src/cart.rs": "pub struct Cart;\npub fn use_it(cart: &Cart) {\n    cart.send();\n    cart.ring();\n}\n",
    "src/late.rs": "use crate::cart::Cart;\nimpl Cart {\n    pub fn send(&self) {}\n}\n",
    "src/renamed.rs": "use crate::cart::Cart as Basket;\nimpl Basket {\n    pub fn ring(&self) {}\n}\n",
    "src/other.rs": "pub struct Till;\nimpl Till {\n    pub fn send(&self) {}\n    pub fn ring(&self) {}\n}\n",
  });
  const here = worldOf(repo);
  await runIndex(here);
  const kb = openKnowledgeBase(here.paths.curated, repo.path);
  const [caller] = kb.symbolsNamed(["use_it"]);
  const called = kb.referencesFrom([caller?.id ?? 0]).flatMap(({ callee, kind }) => (kind === "call" ? callee : []));
  expect(kb.symbolsById(called).map(({ qualifiedName }) => qualifiedName)).toEqual(["Cart.send", "Basket.ring"]);
  kb.close();
});

test("a folder without an index is reported", () => {
  using repo = tempRepo({});
  try {
    openKnowledgeBase(join(repo.path, "curated.sqlite"), repo.path);
    expect.unreachable();
  } catch (error) {
    expect(error instanceof Failed ? error.failure : error).toEqual({ code: "not-indexed", repo: repo.path });
  }
});

test("a folder without git is indexed without history", async () => {
  using repo = tempRepo(FILES);
  const here = worldOf(repo);
  const first = await runIndex(here);
  expect(first.meta.head).toBeNull();
  expect(first.notices.map(({ code }) => code)).toEqual(["history-missing"]);
  expect((await runIndex(here)).changed).toBe(false);
});

describe("a repeated index equals a fresh one", () => {
  const NAMES = [
    "a.py",
    "b.py",
    "pkg/__init__.py",
    "pkg/c.py",
    "web/d.ts",
    "web/e.ts",
    "notes.md",
    "f.min.js",
    "g.bin",
  ];
  const TEXTS = [
    "",
    "def one():\n    return 1\n",
    "from pkg.c import two\nimport b\n\nclass K:\n    def one(self):\n        return two()\n",
    "def two():\n    return 2\n\ndef two():\n    return 3\n",
    'import { e } from "./e";\nexport class D { m() { return e(); } }\n',
    "export function e() { return 1; } // TODO: because\n",
    "export default class {\n", // does not parse
    "\0binary",
    "# Title\n\nconstructor __proto__ toString\n",
  ];
  type Step = { readonly do: "write" | "remove" | "rename" | "commit"; readonly at: number; readonly other: number };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom("write", "write", "write", "remove", "rename", "commit"),
    at: fc.nat(NAMES.length - 1),
    other: fc.nat(TEXTS.length - 1),
  });
  const take = (repo: TempRepo, { do: action, at, other }: Step): void => {
    const name = NAMES[at] ?? "";
    const text = TEXTS[other] ?? "";
    if (action === "write") repo.write({ [name]: text });
    else if (action === "commit") repo.commit(`step ${other}`);
    else if (existsSync(join(repo.path, name))) {
      if (action === "rename") repo.write({ [NAMES[other] ?? ""]: readFileSync(join(repo.path, name)) });
      repo.remove(name);
    }
  };
  test("after any edits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          using repo = tempRepo({ "a.py": TEXTS[2] ?? "", "pkg/c.py": TEXTS[3] ?? "" }, { git: true });
          const here = worldOf(repo);
          await runIndex(here);
          for (const steps of rounds) {
            for (const one of steps) take(repo, one);
            await runIndex(here);
          }
          const fresh = worldOf(repo);
          await runIndex(fresh);
          expect(dumpOf(here)).toBe(dumpOf(fresh));
        },
      ),
      { numRuns: 5 },
    );
  });
  test("an unchanged file keeps its ids", async () => {
    using repo = tempRepo(FILES, { git: true });
    const here = worldOf(repo);
    const ids = () => {
      const kb = openKnowledgeBase(here.paths.curated, repo.path);
      const core = kb.files().filter(({ path }) => path === "pkg/core.py");
      const found = [core, kb.symbolsIn(core.map(({ id }) => id))];
      kb.close();
      return found;
    };
    await runIndex(here);
    const before = ids();
    repo.write({ "pkg/util.py": "def other():\n    return 1\n", "a/new.py": "" });
    const summary = await runIndex(here);
    expect(summary.files).toEqual({ added: 1, changed: 1, removed: 0, unchanged: 5 });
    expect(ids()).toEqual(before);
  });
  test("after changed settings or --rebuild", async () => {
    using repo = tempRepo(FILES, { git: true });
    const here = worldOf(repo);
    await runIndex(here, { bytesMax: 60 });
    const changed = await runIndex(here);
    expect(changed.files.added).toBeGreaterThan(0);
    const fresh = worldOf(repo);
    await runIndex(fresh);
    expect(dumpOf(here)).toBe(dumpOf(fresh));
    expect((await runIndex(here, { rebuild: true })).files).toMatchObject({ changed: 6, unchanged: 0 });
    expect(dumpOf(here)).toBe(dumpOf(fresh));
  });
  test("after a lost or damaged parse cache", async () => {
    using repo = tempRepo(FILES, { git: true });
    const here = worldOf(repo);
    await runIndex(here);
    writeFileSync(here.paths.parseCache, "rubbish");
    repo.write({ "b.py": "import pkg.util\n" });
    expect((await runIndex(here)).parsed).toBe(7);
    const fresh = worldOf(repo);
    await runIndex(fresh);
    expect(dumpOf(here)).toBe(dumpOf(fresh));
  });
});

test("a data folder inside the repository is not indexed", async () => {
  using repo = tempRepo({ ...FILES, ".gitignore": "" }, { git: true });
  const here = onOneThread(world(repo.path, join(repo.path, "var/store"), sharedPool()));
  expect((await runIndex(here)).changed).toBe(true);
  expect((await runIndex(here)).changed).toBe(false);
  expect(
    openKnowledgeBase(here.paths.curated, repo.path)
      .files()
      .filter(({ path }) => path.startsWith("var/")),
  ).toEqual([]);
});

describe("damage", () => {
  const spoil: readonly (readonly [string, (path: string) => void])[] = [
    ["text", (path) => writeFileSync(path, "text ".repeat(5_000))],
    ["nothing", (path) => writeFileSync(path, "")],
    ["half a file", (path) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2))],
    ["a page of noise", (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 8192, 12_288))],
  ];
  for (const [name, make] of spoil)
    test(`${name} is moved aside and rebuilt`, async () => {
      using repo = tempRepo(FILES, { git: true });
      const here = worldOf(repo);
      await runIndex(here);
      const good = dumpOf(here);
      make(here.paths.curated);
      const summary = await runIndex(here);
      expect(summary.notices).toMatchObject([{ code: "index-rebuilt", movedTo: `${here.paths.curated}.bad-1` }]);
      expect([summary.parsed, summary.fromCache]).toEqual([0, 6]);
      expect(dumpOf(here)).toBe(good);
      expect(existsSync(`${here.paths.curated}.bad-1`)).toBe(true);
    });
  test("damage found late is repaired too", async () => {
    using repo = tempRepo(FILES);
    const here = inThreads(repo);
    let tries = 0;
    const startWriter: World["deps"]["store"]["startWriter"] = (...all) => {
      if (++tries === 1) throw new Failed({ code: "index-damaged", path: "x", why: "malformed" });
      return here.deps.store.startWriter(...all);
    };
    const summary = await runIndex(withDeps(here, "store", { startWriter }));
    expect(summary.notices).toMatchObject([{ code: "index-rebuilt", why: "malformed" }, { code: "history-missing" }]);
    expect(summary.meta.counts.files).toBe(6);
  });
});

describe("stopping", () => {
  test("before the end keeps the old generation and the parsed files", async () => {
    using repo = tempRepo(FILES, { git: true });
    const here = inThreads(repo);
    await runIndex(onOneThread(here));
    const before = dumpOf(here);
    repo.write({ "b.py": "import pkg.util\n" });
    const stop = new AbortController();
    const stopped = await runIndex(
      here,
      {},
      stop.signal,
      ({ phase }) => phase === "write" && stop.abort(new Error("enough")),
    ).catch((error: unknown) => error);
    expect(stopped).toEqual(new Error("enough"));
    expect(dumpOf(here)).toBe(before);
    const next = await runIndex(onOneThread(here));
    expect([next.parsed, next.fromCache, next.files.added]).toEqual([0, 1, 1]);
  });
  test("a reader during the write sees the old generation", async () => {
    using repo = tempRepo(FILES, { git: true });
    const here = worldOf(repo);
    await runIndex(onOneThread(here));
    repo.write({ "b.py": "import pkg.util\n" });
    const seen: number[] = [];
    const look = (): void => {
      const kb = openKnowledgeBase(here.paths.curated, repo.path);
      seen.push(kb.files().length);
      kb.close();
    };
    const kb = openKnowledgeBase(here.paths.curated, repo.path);
    // On one thread, so that the event arrives before the commit however busy the machine is.
    await runIndex(onOneThread(here), {}, undefined, ({ phase }) => phase === "resolve" && seen.length === 0 && look());
    expect(kb.files().length).toBe(6);
    kb.close();
    look();
    expect(seen).toEqual([6, 7]);
  });
  test("a locked index is waited for and then refused, and indexed once the lock is released", async () => {
    using repo = tempRepo(FILES);
    const here = worldOf(repo);
    const lock = await here.deps.store.takeLock(new AbortController().signal);
    const steps: IndexProgress[] = [];
    const refused = await runIndex(here, {}, undefined, (step) => steps.push(step)).catch((error: unknown) => error);
    expect(refused instanceof Failed ? refused.failure.code : refused).toBe("locked");
    expect(steps).toEqual([{ phase: "wait", done: 0, total: null }]);
    lock.release();
    expect((await runIndex(here)).changed).toBe(true);
  });
});

describe("problems", () => {
  test("an unreadable file is skipped and named, and indexed later", async () => {
    using repo = tempRepo({ "a.py": "", "b.py": "" });
    const here = worldOf(repo);
    const readFile: World["deps"]["workTree"]["readFile"] = (path, bytesMax) =>
      path === "b.py" ? { kind: "problem", why: "permission denied" } : here.deps.workTree.readFile(path, bytesMax);
    const without = withDeps(here, "workTree", { readFile });
    const summary = await runIndex(without);
    expect(summary.problems).toEqual([{ path: "b.py", why: "permission denied" }]);
    expect(summary.skips).toEqual([{ path: "b.py", reason: "unreadable" }]);
    const failed = await runIndex(without, { failFast: true }).catch((error: unknown) => error);
    expect(failed instanceof Failed ? failed.failure : failed).toEqual({
      code: "io",
      message: "permission denied",
      where: "b.py",
      next: "run without --fail-fast, or add the file to .craignore",
    });
    expect((await runIndex(here)).files.added).toBe(1);
  });
  test("a root that is gone for a while leaves the index as it is", async () => {
    using repo = tempRepo({ "a.py": "", "b.py": "" });
    const here = worldOf(repo);
    await runIndex(here);
    const elsewhere = `${repo.path}-elsewhere`;
    renameSync(repo.path, elsewhere);
    const failed = await runIndex(here).catch((error: unknown) => error);
    renameSync(elsewhere, repo.path);
    expect(failed instanceof Failed ? failed.failure : failed).toEqual({
      code: "io",
      message: "the folder cannot be listed: it no longer exists",
      where: repo.path,
    });
    expect((await runIndex(here)).files).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2 });
  });
  test("an unparsable file is indexed as text, and reported at each run", async () => {
    using repo = tempRepo({ "a.py": "def needle(): pass\n" });
    const here = worldOf(repo);
    const parse: World["deps"]["parser"]["parse"] = async (input, signal) => {
      const { facts, stats } = await here.deps.parser.parse({ ...input, language: "text" }, signal);
      return { facts: { ...facts, parsed: false, problem: TOO_MUCH_WORK }, stats };
    };
    const slow = withParser(here, parse);
    for (const changed of [true, false]) {
      const summary = await runIndex(slow);
      expect([summary.changed, summary.problems]).toEqual([changed, [{ path: "a.py", why: TOO_MUCH_WORK }]]);
    }
    const kb = openKnowledgeBase(here.paths.curated, repo.path);
    expect(kb.search("needle", 5).map(({ what, path }) => [what, path])).toEqual([["file", "a.py"]]);
    kb.close();
    repo.write({ "b.py": "x" });
    const failed = await runIndex(slow, { failFast: true }).catch((error: unknown) => error);
    expect(failed instanceof Failed ? failed.failure : failed).toMatchObject({
      code: "io",
      message: TOO_MUCH_WORK,
      where: "b.py",
    });
  });
  test("two files of the same content are parsed once", async () => {
    using repo = tempRepo({ "a.py": "x = 1\n", "b.py": "x = 1\n", "b.md": "x = 1\n" });
    const summary = await runIndex(worldOf(repo));
    expect([summary.parsed, summary.fromCache, summary.meta.counts.files]).toEqual([2, 1, 3]);
  });
});

test("the data folder contains only the documented files", async () => {
  using repo = tempRepo(FILES);
  const here = worldOf(repo);
  await runIndex(here);
  chmodSync(here.paths.curated, 0o600);
  const names = readdirSync(join(here.paths.curated, "..")).filter((name) => !/-(wal|shm)$/.test(name));
  expect(names.sort()).toEqual([
    "curated.sqlite",
    "curated.sqlite.seal",
    "lock.sqlite",
    "lock.sqlite.holder.json",
    "parse-cache-lock.sqlite",
    "parse-cache.sqlite",
    "sessions",
    "stat-cache.sqlite",
  ]);
});
