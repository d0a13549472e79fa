/** Workers and index runs that are killed: a lease comes back, and the next run ends with the index of a run that nobody killed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { evenChunks } from "../../../src/store/cut-chunks.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { runCra, startCra } from "../../support/run-cra.ts";
import { runHere, runQuickest } from "../../support/run-here.ts";
import { chainRepo, newStore } from "../../support/team-store.ts";

const NEVER = new AbortController().signal;
const NAME = "example.com/some";
const FILES_MANY = 60;
const KILLS = 2;

const onPostgres = test.skipIf(postgresProblem !== null);
let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
let repo: TempRepo;
beforeAll(async () => {
  if (postgresProblem !== null) return;
  postgres = await sharedPostgres();
  repo = chainRepo(FILES_MANY);
});
afterAll(() => {
  if (postgresProblem === null) repo[Symbol.dispose]();
});

onPostgres("the job of a worker that is killed comes back when its lease ends, and nothing of it is lost", async () => {
  const address = await newStore(postgres);
  const store = await openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  const jobs = async () => (await postgres.query(address, "select tries, state from cra.jobs"))[0] ?? {};
  try {
    const texts = Array.from({ length: FILES_MANY }, (_, at) => Buffer.from(`def g${at}():\n    return ${at}\n`));
    const contents = texts.map((bytes) => ({
      hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
      bytes,
    }));
    await store.blobs.putSmall(contents, { chunks: 0, bytes: 0 });
    const keys = contents.map(({ hash, bytes }) => ({ hash, language: "python", bytes: bytes.length }));
    await store.jobs.add(keys);
    // A job is set aside after three tries.
    for (let kill = 0; kill < 2; kill += 1) {
      await using worker = await startCra(["work", "--from", address], { cwd: "/" });
      while ((await jobs()).tries === kill) await Bun.sleep(2);
      worker.kill("SIGKILL");
      await worker.ended;
      if ((await jobs()).state === "done") break;
      expect(await store.jobs.take("another", 1_000)).toBeNull();
      await postgres.query(address, "update cra.jobs set leased_until = leased_until - 120000");
    }
    const last = await runCra(["work", "--from", address, "--until-done"], { cwd: "/" });
    expect([last.exitCode, last.stderr]).toEqual([0, ""]);
    expect(await store.jobs.counts()).toEqual({ waiting: 0, running: 0, done: 1, setAside: 0 });
    expect((await store.facts.has(keys)).size).toBe(FILES_MANY);
  } finally {
    await store.close();
  }
});

onPostgres("a worker that is asked to stop gives its job back at once, untried", async () => {
  const address = await newStore(postgres);
  const store = await openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  try {
    // Seconds of parsing.
    const texts = Array.from({ length: 10 }, (_, at) => Buffer.from(`def g${at}(x): return x + 1\n`.repeat(15_000)));
    const contents: { hash: string; language: string; bytes: number }[] = [];
    for (const text of texts)
      contents.push({ ...(await store.blobs.put(evenChunks(text), { chunks: 0, bytes: 0 })), language: "python" });
    await store.jobs.add(contents);
    for (const [signal, exitCode] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
    ] as const) {
      await using worker = await startCra(["work", "--from", address], { cwd: "/" });
      while ((await store.jobs.counts()).running === 0) await Bun.sleep(2);
      worker.kill(signal);
      expect(await worker.ended).toMatchObject({ exitCode });
      expect(await postgres.query(address, "select state, tries, worker, problem from cra.jobs")).toEqual([
        { state: "waiting", tries: 0, worker: null, problem: null },
      ]);
    }
  } finally {
    await store.close();
  }
});

onPostgres(
  "an index run from a store that is killed at any moment leaves nothing half, and the next one ends",
  async () => {
    const address = await newStore(postgres);
    await runHere(["push", "--to", address, "--name", NAME], { cwd: repo.path });
    const words = ["index", "--from", address, "--name", NAME, "--json"];
    const clone = (): TempRepo => {
      const folder = tempRepo({});
      rmSync(folder.path, { recursive: true });
      repo.git("clone", "--quiet", repo.path, folder.path);
      return folder;
    };
    using whole = clone();
    const started = performance.now();
    expect((await runCra(words, { cwd: whole.path })).exitCode).toBe(0);
    const ms = performance.now() - started;
    using killed = clone();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using run = await startCra(words, { cwd: killed.path });
      await Bun.sleep((ms * (kill + 1)) / (KILLS + 1));
      run.kill("SIGKILL");
      await run.ended;
    }
    // What killed runs leave is removed once it is old enough to be nobody's.
    const copies = () => readdirSync(join(killed.path, ".cra")).filter((name) => name.includes(".tmp"));
    const [left, others] = [".curated.sqlite.0123456789ab.tmp", ".curated.sqlite.ba9876543210.tmp"];
    mkdirSync(join(killed.path, ".cra"), { recursive: true });
    const anHourAgo = new Date(Date.now() - 3_700_000);
    for (const name of [left, `${left}-wal`, others]) writeFileSync(join(killed.path, ".cra", name), "half");
    for (const name of copies().filter((each) => each !== others))
      utimesSync(join(killed.path, ".cra", name), anHourAgo, anHourAgo);
    const last = await runCra(words, { cwd: killed.path });
    expect([last.exitCode, JSON.parse(last.stdout).notices]).toEqual([0, []]);
    expect(copies()).toEqual([others]);
    rmSync(join(killed.path, ".cra", others));
    expect((await runQuickest(["doctor"], { cwd: killed.path })).exitCode).toBe(0);
    const task = ["retrieve", "what does f7 do", "--format", "json"];
    const [one, other] = [await runHere(task, { cwd: killed.path }), await runHere(task, { cwd: repo.path })];
    expect(one.stdout).toBe(other.stdout);
  },
);
