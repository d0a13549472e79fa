/** Tasks that ask for a review in words: of a branch, of a commit, of a range; and what is said when there is no such thing. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { commitFiles, temporaryRepository } from "../source/fixture.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

/** `main` gains `late.py` after the branch `feature/sum` left it; that has two commits, and the work tree a change. */
const repo = shared(tempRepo({ "shop/sum.py": "def total(items):\n    return sum(items)\n" }, { git: true }));
repo.git("branch", "-M", "main");
const commit = (files: Readonly<Record<string, string>>, message: string): void => {
  repo.write(files);
  repo.git("add", "-A");
  repo.git("commit", "--quiet", "-m", message);
};
const PAGE = "from shop.sum import total\n\n\ndef page(items):\n    return total(items)\n";
repo.git("checkout", "--quiet", "-b", "feature/sum");
commit({ "shop/sum.py": "def total(items):\n    return sum(items) + 1\n" }, "Add one");
const first = repo.git("rev-parse", "HEAD").trim();
commit({ "shop/page.py": PAGE }, "Add a page");
repo.git("checkout", "--quiet", "main");
commit({ "shop/late.py": "def late():\n    return None\n" }, "Add what the branch lacks");
repo.git("checkout", "--quiet", "feature/sum");
const DRAFT = { "shop/draft.py": "def draft():\n    return None\n" };
repo.write(DRAFT);

const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
const reviewed = async (task: string) => {
  const run = await cra("retrieve", task, "--index", "--json");
  const { review } = packageOf(run);
  return { paths: review?.files.map(({ path }) => path) ?? null, said: run.stderr };
};

const OF_BRANCH = ["shop/page.py", "shop/sum.py"];

test.each([
  ["review this branch", OF_BRANCH],
  ["is this PR ready to merge?", OF_BRANCH],
  ["what changed since main?", OF_BRANCH],
  ["review PR against main", OF_BRANCH],
  ["review my changes against main", ["shop/draft.py", ...OF_BRANCH]],
  ["review the uncommitted changes", ["shop/draft.py"]],
  ["review the last two commits", OF_BRANCH],
  [`review commit ${first.slice(0, 9)}`, ["shop/sum.py"]],
  ["review HEAD~1", ["shop/sum.py"]],
  ["review HEAD~2..HEAD~1", ["shop/sum.py"]],
  ["review main...feature/sum", OF_BRANCH],
  ["review feature/sum..main", ["shop/late.py"]],
])("%p", async (task, paths) => {
  expect((await reviewed(task)).paths).toEqual(paths);
});

test("a branch, tag or commit that does not exist is named in one line, and the task is one like any other", async () => {
  for (const [task, name] of [
    ["review PR against develop", "develop"],
    ["review changes since v9.9", "v9.9"],
    ["review commit abc1234", "abc1234"],
    ["review HEAD~70..HEAD", "HEAD~70"],
  ] as const) {
    const { paths, said } = await reviewed(task);
    expect([task, paths]).toEqual([task, null]);
    expect(said).toContain(`the changes that the task asks to review cannot be read: no commit is called "${name}"\n`);
  }
});

test("a pull or merge request is reviewed if this clone has its ref, in any of the usual places, by both readers of git", async () => {
  const last = repo.git("rev-parse", "feature/sum").trim();
  const refs = ["refs/pull/7/head", "refs/remotes/origin/pr/8", "refs/heads/pr-9", "refs/merge-requests/45/head"];
  for (const ref of refs) repo.git("update-ref", ref, last);
  repo.git("checkout", "--quiet", "main");
  const asked = ["review PR 7", "review pull request #8", "explain PR 9 against main", "review !45"];
  for (const env of [{}, { PATH: "" }])
    for (const task of asked) {
      const run = await runHere(["retrieve", task, "--index", "--json"], { cwd: repo.path, env });
      expect([task, packageOf(run).review]).toMatchObject([
        task,
        { tip: last, files: OF_BRANCH.map((path) => ({ path })) },
      ]);
    }
  for (const ref of refs) repo.git("update-ref", "-d", ref);
  repo.git("checkout", "--quiet", "feature/sum");
});

test("of one that this clone lacks, a note says how to fetch it", async () => {
  for (const [task, says] of [
    [
      "review PR 123",
      'this clone lacks pull request 123; run "git fetch origin pull/123/head:pr-123", then "review the branch pr-123"',
    ],
    [
      "review !45",
      'this clone lacks merge request 45; run "git fetch origin merge-requests/45/head:mr-45", then "review the branch mr-45"',
    ],
  ] as const) {
    const { paths, said } = await reviewed(task);
    expect([task, paths]).toEqual([task, null]);
    expect(said).toContain(`cannot be read: ${says}\n`);
  }
});

test("the first commit is compared with nothing, in later rounds and by the command that repeats it too", async () => {
  using young = tempRepo({ "a.py": "def a():\n    return 1\n" }, { git: true });
  const root = young.git("rev-parse", "HEAD").trim();
  const run = (...args: readonly string[]) => runHere([...args, "--json"], { cwd: young.path });
  for (const task of [`review commit ${root.slice(0, 9)}`, "review the last commit"]) {
    const one = await run("retrieve", task, "--index");
    const { task_id, review } = packageOf(one);
    expect(review?.diff).toContain("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n+def a():");
    const round = await run("refine", task_id, "--budget", "3000");
    expect(packageOf(round).review).toEqual(review);
    const [, since = ""] = /--since (\S+)/.exec(round.stderr) ?? [];
    expect(packageOf(await run("retrieve", task, "--since", since)).review).toEqual(review);
    const { stdout } = await runHere(["retrieve", task], { cwd: young.path });
    expect(stdout).toContain("against the empty tree:\n");
  }
});

test("the oldest commit of a shallow clone is no first commit", async () => {
  using folder = tempRepo({ "readme.md": "# One\n" }, { git: true });
  folder.git("clone", "--quiet", "--depth", "1", `file://${repo.path}`, "young");
  const { stderr } = await runHere(["retrieve", "review the last commit"], { cwd: join(folder.path, "young") });
  expect(stderr).toContain('no commit is called "HEAD~1"; this clone is shallow and may lack commits');
});

test("a review of files that are not indexed is its diff, and no map of the repository", async () => {
  using locked = tempRepo({ "a.py": "def a():\n    return 1\n", "yarn.lock": "a 1\n" }, { git: true });
  locked.write({ "yarn.lock": "a 2\n" });
  locked.commit("Update");
  const { review, files, warnings } = packageOf(
    await runHere(["retrieve", "review the last commit", "--index", "--json"], { cwd: locked.path }),
  );
  expect(review?.diff).toContain("-a 1\n+a 2");
  expect(files).toEqual([]);
  expect(warnings.join()).not.toContain("map of the repository");
});

test("prose about a branch of the code reads nothing, and says nothing of it", async () => {
  const { paths, said } = await reviewed("explain this branch of the if");
  expect([paths, said.includes("review")]).toEqual([null, false]);
});

test("a review of nothing is no task, and says what was compared; with words of its own it is one", async () => {
  repo.git("checkout", "--quiet", "main");
  repo.remove("shop/draft.py");
  const runs = await Promise.all(
    ["review this branch", "review my changes", "review my changes for wrong sums of items"].map(async (task) => {
      const { exitCode, stderr } = await cra("retrieve", task, "--index");
      return [exitCode, stderr.match(/nothing has changed .*/)?.[0]];
    }),
  );
  repo.git("checkout", "--quiet", "feature/sum");
  repo.write(DRAFT);
  expect(runs).toEqual([
    [1, "nothing has changed since main in commits"],
    [1, "nothing has changed against HEAD"],
    [0, "nothing has changed against HEAD"],
  ]);
});

test("my changes are those that the branch committed, if nothing is uncommitted, and a note says so", async () => {
  const note = "nothing is uncommitted, so this reviews what was committed since main";
  const dirty = await reviewed("review my changes");
  expect([dirty.paths, dirty.said.includes(note)]).toEqual([["shop/draft.py"], false]);
  repo.remove("shop/draft.py");
  const clean = await reviewed("review my changes");
  const diff = await cra("retrieve", "review the uncommitted changes", "--index");
  repo.write(DRAFT);
  expect([clean.paths, clean.said.includes(note)]).toEqual([OF_BRANCH, true]);
  expect(diff.exitCode).toBe(1);
});

test("what a review shall look for is searched, beside what changed", async () => {
  const { review, files } = packageOf(
    await cra("retrieve", "review the last commit for late things", "--index", "--json"),
  );
  expect(review?.files.map(({ path }) => path)).toEqual(["shop/page.py"]);
  expect(files.map(({ path }) => path)).toContain("shop/page.py");
});

test("changes since a day are those since the newest commit before it", async () => {
  using dated = temporaryRepository();
  const day = (date: string): number => Date.parse(`${date}T12:00:00`) / 1000;
  commitFiles(dated.path, { "a.py": "def a():\n    return 1\n" }, "one", day("2024-03-01"));
  const before = commitFiles(dated.path, { "b.py": "def b():\n    return 1\n" }, "two", day("2024-03-04"));
  commitFiles(dated.path, { "c.py": "def c():\n    return 1\n" }, "three", day("2024-03-05"));
  const head = commitFiles(dated.path, { "d.py": "def d():\n    return 1\n" }, "four", Math.floor(Date.now() / 1000));
  const since = async (words: string) => {
    const run = await runHere(["retrieve", `review changes since ${words}`, "--json"], { cwd: dated.path });
    return run.exitCode === 0 ? packageOf(run).review : run.stderr;
  };
  const found = await since("2024-03-05");
  expect(found).toMatchObject({ base: before, uncommitted: false, files: [{ path: "c.py" }, { path: "d.py" }] });
  for (const words of ["last week", "yesterday", "Monday"])
    expect(await since(words)).toMatchObject({ files: [{ path: "d.py" }] });
  const { stderr } = await runHere(["retrieve", "review changes since 2024-03-01"], { cwd: dated.path });
  expect(stderr).toContain("cannot be read: there is no commit before 2024-03-01\n");
  expect(await since("2999-01-01")).toContain(`nothing has changed since ${head.slice(0, 7)} in commits\n`);
});

test("a review of one commit stays that commit in later rounds, in explanations and in the command that repeats it", async () => {
  const task = `review commit ${first.slice(0, 9)}`;
  const one = packageOf(await cra("retrieve", task, "--index", "--json"));
  expect(one.review).toMatchObject({ tip: first, uncommitted: false });
  expect(one.review?.diff).toContain("+    return sum(items) + 1");
  expect(one.files.map(({ path }) => path)).toEqual(expect.arrayContaining(["shop/sum.py", "shop/page.py"]));
  const round = await cra("refine", one.task_id, "--budget", "3000", "--json");
  expect(packageOf(round).review).toEqual(one.review);
  const [, range = ""] = /--since (\S+)/.exec(round.stderr) ?? [];
  expect(range).toBe(`${one.review?.base}..${first}`);
  const again = packageOf(await cra("retrieve", task, "--since", range, "--json"));
  expect(again.review).toEqual(one.review);
  const why = await cra("explain", one.task_id, "shop/sum.py:total");
  expect([why.exitCode, why.stdout.includes("was changed")]).toEqual([0, true]);
});

test("the tool retrieve reviews the same", async () => {
  await using mcp = await openMcp({ cwd: repo.path });
  const told = JSON.stringify(await callTool(mcp, "retrieve", { task: "review this branch" }));
  expect(told).toContain("+    return sum(items) + 1");
  const lost = JSON.stringify(await callTool(mcp, "retrieve", { task: "review PR against develop" }));
  expect(lost).toContain("cannot be read: no commit is called");
});

test("two commits and the work tree exclude each other", async () => {
  const { exitCode, stderr } = await cra("retrieve", "x", "--since", "main..HEAD", "--diff");
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("--since with two commits and --diff exclude each other"),
  ]);
});

test("of several repositories nothing is compared, which is said", async () => {
  using other = tempRepo({ "a.py": "def a():\n    return 1\n" }, { git: true });
  const { stderr } = await cra("retrieve", "review this branch", "--repos", `.,${other.path}`, "--index");
  expect(stderr).toContain("changes are compared in one repository");
});
