/** Indexing repositories of every kind, and why history may be missing. */
import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApp } from "../../src/app/app.ts";
import type { IndexSummary } from "../../src/app/indexing/index-repository.ts";
import { flagLayer } from "../../src/config/settings.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { Failed } from "../../src/failure.ts";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { environmentIn } from "../support/environment.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository, writeFiles } from "./fixture.ts";

const home = temporaryFolder();
afterAll(() => home[Symbol.dispose]());

/** What parsing found in the first repository, for all others: starting a parser takes longest. */
const KNOWN = join(home.path, "parse-cache.sqlite");

type Asked = { readonly repo?: string; readonly variables?: Readonly<Record<string, string>> };

/** Indexes from a folder, with git or with a path that has none. */
async function index(cwd: string, { repo, variables = {} }: Asked = {}): Promise<Indexed> {
  const app = await openApp({
    environment: environmentIn(cwd, { HOME: home.path, PATH: Bun.env.PATH, ...variables }),
    repo: repo ?? null,
    flags: [flagLayer(new Map())],
  });
  const cache = join(app.root, ".cra/parse-cache.sqlite");
  if (existsSync(KNOWN) && !existsSync(cache)) {
    mkdirSync(join(app.root, ".cra"), { recursive: true });
    cpSync(KNOWN, cache);
  }
  try {
    const signal = new AbortController().signal;
    const summary = await app.index({ failFast: false, rebuild: false, onProgress: () => undefined }, signal);
    const wanted = { query: "wanted", limit: 100, refresh: false, quick: false, onProgress: () => undefined };
    const files = (await app.search(wanted, signal)).hits.map(({ path }) => path);
    return {
      root: app.root,
      summary,
      files: [...new Set(files)].toSorted(),
      staleness: (await app.status(signal)).stale,
    };
  } finally {
    app.close();
    if (!existsSync(KNOWN) && existsSync(cache)) cpSync(cache, KNOWN);
  }
}

type Indexed = {
  readonly root: string;
  readonly summary: IndexSummary;
  readonly files: readonly string[];
  readonly staleness: string | null;
};

/** The same without settings, a command and threads of its own, which take most of the time of a small run. */
async function indexHere(root: string, variables: Readonly<Record<string, string>> = {}) {
  const environment = { HOME: home.path, PATH: Bun.env.PATH, ...variables };
  const here = onOneThread(world(root, join(root, ".cra"), sharedPool(), environment));
  const summary = await runIndex(here);
  const kb = openKnowledgeBase(here.paths.curated, root);
  const files = kb.search("wanted", 100).map(({ path }) => path);
  kb.close();
  return { summary, files: [...new Set(files)].toSorted() };
}

const TEXT = "the wanted text\n";
const NO_GIT = { variables: { PATH: home.path } };
const dumpOf = (root: string): string => dumpCuratedFile(join(root, ".cra/curated.sqlite"));

test("nested repositories and submodules are skipped and named, or entered on request by their own rules", async () => {
  using inner = temporaryRepository();
  commitFiles(inner.path, { "in.md": TEXT, ".gitignore": "*.tmp.md\n", "kept.tmp.md": TEXT }, "inner", 1000);
  using repo = temporaryRepository();
  const root = repo.path;
  commitFiles(
    root,
    { "out.md": TEXT, ".gitignore": "ignored/\nouter.md\n", ".craignore": "never.md\n" },
    "outer",
    2000,
  );
  git(root, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub"]);
  git(root, ["commit", "--quiet", "-m", "submodule"], 3000);
  git(root, ["clone", "--quiet", inner.path, "deep/nested"]);
  git(root, ["clone", "--quiet", inner.path, "ignored"]);
  git(join(root, "deep/nested"), ["clone", "--quiet", inner.path, "twice"]);
  for (const at of ["sub", "deep/nested"])
    writeFiles(join(root, at), { "new.tmp.md": TEXT, "outer.md": TEXT, "never.md": TEXT });
  writeFiles(root, { ".git/modules/sub/info/exclude": "excluded.md\n", "sub/excluded.md": TEXT });

  const plain = await index(root);
  expect(plain.files).toEqual(["out.md"]);
  expect(plain.summary.skips.filter(({ reason }) => reason === "repository")).toEqual([
    { path: "deep/nested", reason: "repository" },
    { path: "sub", reason: "repository" },
  ]);
  const nested = ["in.md", "kept.tmp.md", "outer.md"];
  const twice = nested.slice(0, 2).map((name) => `deep/nested/twice/${name}`);
  const all = [
    ...nested.map((name) => `deep/nested/${name}`),
    ...twice,
    "out.md",
    ...nested.map((name) => `sub/${name}`),
  ];
  for (const variables of [{}, NO_GIT.variables]) {
    const asked = await index(root, { variables: { ...variables, CRA_INDEX_NESTED: "true" } });
    expect(asked.files).toEqual(all.toSorted());
    expect(asked.staleness).toBeNull();
    expect(asked.summary.meta.counts.commits).toBe(2);
  }
  // As any setting it may stand in the repository's file, and then holds for every later run.
  writeFiles(root, { ".cra.toml": "[index]\nnested = true\n" });
  expect((await index(join(root, "deep"))).files).toEqual(all.toSorted());
  rmSync(join(root, ".cra.toml"));
  expect((await index(root)).files).toEqual(["out.md"]);
});

test("a linked work tree has its own index and does not change the main one", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { "a.md": TEXT }, "c1", 1000);
  using place = temporaryFolder();
  const linked = join(place.path, "linked");
  git(repo.path, ["worktree", "add", "--quiet", "-b", "topic", linked]);
  git(repo.path, ["worktree", "add", "--quiet", "--detach", "inside"]);
  commitFiles(linked, { "b.md": TEXT }, "c2", 2000);
  const main = await indexHere(repo.path);
  expect([main.files, main.summary.meta.counts.commits]).toEqual([["a.md"], 1]);
  const before = readFileSync(join(repo.path, ".cra/curated.sqlite"));
  const other = await index(linked);
  expect([other.root, other.files, other.summary.meta.counts.commits]).toEqual([linked, ["a.md", "b.md"], 2]);
  const inside = await index(join(repo.path, "inside"));
  expect([inside.root, inside.files]).toEqual([join(repo.path, "inside"), ["a.md"]]);
  expect(readFileSync(join(repo.path, ".cra/curated.sqlite"))).toEqual(before);
  expect(await index(repo.path)).toMatchObject({ root: repo.path, summary: { changed: false } });
  expect(git(linked, ["status", "--porcelain"])).toBe("");
});

test("the user's own ignore file applies with and without git", async () => {
  using repo = temporaryRepository({ "a.md": TEXT, "b.md": TEXT, "c.md": TEXT });
  using user = temporaryFolder({ ".config/git/ignore": "a.md\n", mine: "b.md\n" });
  expect((await indexHere(repo.path)).files).toEqual(["a.md", "b.md", "c.md"]);
  for (const variables of [{}, NO_GIT.variables]) {
    rmSync(join(user.path, ".gitconfig"), { force: true });
    expect((await indexHere(repo.path, { ...variables, HOME: user.path })).files).toEqual(["b.md", "c.md"]);
    writeFiles(user.path, { ".gitconfig": "[core]\n\texcludesFile = ~/mine\n" });
    expect((await index(repo.path, { variables: { ...variables, HOME: user.path } })).files).toEqual(["a.md", "c.md"]);
  }
});

test("from a subfolder; a bare repository has nothing to index", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { "a.md": TEXT, "sub/b.md": TEXT }, "c1", 1000);
  expect(await index(join(repo.path, "sub"))).toMatchObject({ root: repo.path, files: ["a.md", "sub/b.md"] });
  expect(existsSync(join(repo.path, "sub/.cra"))).toBe(false);
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--bare", repo.path, "bare"]);
  const bare = join(place.path, "bare");
  for (const asked of [index(bare), index("/", { repo: bare })]) {
    const failure = await asked
      .then(() => null)
      .catch((error: unknown) => (error instanceof Failed ? error.failure : error));
    expect(failure).toEqual({
      code: "no-repository",
      path: bare,
      why: "it is a bare repository, which has no work tree",
    });
  }
  expect(existsSync(join(bare, ".cra"))).toBe(false);
});

test("without a readable history, the index is made with one notice", async () => {
  const broken: readonly (readonly [why: RegExp, breakIt: (root: string) => void])[] = [
    [
      /points to a folder that does not exist/,
      (root) => {
        rmSync(join(root, ".git"), { recursive: true });
        writeFileSync(join(root, ".git"), "gitdir: ../nowhere\n");
      },
    ],
    [/./, (root) => rmSync(join(root, ".git/objects"), { recursive: true })],
    [/./, (root) => writeFileSync(join(root, ".git/HEAD"), "rubbish\n")],
    [
      /reftable|refstorage|unknown repository extension/,
      (root) => {
        git(root, ["config", "core.repositoryFormatVersion", "1"]);
        git(root, ["config", "extensions.refStorage", "reftable"]);
        mkdirSync(join(root, ".git/reftable"));
      },
    ],
    [/not a git repository/, (root) => renameSync(join(root, ".git"), join(root, "elsewhere.git"))],
    [/no commits yet/, (root) => void git(root, ["checkout", "--quiet", "--orphan", "new"])],
  ];
  for (const [why, breakIt] of broken) {
    using repo = temporaryRepository();
    commitFiles(repo.path, { "a.md": TEXT }, "c1", 1000);
    breakIt(repo.path);
    for (const variables of why.source === "." ? [{}, NO_GIT.variables] : [{}]) {
      const { files, summary } = await indexHere(repo.path, variables);
      expect([files, summary.meta.counts.commits]).toEqual([["a.md"], 0]);
      expect(summary.meta.historyProblem).toMatch(why);
      expect(summary.meta.historyProblem).toMatch(/^[^\n]{5,200}$/);
    }
  }
});

test("a folder that becomes a repository, and a completed clone, are read again", async () => {
  using folder = temporaryFolder({ "a.md": TEXT });
  expect((await indexHere(folder.path)).summary.meta.historyProblem).toBe("not a git repository");
  git(folder.path, ["init", "--quiet"]);
  expect((await indexHere(folder.path)).summary.meta.historyProblem).toBe("no commits yet");
  git(folder.path, ["add", "a.md"]);
  git(folder.path, ["commit", "--quiet", "-m", "first"]);
  expect((await indexHere(folder.path)).summary.meta).toMatchObject({ historyProblem: null, counts: { commits: 1 } });

  using origin = temporaryRepository();
  for (const at of [1, 2, 3])
    commitFiles(origin.path, { "a.md": `${TEXT}${at}`, "b.md": `${TEXT}${at}` }, `c${at}`, at * 1000);
  git(folder.path, ["clone", "--quiet", "--depth", "1", `file://${origin.path}`, "clone"]);
  const root = join(folder.path, "clone");
  const counts = async (variables: Readonly<Record<string, string>> = {}): Promise<readonly [boolean, number]> => {
    const { changed, meta } = (await indexHere(root, variables)).summary;
    return [changed, meta.counts.commits];
  };
  expect(await counts()).toEqual([true, 1]);
  const shallow = dumpOf(root);
  git(root, ["fetch", "--quiet", "--unshallow"]);
  expect(await counts(NO_GIT.variables)).toEqual([true, 3]);
  expect(await counts()).toEqual([false, 3]);
  const whole = dumpOf(root);
  git(root, ["fetch", "--quiet", "--depth", "1"]);
  expect(await counts()).toEqual([true, 1]);
  expect(dumpOf(root)).toBe(shallow);
  git(root, ["fetch", "--quiet", "--unshallow"]);
  rmSync(join(root, ".cra"), { recursive: true });
  expect(await counts()).toEqual([true, 3]);
  expect(dumpOf(root)).toBe(whole);
});
