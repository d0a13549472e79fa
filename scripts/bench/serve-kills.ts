/**
 * Kills servers of a store at random moments while readers ask: `npm run bench -- serve-kills REPOSITORY [kills]`, by default 40 times.
 *
 * Two commits are pushed with their texts. Two servers share a data folder, three readers ask them without pause, and again and again the
 * other commit becomes the newest, so that servers fetch indexes while they are killed with SIGKILL. Every answer has to be that of a checkout
 * of one of the commits, and a server that was started again has to give those of the newest. Writes `results/serve-kills.md` and
 * exits with 1 for any other answer.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, postgresProblem, type SharedPostgres, sharedPostgres } from "../../tests/support/postgres.ts";
import { cleanEnvironment } from "../../tests/support/run-cra.ts";
import { runHere } from "../../tests/support/run-here.ts";
import { freshBinary } from "../binary.ts";
import { git, newStore, packageOf, tasksOf } from "./team-tools.ts";

const RESULTS = join(import.meta.dir, "results");
const NAME = "example.com/served";
const TASKS = 6;
const COMMITS_BETWEEN = 10;
const READERS = 3;
/** A server lives for at most so long. */
const LIFE_MS = 4_000;

type Commit = { readonly hash: string; readonly packages: readonly string[] };
type Scene = {
  readonly program: string;
  readonly postgres: SharedPostgres;
  readonly address: string;
  readonly place: string;
  readonly token: string;
  readonly tasks: readonly string[];
  readonly commits: readonly Commit[];
  readonly breaches: string[];
  readonly counts: Record<"kills" | "answers" | "cut" | "busy" | "after", number>;
};
type Server = { readonly url: string; readonly child: Bun.Subprocess };

/** Returns the exit code. */
export async function serveKills(source: string, kills: number): Promise<number> {
  if (postgresProblem !== null) {
    process.stderr.write(`bench: ${postgresProblem}\n`);
    return 2;
  }
  const program = await freshBinary();
  const postgres = await sharedPostgres();
  const place = mkdtempSync(join(postgres.folder, "clones-"));
  const address = await newStore(postgres);
  const counts = { kills: 0, answers: 0, cut: 0, busy: 0, after: 0 };
  const pushed = await pushTwo(source, place, address);
  const granted = await runHere(["store", "grant", "reader", "--repository", "*", "--at", address], { cwd: "/" });
  const token = granted.stdout.trim();
  const scene: Scene = { program, postgres, address, place, token, ...pushed, breaches: [], counts };
  await play(scene, kills);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "serve-kills.md"), report(scene));
  for (const breach of scene.breaches) process.stderr.write(`bench: ${breach}\n`);
  return scene.breaches.length === 0 ? 0 : 1;
}

/** Pushes two commits, and makes the packages of each from its checkout. */
async function pushTwo(source: string, place: string, address: string): Promise<Pick<Scene, "tasks" | "commits">> {
  const commits: Commit[] = [];
  const tasks = tasksOf(source, TASKS);
  for (const back of [COMMITS_BETWEEN, 0]) {
    const clone = join(place, `clone${back}`);
    git(".", "clone", "--quiet", source, clone);
    git(clone, "checkout", "--quiet", "-B", "main", `HEAD~${back}`);
    const run = await runHere(["push", "--to", address, "--name", NAME, "--with-text"], { cwd: clone });
    if (run.exitCode !== 0) throw new Error(run.stderr);
    const packages: string[] = [];
    for (const task of tasks) packages.push(await packageOf(clone, task));
    commits.push({ hash: git(clone, "rev-parse", "HEAD").trim(), packages });
  }
  return { tasks, commits };
}

async function play(scene: Scene, kills: number): Promise<void> {
  const ended = new AbortController();
  const servers = [await start(scene), await start(scene)];
  const readers = Array.from({ length: READERS }, () => readOn(scene, servers, ended.signal));
  for (let kill = 1; kill <= kills; kill += 1) {
    const newest = scene.commits[Math.floor(Math.random() * 2)];
    await scene.postgres.query(
      scene.address,
      `update cra.snapshots set pushed_at = (extract(epoch from clock_timestamp()) * 1000)::bigint where commit_hash = '${newest?.hash}'`,
    );
    await Bun.sleep(Math.random() * LIFE_MS);
    const at = Math.floor(Math.random() * servers.length);
    const victim = servers[at];
    victim?.child.kill("SIGKILL");
    await victim?.child.exited;
    scene.counts.kills += 1;
    const again = await start(scene);
    servers[at] = again;
    for (const [task, text] of scene.tasks.entries()) {
      const answer = await ask(scene, again.url, text);
      if (answer.status === 200 && answer.text === newest?.packages[task]) scene.counts.after += 1;
      else scene.breaches.push(`after kill ${kill}: ${answer.status} and not the newest package for: ${text}`);
    }
    process.stdout.write(`${kill}: ${JSON.stringify(scene.counts)}, ${scene.breaches.length} breaches\n`);
  }
  ended.abort();
  await Promise.all(readers);
  for (const { child } of servers) child.kill("SIGTERM");
  for (const { child } of servers) await child.exited;
}

async function start({ program, address, place }: Scene): Promise<Server> {
  const port = await freePort();
  const options = ["--data-dir", join(place, "data"), "--refresh", "1", "--rate", "1000000", "--time-limit", "240"];
  const child = Bun.spawn([program, "serve", "--from", address, "--listen", `127.0.0.1:${port}`, ...options], {
    cwd: place,
    env: cleanEnvironment(join(place, "home")),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if ((await fetch(`${url}/healthz`).catch(() => null))?.ok) return { url, child };
    await Bun.sleep(50);
  }
}

/** `status` is 0 when the server went away. */
async function ask(
  { token }: Scene,
  url: string,
  task: string,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(`${url}/v1/retrieve`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ repository: NAME, task }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

async function readOn(scene: Scene, servers: readonly Server[], until: AbortSignal): Promise<void> {
  const { tasks, commits, counts, breaches } = scene;
  for (let turn = 0; !until.aborted; turn += 1) {
    const task = turn % tasks.length;
    const { status, text } = await ask(scene, servers[turn % servers.length]?.url ?? "", tasks[task] ?? "");
    if (status === 0) {
      counts.cut += 1;
      await Bun.sleep(50);
    } else if (status === 503) counts.busy += 1;
    else if (status === 200 && commits.some(({ packages }) => packages[task] === text)) counts.answers += 1;
    else breaches.push(`a reader got ${status} and a package of no commit for: ${tasks[task]}`);
  }
}

function report({ counts, breaches }: Scene): string {
  return `# Servers of a store, killed

What \`npm run bench -- serve-kills\` found. Two servers share a data folder, ${READERS} readers ask them without pause, and the newest commit of the store
changes again and again, so that indexes are fetched meanwhile. One of the servers gets a SIGKILL at a random moment and is started again, ${counts.kills} times.

- Answers to readers, each byte-equal to the package of a checkout of one of the commits: ${counts.answers}.
- Answers of servers that were just started again, each byte-equal to the package of the newest commit: ${counts.after}.
- Requests that ended with their server: ${counts.cut}; that were told to come again: ${counts.busy}.

${breaches.length === 0 ? "Nothing was lost or different." : `Not as it should be:\n\n${breaches.map((breach) => `- ${breach}`).join("\n")}`}
`;
}
