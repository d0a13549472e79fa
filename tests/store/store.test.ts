/** A store on a real PostgreSQL: roles, grants, jobs, pruning, and what is printed. */
import { beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { evenChunks } from "../../src/store/cut-chunks.ts";
import { isGranted } from "../../src/store/grants.ts";
import { openConnection, openStore, type Store } from "../../src/store/open-store.ts";
import { migrate, STORE_VERSION } from "../../src/store/schema.ts";
import { treeLines } from "../../src/store/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { postgresProblem, sharedPostgres } from "../support/postgres.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

const onPostgres = test.skipIf(postgresProblem !== null);
const NEVER = new AbortController().signal;

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

async function newStore(): Promise<string> {
  const address = await postgres.createDatabase();
  const connection = openConnection({ address, flag: "--at", variables: {} }, NEVER);
  await migrate(connection);
  await connection.close();
  return address;
}

const open = (address: string): Promise<Store> => openStore({ address, flag: "--at", variables: {} }, "x1", NEVER);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

onPostgres("a store is created once, by any number of processes at once", async () => {
  const address = await postgres.createDatabase();
  const connections = Array.from({ length: 4 }, () => openConnection({ address, flag: "--at", variables: {} }, NEVER));
  await Promise.all(connections.map(migrate));
  expect(await Promise.all(connections.map(migrate))).toEqual(connections.map(() => STORE_VERSION));
  for (const connection of connections) await connection.close();
});

onPostgres("a reader can take an index and change nothing; a writer can push and not prune or grant", async () => {
  const address = await postgres.createDatabase();
  await postgres.query(address, "create role laptop login; create role jobs login");
  const init = await runHere(["store", "init", "--at", address, "--reader", "laptop", "--writer", "jobs"], {
    cwd: "/",
  });
  expect([init.exitCode, init.stderr]).toEqual([0, ""]);
  const as = (user: string): string => address.replace("owner@", `${user}@`);
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  const run = (user: string, ...args: readonly string[]) =>
    runHere(
      args.map((arg) => (arg === "$" ? as(user) : arg)),
      { cwd: repo.path },
    );
  const pushed = await run("laptop", "push", "--to", "$", "--name", "x");
  expect([pushed.exitCode, pushed.stderr]).toEqual([74, expect.stringContaining("the role may not do this")]);
  expect((await run("jobs", "push", "--to", "$", "--name", "x")).exitCode).toBe(0);
  expect((await run("laptop", "index", "--from", "$", "--name", "x")).stderr).toBe("");
  for (const action of [["prune", "--branch", "*"], ["grant", "eve", "--repository", "*"], ["grant"]])
    for (const user of ["laptop", "jobs"])
      expect((await run(user, "store", ...action, "--at", "$")).stderr).toContain("the role may not do this");
  for (const table of ["store", "facts", "chunks", "blobs", "snapshots", "grants", "jobs"])
    for (const sql of [`delete from cra.${table}`, `truncate cra.${table}`, `drop table cra.${table}`])
      expect(postgres.query(as("laptop"), sql)).rejects.toThrow();
  expect(postgres.query(as("laptop"), "update cra.snapshots set branch = 'x'")).rejects.toThrow();
  expect(postgres.query(as("laptop"), "insert into cra.jobs select * from cra.jobs")).rejects.toThrow();
});

onPostgres("a password is never printed, whatever goes wrong", async () => {
  const address = await postgres.createDatabase();
  using repo = tempRepo({ "a.py": "x = 1\n" }, { git: true });
  const secret = "hunter2-Zq9wXv";
  const typed = address.replace("owner@", `owner:${secret}@`);
  const elsewhere = "postgres://me@127.0.0.1:9/db";
  for (const args of [
    ["push", "--to", typed],
    ["index", "--from", typed],
    ["index", "--from", typed, "--json"],
    ["work", "--from", typed],
    ["store", "status", "--at", typed],
    ["store", "status", "--at", `${address}?password=${secret}`],
    ["store", "status", "--at", address],
    ["store", "status", "--at", elsewhere],
    ["index", "--from", elsewhere, "-v"],
    ["push", "--to", elsewhere, "--name", "x"],
  ]) {
    const run = await runHere(args, { cwd: repo.path, env: { PGPASSWORD: secret, CRA_DEBUG: "1" } });
    expect(run.stdout + run.stderr).not.toContain(secret);
    if (args.includes(typed)) expect(run.exitCode).toBe(2);
  }
});

onPostgres("tokens are stored as hashes, name repositories, end, and can be taken back", async () => {
  const address = await newStore();
  const store = await open(address);
  const token = await store.grants.add("alice", ["github.com/acme/*", "x"], null);
  expect(await store.grants.find(token)).toMatchObject({ name: "alice", expiresAt: null });
  expect(JSON.stringify(await postgres.query(address, "select * from cra.grants"))).not.toContain(token);
  const again = await store.grants.add("alice", ["x"], 1);
  expect([await store.grants.find(token), (await store.grants.find(again))?.repositories]).toEqual([null, ["x"]]);
  await postgres.query(address, "update cra.grants set expires_at = 1");
  expect(await store.grants.find(again)).toBe(null);
  expect(await store.grants.find("' or true --")).toBe(null);
  expect([await store.grants.remove("alice"), await store.grants.remove("alice")]).toEqual([true, false]);
  await store.close();
  const is = (pattern: string, name: string): boolean => isGranted({ repositories: [pattern] }, name);
  expect([
    is("a/*", "a/b/c"),
    is("a/*", "ab"),
    is("*", "x"),
    is("a*a", "a"),
    is("a*b*c", "a1b2c"),
    is("a", "ab"),
  ]).toEqual([true, false, true, false, true, false]);
});

onPostgres("a commit that is queued again is due at once, and keeps the worker that has it", async () => {
  const store = await open(await newStore());
  try {
    const commit = { repository: "team/app", commit: "a".repeat(40), branch: "main", withTexts: false };
    const id = await store.jobs.addCommit(commit);
    await store.jobs.take("w1", 60_000);
    await store.jobs.addCommit(commit);
    expect(await store.jobs.take("w2", 60_000)).toBe(null);
    await store.jobs.fail(id, "w1", "the host of its repository is away");
    expect(await store.jobs.take("w2", 60_000)).toBe(null);
    await store.jobs.addCommit(commit);
    expect(await store.jobs.take("w2", 60_000)).toMatchObject({ id, tries: 1 });
  } finally {
    await store.close();
  }
});

onPostgres("workers share jobs; a lease that ends comes back; a job that fails too often is set aside", async () => {
  const address = await newStore();
  const [one, two] = [await open(address), await open(address)];
  const content = (name: string) => ({ hash: sha256(name), language: "python", bytes: 1 });
  const ids = [await one.jobs.add([content("a")]), await one.jobs.add([content("b")])];
  expect(await one.jobs.add([content("a")])).toBe(ids[0] ?? "");
  const [first, second] = await Promise.all([one.jobs.take("w1", 60_000), two.jobs.take("w2", 60_000)]);
  expect([first?.id, second?.id].sort()).toEqual(ids.toSorted());
  expect(await one.jobs.take("w1", 60_000)).toBe(null);
  await one.jobs.finish(first?.id ?? "", "w1");
  // The second worker dies: its lease ends.
  await postgres.query(address, "update cra.jobs set leased_until = 1 where state = 'running'");
  const taken = await one.jobs.take("w3", 60_000);
  expect([taken?.id, taken?.tries]).toEqual([second?.id, 2]);
  expect([
    await two.jobs.extend(second?.id ?? "", "w2", 1),
    await two.jobs.extend(second?.id ?? "", "w3", 60_000),
  ]).toEqual([false, true]);
  await two.jobs.finish(second?.id ?? "", "w2");
  expect(await one.jobs.counts()).toEqual({ waiting: 0, running: 1, done: 1, setAside: 0 });
  await one.jobs.fail(second?.id ?? "", "w3", "no memory");
  await postgres.query(address, "update cra.jobs set leased_until = 0 where state = 'waiting'");
  await one.jobs.take("w3", 1);
  await one.jobs.fail(second?.id ?? "", "w3", "no memory again");
  expect(await one.jobs.take("w3", 1)).toBe(null);
  expect(await one.jobs.setAside()).toEqual([{ id: second?.id ?? "", problem: "no memory again" }]);
  for (const store of [one, two]) await store.close();
});

onPostgres(
  "a job that failed waits before it is tried again, longer after each try, and holds up no other",
  async () => {
    const address = await newStore();
    const store = await open(address);
    const content = (name: string) => ({ hash: sha256(name), language: "python", bytes: 1 });
    const id = await store.jobs.add([content("a")]);
    const pauses: number[] = [];
    for (const tries of [1, 2]) {
      expect((await store.jobs.take("w1", 60_000))?.tries).toBe(tries);
      await store.jobs.fail(id, "w1", "the host of its repository is away");
      expect([await store.jobs.take("w1", 60_000), await store.jobs.counts()]).toMatchObject([null, { waiting: 1 }]);
      const left = "extract(epoch from clock_timestamp()) * 1000";
      const [row] = await postgres.query(address, `select (leased_until - ${left})::int as ms from cra.jobs`);
      pauses.push(Number(row?.ms));
      await postgres.query(address, "update cra.jobs set leased_until = 0");
    }
    const [first = 0, second = 0] = pauses;
    expect([first > 1_000, second > 2 * first]).toEqual([true, true]);
    await store.jobs.take("w1", 60_000);
    const other = await store.jobs.add([content("b")]);
    expect((await store.jobs.take("w2", 60_000))?.id).toBe(other);
    // What is given back untried is due at once.
    await store.jobs.giveBack(other, "w2");
    expect((await store.jobs.take("w2", 60_000))?.id).toBe(other);
    await store.close();
  },
);

onPostgres("pruning keeps the newest of each branch and all that it needs, and removes the rest", async () => {
  const address = await newStore();
  const store = await open(address);
  const pushOne = async (at: number, branch: string, daysAgo: number): Promise<string> => {
    const text = `text ${at} `.repeat(20_000);
    const sent = { chunks: 0, bytes: 0 };
    const row = { hash: sha256(text), language: "python" };
    const part = Buffer.from("packed");
    await store.facts.put([{ ...row, facts: part, uses: part, prose: part, stats: part }]);
    const index = await store.blobs.put(evenChunks(Buffer.from(text)), sent);
    const tree = await store.blobs.put(
      [Buffer.from([...treeLines([{ ...row, path: "a.py", bytes: 3 }])].join("\n"))],
      sent,
    );
    const commit = at.toString(16).padStart(40, "0");
    const build = "b1";
    await store.snapshots.publish(
      {
        repository: "r",
        commit,
        build,
        branch,
        craVersion: "1",
        extractor: "x1",
        configHash: "c",
        contentHash: sha256("c"),
        isShallow: false,
        files: 1,
        hasTexts: false,
        index,
        tree,
      },
      { chunks: (await store.blobs.chunksOf(index)) ?? [], blobs: [index.hash] },
    );
    await postgres.query(
      address,
      `update cra.snapshots set pushed_at = pushed_at - ${daysAgo * 86_400_000 + at} where commit_hash = '${commit}'`,
    );
    return commit;
  };
  const commits = [
    await pushOne(1, "main", 90),
    await pushOne(2, "main", 40),
    await pushOne(3, "old", 90),
    await pushOne(4, "pr/1", 0),
  ];
  const rule = { days: 30, branches: ["pr/*"], repositories: [], dryRun: true };
  const shown = await store.prune(rule);
  expect(shown.snapshots.map(({ commit }) => commit).sort()).toEqual([commits[0] ?? "", commits[3] ?? ""]);
  expect((await store.snapshots.list("r")).length).toBe(4);
  // What was pushed within a day stays: a push that is running may need it.
  expect(await store.prune({ ...rule, dryRun: false })).toMatchObject({ facts: 0, chunks: 0 });
  for (const table of ["facts", "chunks", "blobs"])
    await postgres.query(address, `update cra.${table} set used_at = 1`);
  const pruned = await store.prune({ ...rule, dryRun: false });
  expect(pruned).toMatchObject({ snapshots: [], facts: 2, blobs: 2 });
  for (const snapshot of await store.snapshots.list("r")) {
    let bytes = 0;
    for await (const piece of store.blobs.get(snapshot.index, { chunks: 0, bytes: 0 })) bytes += piece.length;
    expect(bytes).toBe(snapshot.index.bytes);
  }
  await store.close();
});

onPostgres("repositories to prune are named as those of a grant are, as many as are given", async () => {
  const address = await newStore();
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  for (const name of ["acme/app", "acme/web", "team/app"])
    await runHere(["push", "--to", address, "--name", name], { cwd: repo.path });
  const prune = async (...names: readonly string[]): Promise<readonly string[]> => {
    const repositories = names.flatMap((name) => ["--repository", name]);
    const options = ["--branch", "main", ...repositories, "--dry-run", "--at", address, "--json"];
    const { commits } = JSON.parse((await runHere(["store", "prune", ...options], { cwd: "/" })).stdout);
    return commits.map(({ repository }: { repository: string }) => repository);
  };
  expect(await prune()).toEqual(["acme/app", "acme/web", "team/app"]);
  expect(await prune("acme/app", "team/app")).toEqual(["acme/app", "team/app"]);
  expect(await prune("acme/*")).toEqual(["acme/app", "acme/web"]);
  expect(await prune("acme")).toEqual([]);
});

onPostgres("a branch is checked and exported however many commits were pushed to others since", async () => {
  const address = await newStore();
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  await runHere(["push", "--to", address, "--name", "team/app", "--with-text"], { cwd: repo.path });
  await postgres.query(
    address,
    `insert into cra.snapshots
     select repository, lpad(to_hex(n), 40, '0'), build, 'other', cra_version, 'of another cra', config_hash, content_hash, is_shallow,
       files, has_texts, index_hash, index_bytes, tree_hash, tree_bytes, pushed_at + n
     from cra.snapshots, generate_series(1, 1000) n`,
  );
  using folder = tempFolder();
  const run = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await runHere(["store", ...args, "--at", address, "--json"], { cwd: folder.path })).stdout);
  expect(await run("check")).toMatchObject({ commits: [{ repository: "team/app", branch: "main", why: null }] });
  expect(await run("export", "files")).toMatchObject({ written: [{ repository: "team/app", entries: 1 }] });
});

onPostgres("an export of a store is taken by cra index --import", async () => {
  const address = await newStore();
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n", "b.py": "def two():\n    return 2\n" }, { git: true });
  await runHere(["push", "--to", address, "--name", "team/app"], { cwd: repo.path });
  using folder = tempFolder();
  const run = await runHere(["store", "export", "out", "--at", address], { cwd: folder.path });
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  expect(readdirSync(join(folder.path, "out"))).toEqual(["team+app.cra-export"]);
  const other = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  const file = join(folder.path, "out", "team+app.cra-export");
  expect(existsSync(file)).toBe(true);
  const taken = await runHere(["index", "--import", file, "--json"], { cwd: other.path });
  expect(JSON.parse(taken.stdout)).toMatchObject({ parsed: 0, imported: { entries: 2, taken_over: 1 } });
  other[Symbol.dispose]();
});

onPostgres("an export keeps what is in its folder, renews its own files, and says what cannot be written", async () => {
  const address = await newStore();
  using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
  await runHere(["push", "--to", address, "--name", "team/app"], { cwd: repo.path });
  using folder = tempFolder();
  const out = (name: string): string => join(folder.path, name);
  const run = (name: string) => runHere(["store", "export", name, "--at", address], { cwd: folder.path });
  mkdirSync(out("full"));
  writeFileSync(out("full/mine.txt"), "mine");
  writeFileSync(out("full/team+app.cra-export"), "old");
  expect(await run("full")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(out("full/mine.txt"), "utf8")).toBe("mine");
  expect(readFileSync(out("full/team+app.cra-export")).byteLength).toBeGreaterThan(100);
  writeFileSync(out("file"), "mine");
  expect(await run("file")).toMatchObject({ exitCode: 74, stderr: expect.stringContaining("something else is there") });
  expect(readFileSync(out("file"), "utf8")).toBe("mine");
  mkdirSync(out("taken/team+app.cra-export"), { recursive: true });
  expect(await run("taken")).toMatchObject({ exitCode: 74, stderr: expect.stringContaining("is a folder") });
});

onPostgres("a content that comes in many small chunks is kept whole, as one if it is small", async () => {
  const store = await open(await newStore());
  for (const [count, bytes] of [
    [64, 1_024],
    [65, 1_024],
    [3, 20_000],
    [130, 1_100],
  ] as const) {
    const chunks = Array.from({ length: count }, (_, at) => Buffer.alloc(bytes, at % 256));
    const name = await store.blobs.put(chunks, { chunks: 0, bytes: 0 });
    const read: Uint8Array[] = [];
    for await (const chunk of store.blobs.get(name, { chunks: 0, bytes: 0 })) read.push(chunk);
    expect(Buffer.concat(read)).toEqual(Buffer.concat(chunks));
  }
  await store.close();
});
