/**
 * Kills cra at random moments of an answer without an index, and of the index behind one: `npm run bench -- kills random`.
 *
 * After each kill the databases must be whole, the next answer that of a run that nobody killed, first or final, the next index
 * as well, and memories and the log of an earlier task as they were. Writes `results/random-kills.md`.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultSubject, faultSubject, indexCompiled } from "../../tests/support/fault-subject.ts";
import { tempFolder } from "../../tests/support/folder.ts";
import { MANY_FILES } from "../../tests/support/many-files.ts";
import { callTool, openMcp } from "../../tests/support/mcp-client.ts";
import { runCra, startCra } from "../../tests/support/run-cra.ts";
import { runHere } from "../../tests/support/run-here.ts";
import { freshBinary } from "../binary.ts";
import { inLanes } from "./lanes.ts";

const RESULTS = join(import.meta.dir, "results");
/** Modules, besides as many notes as keep an agent's first question from waiting for the index. */
const FILES = 60;
const TASK = "Part5.run is slow";
const EARLIER_TASK = "run7 returns the wrong number";

/** What is killed. `indexes`: it parses more than an answer needs. `run` returns whether the signal came before the end. */
type Errand = {
  readonly name: string;
  readonly indexes: boolean;
  readonly kills: number;
  run(scene: Scene, data: string, killMs: number): Promise<boolean>;
};

const words =
  (...given: readonly string[]) =>
  async ({ subject }: Scene, data: string, killMs: number): Promise<boolean> => {
    await using cra = await startCra([...given, "--data-dir", data], { cwd: subject.repo.path });
    const timer = setTimeout(() => cra.kill("SIGKILL"), killMs);
    const { signal } = await cra.ended;
    clearTimeout(timer);
    return signal === "SIGKILL";
  };

const ERRANDS: readonly Errand[] = [
  { name: "a first answer (`cra retrieve`)", indexes: false, kills: 50, run: words("retrieve", TASK, "-q") },
  { name: "the index behind a first answer (`cra mcp`)", indexes: true, kills: 30, run: behind },
  {
    name: "an answer that waits for the index (`cra retrieve --index`)",
    indexes: true,
    kills: 20,
    run: words("retrieve", TASK, "--index", "-q"),
  },
];

/** Asks for a first answer, and kills the server after it. The index that it makes meanwhile takes longer than the answer. */
async function behind({ subject }: Scene, data: string, killMs: number): Promise<boolean> {
  await using mcp = await openMcp({ cwd: subject.repo.path, args: ["--data-dir", data] });
  const { text } = await callTool(mcp, "retrieve", { task: TASK });
  if (!text.includes("the repository is being indexed now")) throw new Error("the server did not give a first answer");
  await Bun.sleep(killMs);
  if (mcp.pid === null) throw new Error("the server has ended");
  process.kill(mcp.pid, "SIGKILL");
  return true;
}

/** What a run that nobody killed leaves and says. */
type Scene = {
  readonly subject: FaultSubject;
  /** A data folder with a memory and the log and session of an earlier task, without index and caches. */
  readonly kept: string;
  readonly first: string;
  readonly final: string;
  readonly memories: string;
  readonly earlierId: string;
  readonly earlier: string;
  /** How long a first answer and an index take. */
  readonly answerMs: number;
  readonly indexMs: number;
};

type Row = {
  readonly name: string;
  readonly kills: number;
  readonly breaches: readonly string[];
};

/** Returns the exit code. */
export async function randomKills(): Promise<number> {
  await freshBinary();
  using subject = await faultSubject(FILES, indexCompiled, MANY_FILES);
  using folder = tempFolder();
  const scene = await sceneOf(subject, folder.path);
  const rows: Row[] = [];
  for (const errand of ERRANDS) {
    const tried = await inLanes(Array.from({ length: errand.kills }), (_, at) => killed(scene, errand, at));
    const row = { name: errand.name, kills: tried.length, breaches: tried.flat() };
    process.stdout.write(`${row.name}: ${row.kills} kills, ${row.breaches.length} breaches\n`);
    rows.push(row);
  }
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "random-kills.md"), report(rows));
  const breaches = rows.flatMap((row) => row.breaches);
  for (const breach of breaches) process.stderr.write(`bench: ${breach}\n`);
  return breaches.length === 0 ? 0 : 1;
}

async function sceneOf(subject: FaultSubject, kept: string): Promise<Scene> {
  const cra = craOf(subject, kept);
  await cra("remember", "CI runs on Node 20 only");
  const earlierId: string = JSON.parse(await cra("retrieve", EARLIER_TASK, "--json")).task_id;
  const [memories, earlier] = [await cra("recall", "--list", "--json"), await cra("log", earlierId, "--json")];
  for (const name of ["parse-cache.sqlite", "stat-cache.sqlite"]) rmSync(join(kept, name));
  const data = begin(subject, kept);
  const fresh = craOf(subject, data);
  const times: number[] = [];
  const timed = async (...args: readonly string[]): Promise<string> => {
    const started = performance.now();
    const output = await fresh(...args);
    times.push(performance.now() - started);
    return output;
  };
  const first = await timed("retrieve", TASK, "-q");
  if ((await fresh("retrieve", TASK, "-q")) !== first) throw new Error("a second first answer differs");
  await timed("index", "-q");
  const final = await fresh("retrieve", TASK, "-q");
  rmSync(data, { recursive: true });
  const [answerMs = 0, indexMs = 0] = times;
  return { subject, kept, first, final, memories, earlierId, earlier, answerMs, indexMs };
}

function begin(subject: FaultSubject, kept: string): string {
  const data = subject.begin("nothing");
  cpSync(kept, data, { recursive: true });
  return data;
}

/** Runs the binary in a data folder. Throws unless it ends well. */
const craOf =
  ({ repo }: FaultSubject, data: string) =>
  async (...args: readonly string[]): Promise<string> => {
    const run = await runCra([...args, "--data-dir", data], { cwd: repo.path });
    if (run.exitCode !== 0)
      throw new Error(`cra ${args.join(" ")}: ${run.exitCode ?? run.signal} ${run.stderr.trim()}`);
    return run.stdout;
  };

/** What is wrong after one kill. */
async function killed(scene: Scene, errand: Errand, at: number): Promise<readonly string[]> {
  const { subject, kept, first, final, memories, earlierId, earlier, answerMs, indexMs } = scene;
  const longest = errand.indexes ? indexMs : answerMs;
  let data = begin(subject, kept);
  let killMs = Math.random() * longest;
  // A run can end before its moment.
  while (!(await errand.run(scene, data, killMs))) {
    rmSync(data, { recursive: true });
    data = begin(subject, kept);
    killMs = Math.random() * killMs;
  }
  const breaches: string[] = [];
  const expectThat = (is: boolean, what: string): void => {
    if (!is) breaches.push(`${errand.name}, kill ${at + 1} after ${killMs.toFixed(0)} ms: ${what}`);
  };
  const cwd = subject.repo.path;
  const cra = craOf(subject, data);
  try {
    const doctor = await runCra(["doctor", "--data-dir", data], { cwd });
    expectThat(doctor.exitCode === 0 || doctor.exitCode === 10, `cra doctor: ${doctor.exitCode} ${doctor.stdout}`);
    const next = await cra("retrieve", TASK, "-q");
    // Of what the index had parsed, an answer takes more files; the same state gives the same answer.
    const hasMore = errand.indexes && doctor.exitCode === 10 && stateOf(next) !== stateOf(first);
    const wanted = doctor.exitCode === 0 ? final : hasMore ? await cra("retrieve", TASK, "-q") : first;
    expectThat(next === wanted, "the next answer is another one");
    await cra("index", "-q");
    expectThat((await cra("retrieve", TASK, "-q")) === final, "the answer after the next index is another one");
    const here = async (...args: readonly string[]): Promise<string> =>
      (await runHere([...args, "--json", "--data-dir", data], { cwd })).stdout;
    expectThat((await here("recall", "--list")) === memories, "a memory is lost");
    expectThat((await here("log", earlierId)) === earlier, "the log of an earlier task is another one");
    const sessions = await here("sessions");
    expectThat(sessions.includes(earlierId), "the session of an earlier task is lost");
  } catch (error) {
    expectThat(false, error instanceof Error ? error.message : String(error));
  }
  // Compares the index, and removes the folder.
  for (const breach of (await subject.after(data)).breaches) expectThat(false, breach);
  return breaches;
}

/** What a first answer calls the files and which of them are parsed. */
const stateOf = (answer: string): string => /\(state ([0-9a-f]{12})\)/.exec(answer)?.[1] ?? "";

function report(rows: readonly Row[]): string {
  const total = rows.reduce((sum, { kills }) => sum + kills, 0);
  return `# Kills at random moments

What \`npm run bench -- kills random\` found: ${total} kills with SIGKILL at random moments of runs in a repository of ${Object.keys(MANY_FILES).length + FILES} files without
an index, with a memory and the log of an earlier task. After each, \`cra doctor\` had to find nothing, \`cra retrieve\` to give the
bytes of a run that nobody killed: the final answer with an index, else the first one, or where the index had parsed more, the same
for the same state. \`cra index\` had to make the same index as from nothing, and the answer from it to be the final one. Memories,
the log and the session of the earlier task had to be as they were.

| killed | kills | breaches |
| --- | ---: | ---: |
${rows.map(({ name, kills, breaches }) => `| ${name} | ${kills} | ${breaches.length} |`).join("\n")}
${rows.flatMap(({ breaches }) => breaches.map((breach) => `\n- ${breach}`)).join("")}`;
}
