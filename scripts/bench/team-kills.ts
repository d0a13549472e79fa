/**
 * Kills everything around a team's store at random moments: `npm run bench -- team-kills REPOSITORY [rounds]`, by default 25 rounds.
 *
 * In each round two clones at different commits push, a third indexes from the store and shares what is missing, a worker parses, and a
 * reader assembles every visible commit over and over. Both pushes, the index run and the worker are killed once with SIGKILL and started
 * again, and so is PostgreSQL. Writes `results/team-kills.md` and exits with 1 if anything half was visible, lost or different.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXTRACTOR } from "../../src/app/indexing/indexing-deps.ts";
import { assembleIndex } from "../../src/app/team/assemble-index.ts";
import { Failed } from "../../src/failure.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { postgresProblem, type SharedPostgres, sharedPostgres } from "../../tests/support/postgres.ts";
import { cleanEnvironment } from "../../tests/support/run-cra.ts";
import { runHere } from "../../tests/support/run-here.ts";
import { freshBinary } from "../binary.ts";
import { git, newStore, packageOf, tasksOf } from "./team-tools.ts";

const RESULTS = join(import.meta.dir, "results");
const NAME = "example.com/killed";
const TASKS = 4;
/** The second clone pushes a commit this far back. */
const COMMITS_BETWEEN = 10;
const NEVER = new AbortController().signal;
/** A store that does not answer, as `cra` says it with its exit code. */
const UNAVAILABLE = 74;
const TRIES_MAX = 20;

/** What one of the processes does. It is killed within `ms`. */
type Errand = { readonly words: readonly string[]; readonly cwd: string; readonly ms: number };
type Scene = {
  readonly program: string;
  readonly postgres: SharedPostgres;
  readonly address: string;
  readonly place: string;
  readonly source: string;
  readonly breaches: string[];
  readonly counts: Record<"push" | "index" | "work" | "server" | "whole" | "packages", number>;
};

/** Returns the exit code. */
export async function teamKills(source: string, rounds: number): Promise<number> {
  if (postgresProblem !== null) {
    process.stderr.write(`bench: ${postgresProblem}\n`);
    return 2;
  }
  const program = await freshBinary();
  const postgres = await sharedPostgres();
  const place = mkdtempSync(join(postgres.folder, "clones-"));
  const counts = { push: 0, index: 0, work: 0, server: 0, whole: 0, packages: 0 };
  const address = await newStore(postgres);
  const scene: Scene = { program, postgres, address, place, source, breaches: [], counts };
  await play(scene, rounds);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "team-kills.md"), report(scene, rounds));
  for (const breach of scene.breaches) process.stderr.write(`bench: ${breach}\n`);
  return scene.breaches.length === 0 ? 0 : 1;
}

async function play(scene: Scene, rounds: number): Promise<void> {
  const { address, place, source } = scene;
  const [newest, older, plain] = ["newest", "older", "plain"].map((name) => cloneTo(source, join(place, name)));
  if (newest === undefined || older === undefined || plain === undefined) throw new Error("no clones");
  git(older, "checkout", "--quiet", `HEAD~${COMMITS_BETWEEN}`);
  for (const cwd of [newest, older, plain]) await runHere(["index"], { cwd });
  const tasks = tasksOf(plain, TASKS);
  const wanted = await packagesOf(plain, tasks);
  const pushWords = ["push", "--to", address, "--name", NAME, "--with-text"];
  const pushMs = 2 * (await timeOf(scene, { words: pushWords, cwd: newest, ms: 0 }));
  for (let round = 1; round <= rounds; round += 1) {
    // There is everything to send again.
    await scene.postgres.query(address, "truncate cra.snapshots, cra.chunks, cra.blobs, cra.facts, cra.jobs");
    const taken = cloneTo(source, join(place, `taken${round}`));
    const ended = new AbortController();
    const pushes = [newest, older].map((cwd) => killedOnce(scene, "push", { words: pushWords, cwd, ms: pushMs }));
    const indexed = killedOnce(scene, "index", {
      words: ["index", "--from", address, "--name", NAME, "--share"],
      cwd: taken,
      ms: pushMs,
    });
    const worked = killedOnce(
      scene,
      "work",
      { words: ["work", "--from", address], cwd: "/", ms: pushMs },
      ended.signal,
    );
    const crashed = crash(scene, pushMs);
    const looked = look(scene, ended.signal);
    await Promise.all([...pushes, indexed, crashed]);
    ended.abort();
    await Promise.all([worked, looked]);
    await afterwards(scene, round, [newest, older]);
    const packages = await packagesOf(taken, tasks);
    for (const [at, one] of packages.entries())
      if (one !== wanted[at]) scene.breaches.push(`round ${round}: another package for: ${tasks[at]}`);
    scene.counts.packages += packages.length;
    rmSync(taken, { recursive: true, force: true });
    process.stdout.write(`${round}: ${JSON.stringify(scene.counts)}, ${scene.breaches.length} breaches\n`);
  }
}

function cloneTo(source: string, path: string): string {
  git(".", "clone", "--quiet", source, path);
  return path;
}

async function packagesOf(repo: string, tasks: readonly string[]): Promise<readonly string[]> {
  const packages: string[] = [];
  for (const task of tasks) packages.push(await packageOf(repo, task));
  if (packages.includes("")) throw new Error("a package is empty");
  return packages;
}

function start({ program, place }: Scene, { words, cwd }: Errand) {
  const env = cleanEnvironment(join(place, "home"));
  return Bun.spawn([program, ...words], { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
}

async function timeOf(scene: Scene, errand: Errand): Promise<number> {
  const started = performance.now();
  const child = start(scene, errand);
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
  return performance.now() - started;
}

/**
 * Kills a process at a random moment, then starts it until it ends well. A server that is killed meanwhile is an answer, too. With
 * `until`, the process is ended at this signal instead.
 */
async function killedOnce(scene: Scene, kind: "push" | "index" | "work", errand: Errand, until?: AbortSignal) {
  const victim = start(scene, errand);
  await Bun.sleep(Math.random() * errand.ms);
  if (victim.exitCode === null) {
    victim.kill("SIGKILL");
    scene.counts[kind] += 1;
  }
  await victim.exited;
  await endLeases(scene, victim.pid);
  const isOver = (): boolean => until?.aborted ?? false;
  for (let tries = 1; !isOver(); tries += 1) {
    const child = start(scene, errand);
    const end = (): void => child.kill("SIGTERM");
    until?.addEventListener("abort", end);
    const code = await child.exited;
    until?.removeEventListener("abort", end);
    await endLeases(scene, child.pid);
    if (code === 0 || isOver()) return;
    const said = await new Response(child.stderr).text();
    if (code !== UNAVAILABLE || tries === TRIES_MAX) {
      scene.breaches.push(`${kind} ended with ${code}: ${said.trim()}`);
      return;
    }
    await Bun.sleep(200);
  }
}

/** The two minutes until the leases of a dead process end are over. */
async function endLeases({ postgres, address }: Scene, pid: number): Promise<void> {
  const sql = `update cra.jobs set leased_until = leased_until - 120000 where state = 'running' and worker like '% ${pid} %'`;
  for (;;) {
    try {
      await postgres.query(address, sql);
      return;
    } catch {
      await Bun.sleep(100); // The server starts again.
    }
  }
}

async function crash({ postgres, counts }: Scene, ms: number): Promise<void> {
  await Bun.sleep(Math.random() * ms);
  await postgres.crash();
  counts.server += 1;
}

/** Assembles everything that is visible, until the signal. */
async function look(scene: Scene, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await assembleAll(scene).catch((error: unknown) => {
      const isAway = error instanceof Failed && error.failure.code === "store-unavailable";
      if (!isAway) scene.breaches.push(`half visible: ${error instanceof Error ? error.message : String(error)}`);
    });
    await Bun.sleep(100);
  }
}

/** Returns the visible commits. Throws for one that is not whole. */
async function assembleAll({ address, counts }: Scene): Promise<readonly string[]> {
  const store: Store = await openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);
  try {
    const snapshots = await store.snapshots.list(NAME);
    for (const snapshot of snapshots) {
      const folder = mkdtempSync(join(tmpdir(), "cra-look-"));
      try {
        await assembleIndex(store, snapshot, join(folder, "curated.sqlite"), "/r", NEVER);
        counts.whole += 1;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return snapshots.map(({ commit }) => commit);
  } finally {
    await store.close();
  }
}

/** After a round both commits are there and whole, and no job waits for anybody. */
async function afterwards(scene: Scene, round: number, clones: readonly string[]): Promise<void> {
  const commits = await assembleAll(scene);
  for (const clone of clones)
    if (!commits.includes(git(clone, "rev-parse", "HEAD").trim()))
      scene.breaches.push(`round ${round}: a commit whose push ended well is not visible`);
  // What an index run left that was killed.
  await timeOf(scene, { words: ["work", "--from", scene.address, "--until-done"], cwd: "/", ms: 0 });
  const [jobs] = await scene.postgres.query(
    scene.address,
    "select count(*) as open from cra.jobs where state in ('waiting', 'running')",
  );
  if (Number(jobs?.open) > 0) scene.breaches.push(`round ${round}: ${Number(jobs?.open)} jobs never came back`);
}

function report({ counts, breaches }: Scene, rounds: number): string {
  const { push, index, work, server, whole, packages } = counts;
  return `# A team's store, killed

What \`npm run bench -- team-kills\` found. In each of ${rounds} rounds two clones at different commits push, a third indexes from the store and shares what is
missing, a worker parses, and a reader makes the index of every visible commit over and over. Each process and PostgreSQL itself get a SIGKILL
at a random moment and are started again. Leases of dead processes end at once instead of after two minutes.

| killed | times |
| --- | ---: |
| \`cra push\` | ${push} |
| \`cra index --from\` | ${index} |
| \`cra work\` | ${work} |
| PostgreSQL | ${server} |
| all | ${push + index + work + server} |

A visible commit was assembled ${whole} times. After each round both commits had to be visible and whole, no job open, and the packages of the clone that indexed from
the store byte-equal to those of a plain checkout: ${packages} packages were compared. The store is emptied before each round. ${breaches.length === 0 ? "Nothing was half, lost or different." : `Not as it should be:\n\n${breaches.map((breach) => `- ${breach}`).join("\n")}`}
`;
}
