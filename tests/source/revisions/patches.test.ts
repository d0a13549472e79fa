/** The unified diff of a work tree is the one that git prints, for every kind of change. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { RevisionReader } from "../../../src/source/revisions/revisions.ts";
import { builtinRevisions } from "../../../src/source/revisions/revisions-builtin.ts";
import { gitRevisions } from "../../../src/source/revisions/revisions-git.ts";
import { type DiffOptions, workTreeChanges } from "../../../src/source/revisions/work-tree-diff.ts";
import { patchText } from "../../../src/text/diff/file-patch.ts";
import { environment } from "../both-readers.ts";
import { commitFiles, type Folder, git, temporaryFolder, temporaryRepository, writeFiles } from "../fixture.ts";

const { signal } = new AbortController();
const byGit: RevisionReader = gitRevisions(Bun.which("git") ?? "", environment);

/** The diff of both readers. */
async function ours(
  root: string,
  options: Parameters<typeof workTreeChanges>[2],
  present: readonly string[] = [],
): Promise<string> {
  const [one, other] = await Promise.all(
    [byGit, builtinRevisions].map(async (reader) => {
      const found = await workTreeChanges(reader, root, options, present, signal);
      if (found.kind !== "changes") throw new Error(JSON.stringify(found));
      return found.files.flatMap(({ patches }) => patches.map(patchText)).join("\n");
    }),
  );
  expect(other ?? "").toBe(one ?? "");
  return one ?? "";
}

/** What git prints, without what only git needs: hashes, similarity, the tab after a name with a space. */
const theirs = (root: string, ...args: readonly string[]): string =>
  git(root, ["-c", "core.quotePath=false", "diff", "--no-ext-diff", ...args])
    .split("\n")
    .filter((line) => !/^(index [0-9a-f]+\.\.|(dis)?similarity index )/.test(line))
    .map((line) => line.replace(/^((?:---|\+\+\+) .*)\t$/, "$1").replace(/\r$/, ""))
    .join("\n")
    .trimEnd();

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}`);
const TEXT = `${LINES.join("\n")}\n`;
const DIFF: DiffOptions = { diff: "HEAD", since: null };

function repository(): Folder {
  const folder = temporaryRepository();
  commitFiles(folder.path, {
    "a.txt": TEXT,
    "crlf.txt": TEXT.replaceAll("\n", "\r\n"),
    "dir/deleted.txt": "one\ntwo\n",
    "dir/moved.txt": TEXT.replaceAll("line", "row"),
    "empty.txt": "",
    "image.bin": "\0\x01",
    "mode.sh": "echo\n",
    "open.txt": "first\nlast",
    "shut.txt": "first\nlast\n",
    "two words.txt": "x\n",
    "ünïcode.py": "def f():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return a\n",
  });
  return folder;
}

test("edits, line ends, deletions, renames, modes, binary and empty files are as git prints them", async () => {
  using repo = repository();
  const { path } = repo;
  expect(await ours(path, DIFF)).toBe("");
  const moved = TEXT.replaceAll("line", "row").replace("row 20\n", "ROW 20\n");
  writeFiles(path, {
    "a.txt": TEXT.replace("line 2\n", "").replace("line 20\n", "new\nnewer\n").replace("line 39\n", "line 39\nend"),
    "crlf.txt": TEXT.replace("line 7", "LINE 7").replaceAll("\n", "\r\n"),
    "empty.txt": "no longer\n",
    "image.bin": "\0\x02",
    "new/file.txt": "a\n\nb",
    "new/nothing.txt": "",
    "open.txt": "first\nlast\n",
    "shut.txt": "first\nlast",
    "two words.txt": "",
    "ünïcode.py": "def f():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return b\n",
  });
  rmSync(join(path, "dir/deleted.txt"));
  git(path, ["mv", "dir/moved.txt", "dir/here.txt"]);
  writeFiles(path, { "dir/here.txt": moved });
  chmodSync(join(path, "mode.sh"), 0o755);
  git(path, ["add", "--intent-to-add", "new"]);
  const diff = await ours(path, DIFF);
  git(path, ["add", "--all"]);
  const expected = theirs(path, "HEAD", "--find-renames");
  expect(diff).toBe(expected);
  expect(await ours(path, DIFF)).toBe(expected);
  git(path, ["commit", "--quiet", "-m", "all"]);
  writeFiles(path, { "a.txt": "not committed\n" });
  expect(await ours(path, { diff: null, since: "HEAD~1" })).toBe(theirs(path, "HEAD~1", "HEAD", "--find-renames"));
});

test("an untracked file is new, as if it were added", async () => {
  using repo = repository();
  const { path } = repo;
  writeFiles(path, { "untracked.txt": "a\nb\n" });
  const diff = await ours(path, DIFF, ["a.txt", "untracked.txt"]);
  git(path, ["add", "--intent-to-add", "untracked.txt"]);
  expect(diff).toBe(theirs(path, "HEAD"));
});

test("links and submodules show their target and commit; a file that becomes one is deleted first", async () => {
  using other = temporaryRepository();
  const first = commitFiles(other.path, { "x.txt": "x\n" });
  const second = commitFiles(other.path, { "x.txt": "y\n" }, "second", 1_700_000_100);
  using repo = repository();
  const { path } = repo;
  symlinkSync("a.txt", join(path, "link"));
  symlinkSync("a.txt", join(path, "link.txt"));
  git(path, ["clone", "--quiet", other.path, "sub"]);
  git(join(path, "sub"), ["checkout", "--quiet", first]);
  git(path, ["-c", "advice.addEmbeddedRepo=false", "add", "--all"]);
  git(path, ["commit", "--quiet", "-m", "links"], 1_700_000_200);
  expect(await ours(path, DIFF)).toBe("");
  git(join(path, "sub"), ["checkout", "--quiet", second]);
  rmSync(join(path, "link"));
  symlinkSync("/etc/passwd", join(path, "link"));
  rmSync(join(path, "link.txt"));
  rmSync(join(path, "mode.sh"));
  symlinkSync("a.txt", join(path, "mode.sh"));
  writeFiles(path, { "link.txt": "a file now\n" });
  const diff = await ours(path, DIFF);
  expect(diff).toContain(`-Subproject commit ${first}\n+Subproject commit ${second}`);
  expect(diff).not.toContain("root:");
  expect(diff).toBe(theirs(path, "HEAD"));
  rmSync(join(path, "sub", ".git"), { recursive: true });
  expect(await ours(path, DIFF)).not.toContain("Subproject");
  git(path, ["commit", "--quiet", "--all", "-m", "more"], 1_700_000_300);
  expect(await ours(path, { diff: null, since: "HEAD~1" })).toBe(theirs(path, "HEAD~1", "HEAD"));
});

test("a link behind a linked folder shows no target outside the repository", async () => {
  using outside = temporaryFolder();
  symlinkSync("/secret/target", join(outside.path, "link"));
  using repo = temporaryRepository();
  const { path } = repo;
  mkdirSync(join(path, "dir"));
  symlinkSync("inside", join(path, "dir/link"));
  commitFiles(path, { "a.txt": "a\n" });
  rmSync(join(path, "dir"), { recursive: true });
  symlinkSync(outside.path, join(path, "dir"));
  expect(await ours(path, DIFF)).not.toContain("/secret/target");
});

test("a file whose folder became a link is deleted", async () => {
  using outside = temporaryFolder();
  writeFiles(outside.path, { "a.txt": "other\n" });
  using repo = temporaryRepository();
  const { path } = repo;
  commitFiles(path, { "dir/a.txt": "a\n", "dir/deep/b.txt": "b\n" });
  rmSync(join(path, "dir"), { recursive: true });
  symlinkSync(outside.path, join(path, "dir"));
  const diff = await ours(path, DIFF);
  expect(diff).toContain("--- a/dir/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  expect(diff).toBe(theirs(path));
});

test("a link that git wrote as a file is as it was", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  symlinkSync("a.txt", join(path, "link"));
  commitFiles(path, { "a.txt": "a\n" });
  git(path, ["config", "core.symlinks", "false"]);
  rmSync(join(path, "link"));
  git(path, ["checkout", "--", "link"]);
  expect(await ours(path, DIFF)).toBe("");
  writeFiles(path, { link: "b.txt" });
  expect(await ours(path, DIFF)).toBe(theirs(path));
  expect(theirs(path)).toContain("-a.txt\n");
});

test("line ends that git converts, wherever that is set, say nothing", async () => {
  using home = temporaryFolder();
  writeFiles(home.path, { ".gitconfig": "[core]\n\tautocrlf = true\n" });
  for (const set of [
    (path: string) => writeFiles(path, { "deep/.gitattributes": "*.txt text eol=crlf\n" }),
    (path: string) => writeFiles(path, { ".git/info/attributes": "*.txt text\n" }),
    () => ({ HOME: home.path }),
  ]) {
    using repo = repository();
    const { path } = repo;
    const variables = set(path) ?? {};
    git(path, ["add", "--all"]);
    git(path, ["commit", "--quiet", "--allow-empty", "-m", "set"], 1_700_000_300);
    writeFiles(path, { "a.txt": TEXT.replaceAll("\n", "\r\n") });
    expect(await ours(path, { ...DIFF, variables })).toBe("");
  }
});

test("a file whose line ends alone changed says so in one line, unless git converts them", async () => {
  using repo = repository();
  const { path } = repo;
  writeFiles(path, { "a.txt": TEXT.replaceAll("\n", "\r\n") });
  expect(await ours(path, DIFF)).toBe("diff --git a/a.txt b/a.txt\n⋮ line ends: LF → CRLF");
  writeFiles(path, { ".gitattributes": "* text=auto\n" });
  expect(await ours(path, DIFF)).toBe("");
});

test("git applies the diff of any two texts", async () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "", "  c", "d e", "+x", "-y", "\\ z", "@@ -1 +1 @@"), { maxLength: 30 })
    .chain((lines) => fc.boolean().map((isEnded) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : "")));
  using repo = temporaryRepository();
  const { path } = repo;
  commitFiles(path, { "f0.txt": "start\n" });
  let at = 1_700_000_000;
  // Ten files at once, since git takes longest.
  const pairs = fc.array(fc.tuple(text, text), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(pairs, async (all) => {
      at += 10;
      const files = (of: (pair: (typeof all)[number]) => string) =>
        Object.fromEntries(all.map((pair, number) => [`f${number}.txt`, of(pair)]));
      writeFiles(path, { ...files(([before]) => before), seed: String(at) });
      git(path, ["add", "--all"]);
      git(path, ["commit", "--quiet", "-m", "x"], at);
      writeFiles(
        path,
        files(([, after]) => after),
      );
      const diff = await ours(path, DIFF);
      git(path, ["checkout", "--quiet", "--", "."]);
      if (diff !== "") git(path, ["apply", "--whitespace=nowarn", "-"], at, `${diff}\n`);
      for (const [number, [, after]] of all.entries())
        expect(await Bun.file(join(path, `f${number}.txt`)).text()).toBe(after);
    }),
    { numRuns: 6 },
  );
});
