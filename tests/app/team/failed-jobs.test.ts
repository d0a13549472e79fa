/** Whoever runs workers learns why a job failed: the worker says it, and the store keeps it. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { shareParsing } from "../../../src/app/team/share-parsing.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { tempFolder } from "../../support/folder.ts";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { runHere } from "../../support/run-here.ts";
import { chainRepo, newStore, withoutPauses } from "../../support/team-store.ts";

const NEVER = new AbortController().signal;
/** Before a job that failed is due again for the first time. */
const PAUSE_MS = 10_000;

const onPostgres = test.skipIf(postgresProblem !== null);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

onPostgres(
  "a worker says why it gives a job back, and the status of the store says it of those set aside",
  async () => {
    const address = await newStore(postgres);
    using repo = chainRepo(3);
    using folder = tempFolder();
    const run = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
    await run("push", "--to", address, "--name", "team/app", "--queue");
    await withoutPauses(postgres, address);
    const worked = await run("work", "--from", address, "--until-done", "--clone", join(folder.path, "none/*.git"));
    expect(worked.exitCode).toBe(1);
    const commit = repo.git("rev-parse", "HEAD").trim();
    const why = `team/app at ${commit.slice(0, 12)}: `;
    expect(
      worked.stderr.split("\n").filter((line) => line.startsWith(`cra: note: a job was given back: ${why}`)).length,
    ).toBe(3);
    const status = await run("store", "status", "--at", address);
    expect(status.stdout).toContain(`jobs: 0 waiting, 0 running, 1 set aside\n  ${why}`);
    const { jobs } = JSON.parse((await run("store", "status", "--at", address, "--json")).stdout);
    expect(jobs).toMatchObject({ set_aside: 1, problems: [expect.stringContaining(why)] });

    // What a store says may be anything.
    await postgres.query(address, "update cra.jobs set problem = e'\\x1b[2J' || repeat('x', 5000) || e'\\nnext'");
    const shown = (await run("store", "status", "--at", address)).stdout;
    expect(shown).not.toContain("\u001b");
    expect(shown.split("\n").at(-2)?.length).toBeLessThan(600);
    // Jobs of another build are none of this one's.
    await postgres.query(address, "update cra.jobs set extractor = 'other'");
    expect((await run("store", "status", "--at", address)).stdout).not.toContain("set aside");
  },
);

onPostgres("who shares parsing does not wait for the next try of what failed, and parses that alone", async () => {
  const store = await openStore({ address: await newStore(postgres), flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  try {
    const bytes = Buffer.from("def f(): return 1\n");
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const sharing = {
      store,
      workTree: { readFile: () => ({ kind: "bytes", bytes }) as const },
      bytesMax: 1_000,
      pool: { parse: () => Promise.reject(new Error("its grammar ended")) },
      worker: "w",
      onProgress: () => {},
    };
    const started = performance.now();
    expect(await shareParsing(sharing, [{ path: "a.py", hash, language: "python", bytes: bytes.length }], NEVER)).toBe(
      1,
    );
    expect(performance.now() - started).toBeLessThan(PAUSE_MS);
    expect(await store.jobs.counts()).toMatchObject({ waiting: 1, running: 0 });
    expect(await store.jobs.unfinished()).toEqual({ active: 0, paused: 1 });
  } finally {
    await store.close();
  }
});
