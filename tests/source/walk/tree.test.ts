import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository, writeFiles } from "../fixture.ts";

const pathsOf = (output: string): readonly string[] =>
  [...new Set(output.split("\0").filter((path) => path !== ""))].toSorted();
const trackedIn = (root: string): readonly string[] => pathsOf(git(root, ["ls-files", "-z", "--cached"]));
const unknown = async (): Promise<null> => null;
const listed = async (root: string, tracked: readonly string[] | null = null): Promise<readonly string[]> =>
  (await walkTree(root, { readTracked: async () => tracked })).list().paths;

test("lists files with sizes, sorted, without .git and .cra", async () => {
  using repo = temporaryRepository({
    "b/x.ts": "12345",
    "a.ts": "1",
    "b.ts": "",
    ".cra/curated.sqlite": "x",
    ".hidden": "1",
  });
  const { files, leftOut, problems } = await walkTree(repo.path, { readTracked: unknown });
  expect([...files].map(({ path, sizeBytes }) => ({ path, sizeBytes }))).toEqual([
    { path: ".hidden", sizeBytes: 1 },
    { path: "a.ts", sizeBytes: 1 },
    { path: "b.ts", sizeBytes: 0 },
    { path: "b/x.ts", sizeBytes: 5 },
  ]);
  expect({ leftOut, problems }).toEqual({ leftOut: [], problems: [] });
});

test("a .git of any case is not entered, as git tracks none", async () => {
  using repo = temporaryFolder({ "a.ts": "1", "x/.GIT/config.ts": "1", "z/.Git": "1", "y/.gits/b.ts": "1" });
  expect(await listed(repo.path)).toEqual(["a.ts", "y/.gits/b.ts"]);
});

test("the data folder is not entered, in any place and with any name", async () => {
  using repo = temporaryRepository({ "a.ts": "1", "var/cra/raw.sqlite": "x", "var/other.ts": "1", "cra/b.ts": "1" });
  symlinkSync(join(repo.path, "var"), join(repo.path, "link"));
  const listedWith = async (dataDir: string): Promise<readonly string[]> =>
    (await walkTree(repo.path, { readTracked: async () => ["var/cra/raw.sqlite"], dataDir })).list().paths;
  for (const dataDir of [join(repo.path, "var/cra"), join(repo.path, "link/cra"), `${repo.path}/cra/../var/cra/`])
    expect(await listedWith(dataDir)).toEqual(["a.ts", "cra/b.ts", "var/other.ts"]);
  for (const dataDir of [repo.path, join(repo.path, "none"), "/"])
    expect(await listedWith(dataDir)).toEqual(["a.ts", "cra/b.ts", "var/cra/raw.sqlite", "var/other.ts"]);
});

test("links, pipes, nested repositories and names that are not UTF-8 are left out and named", async () => {
  using outside = temporaryFolder({ "secret.txt": "1" });
  using repo = temporaryRepository({ "a.ts": "1", "nested/file.ts": "1" });
  git(join(repo.path, "nested"), ["init", "--quiet"]);
  symlinkSync(join(outside.path, "secret.txt"), join(repo.path, "link.txt"));
  symlinkSync(repo.path, join(repo.path, "loop"));
  symlinkSync("nowhere", join(repo.path, "dangling"));
  Bun.spawnSync(["mkfifo", join(repo.path, "pipe")]);
  writeFileSync(Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0x66, 0xff])]), "1");
  const { files, leftOut, problems } = await walkTree(repo.path, { readTracked: unknown });
  expect([...files].map((file) => file.path)).toEqual(["a.ts"]);
  expect(leftOut).toEqual([
    { path: "dangling", reason: "link" },
    { path: "f\u{fffd}", reason: "name" },
    { path: "link.txt", reason: "link" },
    { path: "loop", reason: "link" },
    { path: "nested", reason: "repository" },
    { path: "pipe", reason: "special" },
  ]);
  expect(problems).toEqual([]);
});

test("an unreadable folder is one problem, and the walk goes on", async () => {
  using repo = temporaryFolder({ "a.ts": "1", "closed/b.ts": "1", "z.ts": "1" });
  chmodSync(join(repo.path, "closed"), 0o000);
  const canRead = ((): boolean => {
    try {
      return readdirSync(join(repo.path, "closed")).length > 0;
    } catch {
      return false;
    }
  })();
  const { files, leftOut, problems } = await walkTree(repo.path, { readTracked: unknown });
  chmodSync(join(repo.path, "closed"), 0o755);
  // The superuser may read everything; then there is nothing to report.
  expect(problems).toEqual(canRead ? [] : [{ path: "closed", why: "permission denied" }]);
  expect(leftOut).toEqual(canRead ? [] : [{ path: "closed", reason: "unreadable" }]);
  expect([...files].map((file) => file.path)).toEqual(canRead ? ["a.ts", "closed/b.ts", "z.ts"] : ["a.ts", "z.ts"]);
});

test("a folder that cannot be listed is left out by name", async () => {
  using repo = temporaryFolder({ "a.ts": "1", "other/b.ts": "1" });
  const onFiles = (): void => {
    rmSync(join(repo.path, "other"), { recursive: true, force: true });
    writeFileSync(join(repo.path, "other"), "a file by now");
  };
  const { leftOut, problems } = await walkTree(repo.path, { readTracked: unknown, onFiles });
  expect(problems).toMatchObject([{ path: "other" }]);
  expect(leftOut).toEqual([{ path: "other", reason: "unreadable" }]);
});

test("a root that does not exist is a problem, not an exception", async () => {
  expect(await walkTree("/nonexistent-root", { readTracked: unknown })).toMatchObject({
    packed: { paths: new Uint8Array() },
    leftOut: [],
    problems: [{ path: ".", why: "it no longer exists" }],
  });
});

test("ignore files: the nearest wins, .craignore over all, exclude last", async () => {
  using repo = temporaryRepository({
    ".gitignore": "*.log\nbuild/\n/top\n",
    ".craignore": "docs/\n!wanted.log\ntracked.ts\n",
    "sub/.gitignore": "!keep.log\n!build/\n",
    "sub/.craignore": "no.ts\n",
    ".git/info/exclude": "excluded\n*.kept\n",
    "x/.gitignore": "!a.kept\n",
    "a.log": "",
    "wanted.log": "",
    "docs/d.md": "",
    "build/b.ts": "",
    top: "",
    "sub/top": "",
    "sub/keep.log": "",
    "sub/other.log": "",
    "sub/build/c.ts": "",
    "sub/no.ts": "",
    excluded: "",
    "x/a.kept": "",
    "x/b.kept": "",
    "tracked.ts": "",
  });
  expect((await listed(repo.path, ["tracked.ts"])).filter((path) => !path.endsWith("ignore"))).toEqual([
    "sub/build/c.ts",
    "sub/keep.log",
    "sub/top",
    "wanted.log",
    "x/a.kept",
  ]);
});

test("tracked files count even if ignored", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { ".gitignore": "build/\n*.gen\n", "build/deep/kept.ts": "1", "a.gen": "1" });
  writeFiles(repo.path, { "build/deep/new.ts": "1", "build/new.ts": "1", "b.gen": "1" });
  expect(await listed(repo.path, trackedIn(repo.path))).toEqual([".gitignore", "a.gen", "build/deep/kept.ts"]);
  expect(await listed(repo.path)).toEqual([".gitignore"]);
});

test("what Python tools install or write is vendored, but tracked files in it count", async () => {
  using repo = temporaryRepository({
    "a.py": "",
    "env/settings.py": "",
    "tools/venv/mine.py": "",
    "pkg/__pycache__/a.txt": "",
    "pkg.egg-info/PKG-INFO": "",
    "lib/site-packages/x/y.py": "",
    ...Object.fromEntries(
      ["venv", ".venv", "services/env"].flatMap((folder) => [
        [`${folder}/pyvenv.cfg`, "home = /usr/bin"],
        [`${folder}/lib/x.py`, ""],
        [`${folder}/kept.py`, ""],
      ]),
    ),
  });
  const { files, leftOut } = await walkTree(repo.path, { readTracked: async () => ["venv/kept.py", "a.py"] });
  expect([...files].map(({ path }) => path)).toEqual(["a.py", "env/settings.py", "tools/venv/mine.py", "venv/kept.py"]);
  expect(leftOut).toEqual(
    [".venv", "lib/site-packages", "pkg.egg-info", "pkg/__pycache__", "services/env"].map((path) => ({
      path,
      reason: "vendored",
    })),
  );
  expect((await walkTree(join(repo.path, "services"), { readTracked: unknown })).leftOut).toEqual([
    { path: "env", reason: "vendored" },
  ]);
});

test("a folder venv at the root is one even without its marker, unless it is a package or tracked", async () => {
  using bare = temporaryRepository({ "a.py": "", "venv/lib/x.py": "" });
  expect(await listed(bare.path, ["a.py"])).toEqual(["a.py"]);
  expect(await listed(bare.path, ["a.py", "venv/lib/x.py"])).toEqual(["a.py", "venv/lib/x.py"]);
  using sources = temporaryRepository({ "venv/__init__.py": "", "venv/lib/x.py": "" });
  expect(await listed(sources.path)).toEqual(["venv/__init__.py", "venv/lib/x.py"]);
});

test("an ignore file that is a link is not read", async () => {
  using outside = temporaryFolder({ rules: "*" });
  using repo = temporaryRepository({ "a.ts": "" });
  symlinkSync(join(outside.path, "rules"), join(repo.path, ".gitignore"));
  expect(await listed(repo.path)).toEqual(["a.ts"]);
});

test("deep and many folders; progress; stopping", async () => {
  using repo = temporaryFolder();
  const deep = Array.from({ length: 60 }, () => "d").join("/");
  writeFiles(repo.path, { [`${deep}/x.ts`]: "1" });
  mkdirSync(join(repo.path, "many"));
  for (let at = 0; at < 700; at++) writeFileSync(join(repo.path, `many/${at}.ts`), "");
  const seen: number[] = [];
  const { files } = await walkTree(repo.path, { readTracked: unknown, onProgress: (count) => seen.push(count) });
  expect([...files]).toHaveLength(701);
  expect(seen.at(-1)).toBe(701);
  expect(seen.length).toBeGreaterThan(1);
  const reason = new Error("stop");
  expect(walkTree(repo.path, { readTracked: unknown, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
