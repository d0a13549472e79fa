/** Work trees, partial and sparse clones: what is read of them, and what is said of what they lack. */
import { expect, test } from "bun:test";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openRevisions } from "../../src/source/revisions/open-revisions.ts";
import type { RevisionReader } from "../../src/source/revisions/revisions.ts";
import { builtinRevisions } from "../../src/source/revisions/revisions-builtin.ts";
import { gitRevisions } from "../../src/source/revisions/revisions-git.ts";
import { type DiffOptions, workTreeChanges } from "../../src/source/revisions/work-tree-diff.ts";
import { environment, gitFilesOf } from "./both-readers.ts";
import { commitFiles, type Folder, git, temporaryFolder, writeFiles } from "./fixture.ts";

const { signal } = new AbortController();
const READERS = [gitRevisions(Bun.which("git") ?? "", environment), builtinRevisions];
/** Git refuses to list what is missing, so the built-in reader answers for it. */
const PARTIAL_READERS = [openRevisions(environment), builtinRevisions];

/** A repository with two commits, cloned with `options`. The clone's own path is its last part. */
function cloned(into: Folder, options: readonly string[], format = "sha1"): string {
  using source = temporaryFolder();
  git(source.path, ["init", "--quiet", "--initial-branch=main", `--object-format=${format}`]);
  commitFiles(source.path, { "a.py": "x = 1\n", "docs/b.md": "one\n" });
  commitFiles(source.path, { "a.py": "x = 2\n", "docs/b.md": "two\n" });
  git(source.path, ["config", "uploadpack.allowFilter", "true"]);
  git(into.path, ["clone", "--quiet", ...options, `file://${source.path}`, "clone"]);
  return realpathSync(join(into.path, "clone"));
}

test("a partial clone fetches nothing, and its changes say which content is missing", async () => {
  using folder = temporaryFolder();
  const root = cloned(folder, ["--filter=blob:none"]);
  const before = gitFilesOf(root);
  for (const reader of PARTIAL_READERS) {
    const found = await workTreeChanges(reader, root, { diff: "HEAD~1", since: null }, [], signal);
    if (found.kind !== "changes") throw new Error(JSON.stringify(found));
    const { files } = found;
    expect(files.map(({ path, lines, patches }) => [path, lines, patches.map(({ unread }) => unread)])).toEqual([
      ["a.py", null, ["missing"]],
      ["docs/b.md", null, ["missing"]],
    ]);
  }
  expect(gitFilesOf(root)).toEqual(before);
});

/** A sparse checkout without `docs`, whose index has one of the forms, and what the built-in reader says of it. */
const SPARSE: readonly (readonly [form: string, format: string, words: readonly string[], why: string | null])[] = [
  ["one entry a file", "sha1", ["update-index", "--refresh"], null],
  ["version 4", "sha1", ["update-index", "--index-version=4"], null],
  [
    "one entry a folder",
    "sha1",
    ["sparse-checkout", "reapply", "--sparse-index"],
    "only git can read its index (split or sparse)",
  ],
  ["split", "sha1", ["update-index", "--split-index"], "only git can read its index (split or sparse)"],
  ["SHA-256", "sha256", ["update-index", "--refresh"], "only git can read its objects (SHA-256)"],
];

test.each(SPARSE)(
  "files that a sparse checkout leaves out have not changed; index: %s",
  async (_, format, words, why) => {
    using folder = temporaryFolder();
    const root = cloned(folder, ["--sparse"], format);
    git(root, words);
    writeFiles(root, { "a.py": "x = 3\n" });
    for (const reader of READERS) {
      const found = await workTreeChanges(reader, root, { diff: "HEAD", since: null }, [], signal);
      if (why !== null && reader.name === "builtin") expect(found).toEqual({ kind: "problem", why });
      else
        expect(found.kind === "changes" && found.files.map(({ path, kind }) => [path, kind])).toEqual([
          ["a.py", "modified"],
        ]);
    }
  },
);

test("an index that only git can read hides no change: of commits, and of a whole checkout", async () => {
  using folder = temporaryFolder();
  const root = cloned(folder, ["--sparse"]);
  const changed = async (reader: RevisionReader, options: DiffOptions): Promise<unknown> => {
    const found = await workTreeChanges(reader, root, options, [], signal);
    return found.kind === "changes" ? found.files.map(({ path, kind }) => `${kind} ${path}`) : found;
  };
  git(root, ["sparse-checkout", "reapply", "--sparse-index"]);
  for (const reader of READERS)
    expect(await changed(reader, { diff: null, since: "HEAD~1" })).toEqual(["modified a.py", "modified docs/b.md"]);
  git(root, ["sparse-checkout", "disable"]);
  git(root, ["update-index", "--split-index"]);
  rmSync(join(root, "docs/b.md"));
  for (const reader of READERS)
    expect(await changed(reader, { diff: "HEAD", since: null })).toEqual(["deleted docs/b.md"]);
});

/** Git reads refs in tables since version 2.45. */
const HAS_REFTABLE = Bun.semver.order(/\d+\.\d+\.\d+/.exec(git("/", ["--version"]))?.[0] ?? "0.0.0", "2.45.0") >= 0;

test.skipIf(!HAS_REFTABLE)("refs in tables, of the repository and of a submodule", async () => {
  using folder = temporaryFolder();
  const root = cloned(folder, ["--ref-format=reftable"]);
  expect(existsSync(join(root, ".git/reftable"))).toBe(true);
  git(root, ["clone", "--quiet", "--ref-format=reftable", root, "sub"]);
  git(root, ["add", "sub"]);
  git(root, ["commit", "--quiet", "-m", "submodule"]);
  git(join(root, "sub"), ["checkout", "--quiet", "HEAD~1"]);
  const options = { diff: "HEAD~1", since: null };
  const found = await workTreeChanges(openRevisions(environment), root, options, [], signal);
  expect(found.kind === "changes" && found.files.map(({ path, kind }) => [path, kind])).toEqual([["sub", "added"]]);
  const own = await workTreeChanges(openRevisions(environment), root, { diff: "HEAD", since: null }, [], signal);
  expect(own.kind === "changes" && own.files.map(({ path, kind }) => [path, kind])).toEqual([["sub", "modified"]]);
  expect(await workTreeChanges(builtinRevisions, root, options, [], signal)).toEqual({
    kind: "problem",
    why: "only git can read its refs (reftable)",
  });
});

test("a linked work tree has its own changes", async () => {
  using folder = temporaryFolder();
  const root = cloned(folder, []);
  git(root, ["worktree", "add", "--quiet", "../linked", "HEAD~1"]);
  const linked = realpathSync(join(folder.path, "linked"));
  writeFiles(linked, { "a.py": "x = 9\n" });
  for (const reader of READERS) {
    const own = await workTreeChanges(reader, linked, { diff: "HEAD", since: null }, [], signal);
    const main = await workTreeChanges(reader, root, { diff: "HEAD", since: null }, [], signal);
    expect(own.kind === "changes" && own.files.map(({ path }) => path)).toEqual(["a.py"]);
    expect(main.kind === "changes" && main.files).toEqual([]);
  }
});
