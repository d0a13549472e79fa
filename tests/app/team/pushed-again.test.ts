/** What is damaged in a store is repaired by pushing the commit again, as the messages about it say. */
import { beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { tempRepo } from "../../support/repo.ts";
import { runHere } from "../../support/run-here.ts";
import { chainRepo, newStore } from "../../support/team-store.ts";

const onPostgres = test.skipIf(postgresProblem !== null);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

for (const [what, damage] of [
  ["chunks", "update cra.chunks set packed = 'x'"],
  ["lost chunks", "delete from cra.chunks"],
  ["lists of chunks", "update cra.blobs set chunks = repeat('0', length(chunks))"],
  ["forged facts", "update cra.facts set facts = (select facts from cra.facts order by hash limit 1)"],
] as const)
  onPostgres(`pushing again repairs a store: ${what}`, async () => {
    const address = await newStore(postgres);
    using repo = chainRepo(60);
    const check = async (): Promise<string> =>
      (await runHere(["store", "check", "--at", address], { cwd: "/" })).stdout.split("\n")[1] ?? "";
    const push = (...more: readonly string[]) =>
      runHere(["push", "--to", address, "--name", "x", ...more], { cwd: repo.path });
    await push("--with-text");
    expect(await check()).toContain("whole");
    await postgres.query(address, damage);
    expect(await check()).not.toContain("whole");
    expect((await push()).stdout).toContain("already");

    // What is stored is stored again, also the texts.
    const again = await push("--again");
    expect([again.exitCode, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toMatch(/60 of 60 contents sent\ntexts +stored/);
    expect(await check()).toContain("whole");
    using laptop = tempRepo({});
    rmSync(laptop.path, { recursive: true });
    repo.git("clone", "--quiet", repo.path, laptop.path);
    const taken = JSON.parse(
      (await runHere(["index", "--from", address, "--name", "x", "--json"], { cwd: laptop.path })).stdout,
    );
    expect(taken).toMatchObject({ parsed: 0, notices: [], from_store: { contents: 60, refused: 0, unknown: 0 } });

    // The next commit builds on what was repaired.
    repo.write({ "pkg/new.py": "def new():\n    return 1\n" });
    repo.commit("New");
    expect((await push("--with-text")).stdout).toContain("1 of 61 contents sent");
    expect(await check()).toContain("whole");
    rmSync(join(laptop.path, ".cra"), { recursive: true });
  });

onPostgres(
  "what is damaged is reported with the command that repairs it; a queued commit cannot be pushed again",
  async () => {
    const address = await newStore(postgres);
    using repo = chainRepo(3);
    const run = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
    await run("push", "--to", address, "--name", "x");
    await postgres.query(address, "update cra.chunks set packed = 'x'");
    rmSync(join(repo.path, ".cra"), { recursive: true });
    expect((await run("index", "--from", address, "--name", "x")).stderr).toContain(
      `cra push --to ${address} --name x --again`,
    );
    expect(await run("push", "--to", address, "--name", "x", "--again", "--queue")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--queue and --again exclude each other"),
    });
  },
);
