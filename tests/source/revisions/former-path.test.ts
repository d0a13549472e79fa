/** What became of a path: equal from both readers. */
import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FormerPath, formerPath } from "../../../src/source/revisions/former-path.ts";
import { builtinRevisions } from "../../../src/source/revisions/revisions-builtin.ts";
import { gitRevisions } from "../../../src/source/revisions/revisions-git.ts";
import { byGit, environment } from "../both-readers.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository } from "../fixture.ts";

const { signal } = new AbortController();

async function became(root: string, written: string): Promise<FormerPath | null> {
  const { commits, head } = await byGit.readHistory(root, { commitsMax: 100 });
  const [first, second] = await Promise.all(
    [gitRevisions(Bun.which("git") ?? "", environment), builtinRevisions].map(async (reader) => {
      const present = await reader.files(root, head ?? "", signal);
      if (present.kind !== "found") throw new Error("no files");
      return await formerPath({ reader, root, commits, present: present.value }, written, signal);
    }),
  );
  expect(second).toEqual(first);
  return first ?? null;
}

const TEXT = (name: string): string => Array.from({ length: 9 }, (_, at) => `${name} ${at}\n`).join("");
let time = 1_700_000_000;
function later(): number {
  time += 60;
  return time;
}
function commit(root: string, files: Readonly<Record<string, string>> = {}): string {
  return commitFiles(root, files, "change", later());
}
function moved(root: string, from: string, to: string): string {
  renameSync(join(root, from), join(root, to));
  return commit(root);
}

test("renames are followed to the path of today, and to a deletion", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  commit(path, { "a/one.py": TEXT("one"), "a/two.py": TEXT("two"), "a/x.bin": "\0\x01" });
  const first = moved(path, "a/one.py", "a/uno.py");
  moved(path, "a/uno.py", "a/eins.py");
  moved(path, "a/two.py", "a/dos.py");
  rmSync(join(path, "a/dos.py"));
  const last = commit(path);
  const binary = moved(path, "a/x.bin", "a/y.bin");
  const one = { was: "a/one.py", commit: first, now: "a/eins.py" };
  for (const written of ["a/one.py", "one.py", "/home/me/proj/a/one.py", "./a/one.py"])
    expect(await became(path, written)).toEqual(one);
  expect(await became(path, "a/two.py")).toEqual({ was: "a/two.py", commit: last, now: null });
  expect(await became(path, "x.bin")).toEqual({ was: "a/x.bin", commit: binary, now: "a/y.bin" });
  for (const written of ["b/one.py", "ne.py", "never.py", "a", "", "/", "..", "a/eins.py"])
    expect(await became(path, written)).toBeNull();
});

test("a rename on a branch counts, also if the other side of the merge changed the file later", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  const merge = (branch: string): string => git(path, ["merge", "--quiet", "--no-edit", branch], later());
  commit(path, { "a/one.py": TEXT("one"), "a/two.py": TEXT("two"), "a/back.py": TEXT("back") });
  git(path, ["checkout", "--quiet", "-b", "topic"]);
  const first = moved(path, "a/one.py", "a/eins.py");
  rmSync(join(path, "a/two.py"));
  const second = commit(path);
  moved(path, "a/back.py", "a/zurueck.py");
  git(path, ["checkout", "--quiet", "main"]);
  for (const end of ["x\n", "x\ny\n"]) commit(path, { "a/one.py": TEXT("one") + end });
  merge("topic");
  commit(path, { "a/eins.py": TEXT("one") });
  const one = { was: "a/one.py", commit: first, now: "a/eins.py" };
  expect(await became(path, "a/one.py")).toEqual(one);
  expect(await became(path, "a/two.py")).toEqual({ was: "a/two.py", commit: second, now: null });
  const last = moved(path, "a/eins.py", "a/uno.py");
  expect(await became(path, "a/one.py")).toEqual({ ...one, now: "a/uno.py" });
  expect(await became(path, "a/eins.py")).toEqual({ was: "a/eins.py", commit: last, now: "a/uno.py" });
  // Added again, and ended by a merge, which has no paths.
  commit(path, { "a/back.py": TEXT("again") });
  git(path, ["checkout", "--quiet", "-b", "other", "HEAD~1"]);
  commit(path, { "z.py": TEXT("z") });
  git(path, ["checkout", "--quiet", "main"]);
  git(path, ["merge", "--quiet", "--no-commit", "--no-ff", "other"]);
  git(path, ["rm", "--quiet", "a/back.py"]);
  git(path, ["commit", "--quiet", "-m", "merge"], later());
  expect(await became(path, "a/back.py")).toBeNull();
});

test("a clone that lacks contents does not take a rename with an edit for a deletion", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  commit(path, { "old.py": TEXT("old"), "gone.py": TEXT("gone"), "same.py": TEXT("same") });
  rmSync(join(path, "old.py"));
  commit(path, { "new.py": `${TEXT("old")}more\n` });
  const same = moved(path, "same.py", "equal.py");
  rmSync(join(path, "gone.py"));
  const last = commit(path);
  git(path, ["config", "uploadpack.allowFilter", "true"]);
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--filter=blob:none", `file://${path}`, "clone"]);
  const root = join(place.path, "clone");
  expect((await became(path, "old.py"))?.now).toBe("new.py");
  expect(await became(root, "old.py")).toBeNull();
  expect(await became(root, "same.py")).toEqual({ was: "same.py", commit: same, now: "equal.py" });
  expect(await became(root, "gone.py")).toEqual({ was: "gone.py", commit: last, now: null });
});

test("a path that HEAD has again, or that several files had the end of, says nothing", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  commit(path, { "a/x.py": TEXT("a"), "b/x.py": TEXT("b"), "back.py": TEXT("back") });
  rmSync(join(path, "a/x.py"));
  rmSync(join(path, "b/x.py"));
  rmSync(join(path, "back.py"));
  const last = commit(path);
  commit(path, { "back.py": TEXT("again") });
  expect(await became(path, "x.py")).toBeNull();
  expect(await became(path, "a/x.py")).toEqual({ was: "a/x.py", commit: last, now: null });
  expect(await became(path, "back.py")).toBeNull();
});

test("the oldest commit of a shallow clone says nothing", async () => {
  using repo = temporaryRepository();
  using place = temporaryFolder();
  commit(repo.path, { "a.py": TEXT("a"), "b.py": TEXT("b") });
  moved(repo.path, "a.py", "c.py");
  const second = moved(repo.path, "b.py", "d.py");
  git(place.path, ["clone", "--quiet", "--depth", "2", `file://${repo.path}`, "there"]);
  const root = join(place.path, "there");
  expect(await became(root, "a.py")).toBeNull();
  expect(await became(root, "b.py")).toEqual({ was: "b.py", commit: second, now: "d.py" });
});
