/** A worker that waits for jobs outlives a restart of its store. */
import { beforeAll, expect, test } from "bun:test";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { runCra, startCra } from "../../support/run-cra.ts";
import { newStore } from "../../support/team-store.ts";

const NEVER = new AbortController().signal;

const onPostgres = test.skipIf(postgresProblem !== null);
let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

/** Adds a job to parse one content. */
async function addJob(address: string, text: string): Promise<void> {
  const store = await openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  const bytes = Buffer.from(text);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  await store.blobs.putSmall([{ hash, bytes }], { chunks: 0, bytes: 0 });
  await store.jobs.add([{ hash, language: "python", bytes: bytes.length }]);
  await store.close();
}

onPostgres("a worker goes on after its connection or the server was lost", async () => {
  const address = await newStore(postgres);
  const done = async (jobs: number): Promise<void> => {
    const sql = "select count(*) as done from cra.jobs where state = 'done'";
    while (Number((await postgres.query(address, sql))[0]?.done) < jobs) await Bun.sleep(20);
  };
  await using worker = await startCra(["work", "--from", address], { cwd: "/" });
  await addJob(address, "def a(): return 1\n");
  await done(1);
  await postgres.query(
    address,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await addJob(address, "def b(): return 2\n");
  await done(2);
  await postgres.crash();
  await addJob(address, "def c(): return 3\n");
  await done(3);
  worker.kill("SIGTERM");
  expect((await worker.ended).exitCode).toBe(143);
  expect(await worker.stderr).toMatch(/^cra: note: .*; trying again\n/);
});

onPostgres("a worker that cannot begin, or is to end when all is done, ends without its store", async () => {
  const address = await newStore(postgres);
  const nobody = await runCra(["work", "--from", address.replace(/:\d+\//, ":9/")], { cwd: "/" });
  expect(nobody.exitCode).toBe(74);
  // The role may not take jobs, which no waiting changes.
  await postgres.query(
    address,
    "create role only_reads login; grant usage on schema cra to only_reads; grant select on cra.store to only_reads",
  );
  const reader = await runCra(["work", "--from", address.replace("owner@", "only_reads@")], { cwd: "/" });
  expect([reader.exitCode, reader.stderr]).toEqual([74, expect.stringContaining("the role may not do this")]);
});
