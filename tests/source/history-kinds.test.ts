import { afterAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { builtinRevisions } from "../../src/source/revisions/revisions-builtin.ts";
import { builtin, byGit, filesOf, readBoth } from "./both-readers.ts";
import { commitFiles, commitObject, type Folder, git, temporaryFolder, temporaryRepository } from "./fixture.ts";

/** Some commits, a second branch, a merge. */
function ordinary(): Folder {
  const repo = temporaryFolder();
  cpSync(original.path, repo.path, { recursive: true, preserveTimestamps: true });
  git(repo.path, ["update-index", "--refresh"]);
  return repo;
}

/** Making it starts git so often that it is copied. */
const original = make();
afterAll(() => original[Symbol.dispose]());
function make(): Folder {
  const repo = temporaryRepository();
  commitFiles(repo.path, { "a.ts": "1", "lib/b.ts": "2", "lib/deep/c.ts": "3" }, "first", 1000);
  commitFiles(repo.path, { "a.ts": "2" }, "second", 2000);
  git(repo.path, ["checkout", "--quiet", "-b", "side", "HEAD~1"]);
  commitFiles(repo.path, { "side.ts": "1", "lib/b.ts": "3" }, "side", 2500);
  git(repo.path, ["checkout", "--quiet", "main"]);
  git(repo.path, ["merge", "--quiet", "--no-ff", "-m", "merge", "side"], 3000);
  rmSync(join(repo.path, "lib/deep"), { recursive: true });
  commitFiles(repo.path, {}, "less", 4000);
  return repo;
}

const ROWS = [["lib/deep/c.ts"], [], ["lib/b.ts", "side.ts"], ["a.ts"], ["a.ts", "lib/b.ts", "lib/deep/c.ts"]];

/** What is done to the ordinary repository; the rows stay. */
const KINDS: readonly (readonly [name: string, change: (root: string) => void])[] = [
  ["as it is", () => undefined],
  ["packed, refs too", (root) => void git(root, ["gc", "--quiet", "--aggressive", "--prune=now"])],
  [
    "several packs and loose objects",
    (root) => {
      git(root, ["pack-objects", "--quiet", ".git/objects/pack/pack"], 0, `${git(root, ["rev-list", "side"])}`);
      git(root, ["pack-objects", "--quiet", "--revs", ".git/objects/pack/pack"], 0, "main~1\n");
      git(root, ["prune-packed"]);
      expect(readdirSync(join(root, ".git/objects/pack")).filter((name) => name.endsWith(".pack"))).toHaveLength(2);
    },
  ],
  [
    "a commit graph and a bitmap over several packs",
    (root) => {
      git(root, ["repack", "--quiet", "-a", "-d", "--write-midx", "--write-bitmap-index"]);
      git(root, ["commit-graph", "write", "--reachable", "--changed-paths"]);
    },
  ],
  ["a detached HEAD", (root) => void git(root, ["checkout", "--quiet", "--detach"])],
  ["a branch with a slash, packed", (root) => void git(root, ["branch", "-m", "main", "feature/ü"])],
  [
    "a branch that is another's name",
    (root) => {
      git(root, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
      git(root, ["symbolic-ref", "HEAD", "refs/heads/alias"]);
    },
  ],
  ["index version 4", (root) => void git(root, ["update-index", "--index-version=4"])],
  ["an index without a checksum", (root) => void git(root, ["-c", "index.skipHash=true", "add", "--all"])],
  [
    "an untracked cache and intent to add",
    (root) => {
      git(root, ["update-index", "--force-untracked-cache"]);
      writeFileSync(join(root, "soon"), "");
      git(root, ["add", "--intent-to-add", "soon"]);
    },
  ],
  ["a sparse checkout", (root) => void git(root, ["sparse-checkout", "set", "--no-cone", "/a.ts"])],
  [
    "replaced commits and grafts, which count for nothing",
    (root) => {
      git(root, ["replace", "HEAD", "HEAD~1"]);
      git(root, ["replace", "--graft", "HEAD~1"]);
      writeFileSync(join(root, ".git/info/grafts"), `${git(root, ["--no-replace-objects", "rev-parse", "HEAD"])}`);
    },
  ],
  [
    "notes, tags and stashes",
    (root) => {
      git(root, ["tag", "-a", "v1", "-m", "tag"]);
      git(root, ["notes", "add", "-m", "note"]);
      writeFileSync(join(root, "a.ts"), "stashed");
      git(root, ["stash"]);
    },
  ],
  [
    "a .git that is a link",
    (root) => {
      renameSync(join(root, ".git"), join(root, "elsewhere.git"));
      symlinkSync("elsewhere.git", join(root, ".git"));
    },
  ],
  [
    "a .git elsewhere",
    (root) => {
      renameSync(join(root, ".git"), join(root, "elsewhere.git"));
      writeFileSync(join(root, ".git"), "gitdir: elsewhere.git\r\n");
    },
  ],
  [
    "alternates that lead nowhere",
    (root) => void appendFileSync(join(root, ".git/objects/info/alternates"), "/nowhere\n"),
  ],
  [
    "configuration of its own for each work tree",
    (root) => {
      git(root, ["config", "extensions.worktreeConfig", "true"]);
      git(root, ["config", "--worktree", "core.worktree", "/"]);
      git(root, ["config", "--worktree", "core.bare", "true"]);
    },
  ],
];

for (const [name, change] of KINDS)
  test(`equal rows: ${name}`, async () => {
    using repo = ordinary();
    change(repo.path);
    const history = await readBoth(repo.path);
    expect(filesOf(history)).toEqual(ROWS);
    expect(history.problem).toBeNull();
    const listed = git(repo.path, ["--work-tree=.", "ls-files", "-z", "--cached"]).split("\0");
    expect(history.tracked).toEqual(listed.filter((path) => path !== "").toSorted());
  });

test("an octopus, criss-cross merges, several roots, a commit with one parent twice", async () => {
  using repo = ordinary();
  const [root] = [repo.path];
  for (const name of ["x", "y", "z"]) {
    git(root, ["checkout", "--quiet", "-b", name, "main"]);
    commitFiles(root, { [name]: "1" }, name, 5000);
  }
  git(root, ["merge", "--quiet", "-m", "octopus", "x", "y"], 6000);
  git(root, ["checkout", "--quiet", "x"]);
  git(root, ["merge", "--quiet", "-m", "cross", "y"], 5500);
  git(root, ["checkout", "--quiet", "--orphan", "other"]);
  commitFiles(root, { other: "1" }, "other root", 5200);
  git(root, ["merge", "--quiet", "--allow-unrelated-histories", "-s", "ours", "-m", "all", "x", "z"], 7000);
  const [tree, head] = [git(root, ["rev-parse", "HEAD^{tree}"]).trim(), git(root, ["rev-parse", "HEAD"]).trim()];
  const person = "A <a@b> 8000 +0000";
  commitObject(root, `tree ${tree}\nparent ${head}\nparent ${head}\nauthor ${person}\ncommitter ${person}\n\ntwice\n`);
  const { commits } = await readBoth(root);
  expect(commits).toHaveLength(13);
  expect(commits.filter(({ files }) => files.length === 0).map(({ message }) => message)).toEqual([
    "twice",
    "all",
    "octopus",
    "cross",
    "merge",
  ]);
});

test("links, modes, copies, folders for files, submodule entries, and back", async () => {
  using repo = temporaryRepository();
  const [root] = [repo.path];
  const hash = commitFiles(root, { a: "text", b: "1" }, "1", 1000);
  commitFiles(root, { copy: "text" }, "2", 2000);
  symlinkSync("a", join(root, "link"));
  commitFiles(root, {}, "3", 3000);
  rmSync(join(root, "link"));
  commitFiles(root, { "link/inside": "1" }, "4", 4000);
  chmodSync(join(root, "b"), 0o755);
  commitFiles(root, {}, "5", 5000);
  const gitlink = (path: string): string =>
    git(root, ["update-index", "--add", "--cacheinfo", `160000,${hash},${path}`]);
  git(root, ["rm", "--quiet", "--cached", "b"]);
  gitlink("b");
  gitlink("sub/module");
  git(root, ["commit", "--quiet", "-m", "6"], 6000);
  git(root, ["rm", "--quiet", "--cached", "sub/module"]);
  git(root, [
    "update-index",
    "--add",
    "--cacheinfo",
    `100644,${git(root, ["hash-object", "-w", "a"]).trim()},sub/module`,
  ]);
  git(root, ["commit", "--quiet", "-m", "7"], 7000);
  expect(filesOf(await readBoth(root))).toEqual([
    ["sub/module"],
    ["b"],
    ["b"],
    ["link", "link/inside"],
    ["link"],
    ["copy"],
    ["a", "b"],
  ]);
});

test("commits written by other programs", async () => {
  using repo = temporaryRepository();
  const [root] = [repo.path];
  const first = commitFiles(root, { a: "1" }, "first", 1000);
  const tree = git(root, ["rev-parse", "HEAD^{tree}"]).trim();
  const person = (time: string | number): string => `A <a@b> ${time} +0000`;
  let parent = first;
  const add = (author: string, committer: string, rest: string | Buffer): void => {
    const head = `tree ${tree}\nparent ${parent}\nauthor ${author}\ncommitter ${committer}\n`;
    parent = commitObject(root, Buffer.concat([Buffer.from(head), Buffer.from(rest)]));
  };
  add(person(1), person(-5), "\nbefore 1970\n");
  add(person(1), person("99999999999999999999"), "\nfar away\n");
  add(person(1), person(17_179_869_190), "\nas long as 34 bits\n");
  add(person(1), person("5000 -99999"), "\nodd zone\n");
  add(person(1), "A <a@b>", "\nno time\n");
  add(person(1), "A <a@b> soon", "\nno number\n");
  add("<a@b> 1 +0000", person(5001), "\nno name\n");
  add("A B <<a@b>> 1 +0000", person(5002), "\nodd mail\n");
  add("  spaces   inside  <a@b> 1 +0000", person(5003), "\nspaces\n");
  add("nobody", person(5004), "\nno mail\n");
  add(person(1), person(5005), `gpgsig -----BEGIN\n parent ${"0".repeat(40)}\n tree x\n \n -----END\n\nsigned\n`);
  add(person(1), person(5006), `mergetag object ${first}\n type commit\n encoding x\n\nwith a merge tag\n`);
  add(person(1), person(5007), Buffer.from("encoding ISO-8859-1\n\ncaf\xe9 \x80\n", "latin1"));
  add(person(1), person(5008), Buffer.from("encoding nonsense\n\nna\xc3\xafve \xff\n", "latin1"));
  add(person(1), person(5009), Buffer.from(Array.from({ length: 256 }, (_, at) => at || 10).map((byte) => byte)));
  add(person(1), person(5010), `\n${"long line ".repeat(50_000)}\n\n${"line\n".repeat(20_000)}`);
  add(person(1), person(5011), "\nbefore\0after\n");
  add(person(1), person(5012), "\n\r\n\r\nCRLF\r\n");
  add(person(1), person(5013), "\n");
  add(person(1), person(5014), "\n\x1b[31mred\x1b[0m\n");
  const { commits } = await readBoth(root);
  expect(commits.map((commit) => [commit.timestamp, commit.author, commit.message.slice(0, 14)])).toEqual([
    [5014, "A", "\x1b[31mred\x1b[0m"],
    [5013, "A", ""],
    [5012, "A", "CRLF"],
    [5011, "A", "before"],
    [5010, "A", "long line long"],
    [5009, "A", String.fromCharCode(...Array.from({ length: 14 }, (_, at) => at + 1))],
    [5008, "A", "na\u00efve \u{fffd}"],
    [5007, "A", "caf\u00e9 \u20ac"],
    [5006, "A", "with a merge t"],
    [5005, "A", "signed"],
    [5004, "", "no mail"],
    [5003, "spaces   inside", "spaces"],
    [5002, "A B", "odd mail"],
    [5001, "", "no name"],
    [5000, "A", "odd zone"],
    [1000, "Ada L\u00f6ve", "first"],
    ...commits.slice(-5).map(({ message }) => [0, "A", message.slice(0, 14)]),
  ]);
  expect(new Set(commits.slice(-5).map(({ message }) => message))).toEqual(
    new Set(["before 1970", "far away", "as long as 34 bits", "no time", "no number"]),
  );
});

test("many commits of one second, and of a few seconds", async () => {
  using repo = temporaryRepository();
  const stream = Array.from(
    { length: 300 },
    (_, at) =>
      `commit refs/heads/main\nmark :${at + 1}\ncommitter A <a@b> ${1000 + (at % 3)} +0000\ndata 1\nm\n${at > 20 ? `merge :${at - 7}\n` : ""}M 644 inline f${at % 50}\ndata ${String(at).length}\n${at}\n`,
  );
  git(repo.path, ["fast-import", "--quiet"], 0, stream.join(""));
  git(repo.path, ["reset", "--quiet", "--hard"]);
  expect((await readBoth(repo.path)).commits).toHaveLength(300);
});

test("odd names on branches, files and remotes", async () => {
  using repo = temporaryRepository();
  const [root] = [repo.path];
  const names = [
    " a ",
    "'q'",
    '"',
    "n\nl",
    "t\tb",
    "\u001b[31m",
    "\\",
    "é",
    "e\u0301",
    "*",
    "[x]",
    ":(top)",
    "#",
    "CON",
    "~",
    "\u{1f600}",
    "\u202e",
  ];
  commitFiles(root, Object.fromEntries(names.map((name) => [`d ${name}/f ${name}`, "1"])), "names", 1000);
  for (const bytes of ["\xff", "\xc3(", "\xed\xa0\x80"])
    writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from(bytes, "latin1")]), bytes);
  commitFiles(root, { last: "1" }, "not UTF-8", 2000);
  writeFileSync(
    join(root, ".git/config"),
    '[remote "b"]\n\turl = https://example.org/b.git\n[Remote "a.b \\"c\\\\"] URL = "https://example.org/" x ; no\n\turl=\\\nhttps://example.org/second\n[core]\nbare\n',
    { flag: "a" },
  );
  const history = await readBoth(root);
  expect(filesOf(history)).toEqual([["last"], names.map((name) => `d ${name}/f ${name}`).toSorted()]);
  expect(history.remoteUrl).toBe("https://example.org/ x");
});

test("a shallow clone, deepened, made shallow again, and completed", async () => {
  using repo = ordinary();
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--depth", "3", `file://${repo.path}`, "there"]);
  const root = join(place.path, "there");
  const shallow = await readBoth(root);
  expect(filesOf(shallow)).toEqual([["lib/deep/c.ts"], [], [], []]);
  const known = new Map(shallow.commits.map((commit) => [commit.hash, commit]));
  git(root, ["fetch", "--quiet", "--unshallow"]);
  const whole = await readBoth(root);
  expect(filesOf(whole)).toEqual(ROWS);
  expect([shallow.shallow === null, whole.shallow, shallow.head === whole.head]).toEqual([false, null, true]);
  git(root, ["fetch", "--quiet", "--depth", "1"]);
  const cut = await readBoth(root);
  expect(filesOf(cut)).toEqual([[]]);
  const knownWhole = new Map(whole.commits.map((commit) => [commit.hash, commit]));
  for (const reader of [byGit, builtin]) {
    expect(await reader.readHistory(root, { commitsMax: 10, known: knownWhole })).toEqual(cut);
    expect((await reader.readHistory(repo.path, { commitsMax: 10, known })).commits).toEqual(whole.commits);
  }
});

test("a clone without blobs has its history; one without trees says what is missing; nothing is fetched", async () => {
  using repo = ordinary();
  git(repo.path, ["config", "uploadpack.allowFilter", "true"]);
  using place = temporaryFolder();
  const clone = (filter: string): string => {
    git(place.path, ["clone", "--quiet", "--no-checkout", `--filter=${filter}`, `file://${repo.path}`, filter]);
    return join(place.path, filter);
  };
  expect(filesOf(await readBoth(clone("blob:none")))).toEqual(ROWS);
  const root = clone("tree:0");
  for (const reader of [byGit, builtin]) {
    const { commits, problem } = await reader.readHistory(root, { commitsMax: 10 });
    expect(commits).toEqual([]);
    expect(problem).toBe(
      "this partial clone lacks objects of earlier commits; git fetch --refetch --filter=blob:none fetches them",
    );
  }
});

test("what only git can read is reported by the built-in reader", async () => {
  using place = temporaryFolder();
  using repo = ordinary();
  const only = async (root: string, why: string): Promise<void> => {
    const history = await byGit.readHistory(root, { commitsMax: 10 });
    expect(filesOf(history)).toEqual(ROWS);
    const other = await builtin.readHistory(root, { commitsMax: 10 });
    expect([other.commits, other.problem]).toEqual([[], why]);
  };
  git(place.path, ["clone", "--quiet", "--shared", repo.path, "shared"]);
  const elsewhere = "only git can read its objects (some are in another repository)";
  await only(join(place.path, "shared"), elsewhere);
  expect(await builtinRevisions.commit(join(place.path, "shared"), "main", new AbortController().signal)).toEqual({
    kind: "problem",
    why: elsewhere,
  });
  for (const setting of ["core.splitIndex", "index.sparse"]) {
    git(repo.path, ["config", setting, "true"]);
    if (setting === "index.sparse") git(repo.path, ["sparse-checkout", "set", "--cone", "--sparse-index", "none"]);
    else git(repo.path, ["update-index", "--split-index"]);
    const [one, two] = [
      await byGit.readHistory(repo.path, { commitsMax: 9 }),
      await builtin.readHistory(repo.path, { commitsMax: 9 }),
    ];
    expect(one.tracked).toEqual(["a.ts", "lib/b.ts", "side.ts"]);
    expect(two).toEqual({ ...one, tracked: null });
    git(repo.path, ["config", "--unset", setting]);
    git(repo.path, ["update-index", "--no-split-index"]);
  }
  mkdirSync(join(repo.path, ".git/reftable"));
  expect((await builtin.readHistory(repo.path, { commitsMax: 10 })).problem).toBe(
    "only git can read its refs (reftable)",
  );
});

test("where nobody can read refs, what is tracked is known all the same", async () => {
  using repo = ordinary();
  git(repo.path, ["config", "core.repositoryFormatVersion", "1"]);
  git(repo.path, ["config", "extensions.fromTheFuture", "yes"]);
  mkdirSync(join(repo.path, ".git/reftable"));
  const { commits, problem, tracked } = await byGit.readHistory(repo.path, { commitsMax: 10 });
  expect([commits, tracked]).toEqual([[], ["a.ts", "lib/b.ts", "side.ts"]]);
  expect(problem).toContain("fromthefuture");
});
