/** A commit that several branches have: each branch has it in the store, with one index for all of them. */
import { beforeAll, expect, test } from "bun:test";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { tempRepo } from "../../support/repo.ts";
import { runHere } from "../../support/run-here.ts";
import { newStore } from "../../support/team-store.ts";

const onPostgres = test.skipIf(postgresProblem !== null);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

onPostgres("a commit that was pushed for a branch is the newest of the branch that it is merged into", async () => {
  const address = await newStore(postgres);
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  const push = async (...more: readonly string[]) => {
    const run = await runHere(["push", "--to", address, "--name", "x", "--with-text", ...more, "--json"], {
      cwd: repo.path,
    });
    expect(run.stderr).toBe("");
    return JSON.parse(run.stdout);
  };
  const ofBranch = async (branch: string) =>
    (
      await postgres.query(
        address,
        `select commit_hash from cra.snapshots where branch = '${branch}' order by pushed_at desc limit 1`,
      )
    )[0]?.commit_hash;
  await push();
  repo.git("checkout", "--quiet", "-b", "feature");
  repo.write({ "a.py": "def two():\n    return 2\n" });
  repo.commit("Two");
  const commit = repo.git("rev-parse", "HEAD").trim();
  await push();
  repo.git("checkout", "--quiet", "main");
  repo.git("merge", "--quiet", "--ff-only", "feature");
  expect(await push()).toMatchObject({ is_new: true, bytes: 0, contents_sent: 0, has_texts: true });
  expect([await ofBranch("main"), await ofBranch("feature")]).toEqual([commit, commit]);
  expect(await push()).toMatchObject({ is_new: false });
  // Whoever has no branch, such as a job with a detached HEAD, has it too.
  repo.git("checkout", "--quiet", "--detach");
  expect(await push()).toMatchObject({ is_new: true, bytes: 0 });
  expect(await push()).toMatchObject({ is_new: false });

  const status = JSON.parse((await runHere(["store", "status", "--at", address, "--json"], { cwd: "/" })).stdout);
  expect(status.repositories).toMatchObject([{ name: "x", commits: 2, branches: ["feature", "main"] }]);
  const pruned = await runHere(["store", "prune", "--branch", "feature", "--at", address], { cwd: "/" });
  expect(pruned.stdout).toContain("removed 1 commit");
  expect([await ofBranch("main"), await ofBranch("feature")]).toEqual([commit, undefined]);
  const asked = await runHere(["search", "two", "--from", address, "--repos", "x"], { cwd: "/" });
  expect(asked.stdout).toContain("x/a.py:1");
});

onPostgres("a store of the version before keeps its commits", async () => {
  const address = await newStore(postgres);
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  await runHere(["push", "--to", address, "--name", "x"], { cwd: repo.path });
  await postgres.query(
    address,
    `alter table cra.snapshots drop constraint snapshots_pkey, alter column branch drop not null,
       add primary key (repository, commit_hash, build);
     insert into cra.snapshots select repository, repeat('a', 40), build, null, cra_version, extractor, config_hash, content_hash,
       is_shallow, files, has_texts, index_hash, index_bytes, tree_hash, tree_bytes, pushed_at from cra.snapshots;
     update cra.store set version = 2`,
  );
  expect((await runHere(["push", "--to", address, "--name", "x"], { cwd: repo.path })).stderr).toContain(
    "it is of an older cra",
  );
  expect((await runHere(["store", "init", "--at", address], { cwd: "/" })).stdout).toContain("brought from version 2");
  const again = await runHere(["push", "--to", address, "--name", "x"], { cwd: repo.path });
  expect(again.stdout).toContain("already");
  const status = JSON.parse((await runHere(["store", "status", "--at", address, "--json"], { cwd: "/" })).stdout);
  expect(status.repositories).toMatchObject([{ name: "x", commits: 2, branches: ["main"] }]);
});

onPostgres("a job with a detached HEAD names its branch, for a push and for one that is queued", async () => {
  const address = await newStore(postgres);
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  repo.git("checkout", "--quiet", "--detach");
  const push = (...more: readonly string[]) =>
    runHere(["push", "--to", address, "--name", "x", ...more], { cwd: repo.path });
  const branches = async () =>
    (await postgres.query(address, "select branch from cra.snapshots order by branch")).map(({ branch }) => branch);
  expect(await push("--branch", "main")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await branches()).toEqual(["main"]);
  await push();
  expect(await branches()).toEqual(["", "main"]);
  await push("--branch", "next", "--queue");
  const [job] = await postgres.query(address, "select contents from cra.jobs");
  expect(JSON.parse(String(job?.contents))).toMatchObject({ branch: "next" });
  expect(await push("--branch", "x".repeat(1_001))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--branch: not the name of a branch"),
  });
});
