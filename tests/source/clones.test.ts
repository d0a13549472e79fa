/** Work trees, partial and sparse clones: what is read of them, and what is said of what they lack. */
import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { openRevisions } from "../../src/source/revisions/open-revisions.ts";
import { builtinRevisions } from "../../src/source/revisions/revisions-builtin.ts";
import { gitRevisions } from "../../src/source/revisions/revisions-git.ts";
import { workTreeChanges } from "../../src/source/revisions/work-tree-diff.ts";
import { environment, gitFilesOf } from "./both-readers.ts";
import { commitFiles, type Folder, git, temporaryFolder, temporaryRepository, writeFiles } from "./fixture.ts";

const { signal } = new AbortController();
const READERS = [gitRevisions(Bun.which("git") ?? "", environment), builtinRevisions];
/** Git refuses to list what is missing, so the built-in reader answers for it. */
const PARTIAL_READERS = [openRevisions(environment), builtinRevisions];

/** A repository with two commits, cloned with `options`. The clone's own path is its last part. */
function cloned(into: Folder, options: readonly string[]): string {
  using source = temporaryRepository();
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

test("files that a sparse checkout leaves out have not changed", async () => {
  using folder = temporaryFolder();
  const root = cloned(folder, ["--sparse"]);
  writeFiles(root, { "a.py": "x = 3\n" });
  for (const reader of READERS) {
    const found = await workTreeChanges(reader, root, { diff: "HEAD", since: null }, [], signal);
    expect(found.kind === "changes" && found.files.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.py", "modified"],
    ]);
  }
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
