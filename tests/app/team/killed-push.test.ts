/** Pushes that are killed, a server that is killed, and several pushes at once: nothing half is visible, and the next push finishes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { assembleIndex } from "../../../src/app/team/assemble-index.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { tempFolder } from "../../support/folder.ts";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { runCra, startCra } from "../../support/run-cra.ts";
import { runHere } from "../../support/run-here.ts";
import { chainRepo, newStore } from "../../support/team-store.ts";

const NEVER = new AbortController().signal;
const NAME = "example.com/many";
const FILES_MANY = 60;
const KILLS = 3;

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
let repo: TempRepo;
beforeAll(async () => {
  if (postgresProblem !== null) return;
  postgres = await sharedPostgres();
  repo = chainRepo(FILES_MANY);
  await runHere(["index"], { cwd: repo.path });
});
afterAll(() => {
  if (postgresProblem === null) repo[Symbol.dispose]();
});

const pushArgs = (address: string) => ["push", "--to", address, "--name", NAME, "--with-text"];

/** Fails if a snapshot is visible that cannot be assembled. Returns how many are visible. */
async function visible(address: string): Promise<number> {
  const store = await openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  try {
    const snapshots = await store.snapshots.list(NAME);
    for (const snapshot of snapshots) {
      using folder = tempFolder();
      await assembleIndex(store, snapshot, `${folder.path}/curated.sqlite`, "/r", NEVER);
    }
    return snapshots.length;
  } finally {
    await store.close();
  }
}

test.skipIf(postgresProblem !== null)(
  "a push that is killed at any moment leaves nothing half, and the next one finishes",
  async () => {
    const address = await newStore(postgres);
    const started = performance.now();
    const whole = await runCra(pushArgs(await newStore(postgres)), { cwd: repo.path });
    expect(whole.exitCode).toBe(0);
    const ms = performance.now() - started;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using push = await startCra(pushArgs(address), { cwd: repo.path });
      await Bun.sleep((ms * (kill + 1)) / (KILLS + 1));
      push.kill("SIGKILL");
      await push.ended;
      expect(await visible(address)).toBeLessThanOrEqual(1);
    }
    const last = await runCra(pushArgs(address), { cwd: repo.path });
    expect([last.exitCode, last.stderr]).toEqual([0, ""]);
    expect(await visible(address)).toBe(1);
  },
);

test.skipIf(postgresProblem !== null)(
  "pushes at once from two clones, while the server is killed, leave one whole commit",
  async () => {
    const address = await newStore(postgres);
    const other = tempRepo({});
    rmSync(other.path, { recursive: true });
    repo.git("clone", "--quiet", repo.path, other.path);
    try {
      await runHere(["index"], { cwd: other.path });
      const pushes = [repo, other].map(({ path }) => runCra(pushArgs(address), { cwd: path }));
      await Bun.sleep(400);
      await postgres.crash();
      for (const { exitCode } of await Promise.all(pushes)) expect(exitCode === 0 || exitCode === 74).toBe(true);
      expect(await visible(address)).toBeLessThanOrEqual(1);
      const again = await Promise.all([repo, other].map(({ path }) => runCra(pushArgs(address), { cwd: path })));
      expect(again.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
        [0, ""],
        [0, ""],
      ]);
      expect(await visible(address)).toBe(1);
    } finally {
      other[Symbol.dispose]();
    }
  },
);
