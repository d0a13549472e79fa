/**
 * Measures one task on a large repository: the last part of `npm run bench`, alone with `-- query [repository [file
 * with a task]]`.
 *
 * The default repository is six copies of the pinned corpus (6,072 files) with different names in each. Figures are
 * whole processes that run one task each; the inside time comes from the log of the run. Most of a process's time is
 * code that runs for the first time, so "warm" is the inside time in a process that runs tasks in turn
 * (`one-process.ts`), after its first round. The first task is asked again with a pause before each run. The index is
 * stored beside the corpora, never in a given repository. Exits with 1 and names the limits that are missed.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import type { Corpus } from "./corpus.ts";
import type { Unavailable } from "./fetch-archive.ts";
import { insideMs } from "./inside.ts";
import { type Measured, measure, runOnce, type Sample } from "./measure.ts";
import { ISSUE, LINE, TRACE } from "./tasks.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "query");
const RUNS = 7;
const COPIES = 6;

/** On an idle machine with two cores. */
const WARM_MS_MAX = 150;
const PROCESS_MS_MAX = 500;

const LONG_BYTES = 200_000;

/** A host may take back what a virtual machine does not use. After so long it has. */
const PAUSE_MS = 6_000;
const RUNS_AFTER_PAUSE = 3;
/** Times the same task without pauses. */
const AFTER_PAUSE_MAX = 2;
const AFTER_PAUSE = "after a pause";

type Task = { readonly name: string; readonly text: string; readonly isBounded: boolean };
type Row = {
  readonly name: string;
  readonly measured: Measured;
  readonly insideMs: number;
  readonly warmMs: number | null;
  readonly task: Task | null;
};

/** Runs the benchmark. The number is an exit code. */
export async function query(program: string, repository?: string, taskFile?: string): Promise<number> {
  const root = repository === undefined ? await makeCopies() : resolve(repository);
  if (typeof root !== "string") {
    process.stderr.write(`bench: ${root.unavailable}\n`);
    return 2;
  }
  const data = join(FOLDER, "data");
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const env = { HOME: FOLDER, PATH: process.env.PATH ?? "" };
  const cra = (args: readonly string[], stdin: string): Promise<Sample> =>
    runOnce({ command: [program, ...args, "--repo", root, "--data-dir", data], cwd: FOLDER, env, stdin });
  const first = await cra(["index"], "");
  const rows: Row[] = [];
  const tasks = tasksOf(taskFile);
  const warm = await warmTimes(root, data, tasks);
  for (const task of tasks)
    rows.push({
      ...(await rowOf(task.name, task, data, () => cra(["retrieve", "-"], task.text))),
      warmMs: warm.get(task.name) ?? null,
    });
  const asItIs = tasks[0]?.text ?? "";
  rows.push(await rowOf("no refresh", null, data, () => cra(["retrieve", "-", "--no-refresh"], asItIs)));
  const rested = async (): Promise<Sample> => {
    await Bun.sleep(PAUSE_MS);
    return cra(["retrieve", "-"], asItIs);
  };
  rows.push(await rowOf(AFTER_PAUSE, null, data, rested, RUNS_AFTER_PAUSE));
  print(root, first, rows);
  return report(rows);
}

function tasksOf(file: string | undefined): readonly Task[] {
  const own = file === undefined ? [] : [{ name: "the file", text: readFileSync(file, "utf8"), isBounded: true }];
  return [
    ...own,
    { name: "a word", text: "animation", isBounded: true },
    { name: "a line", text: LINE, isBounded: true },
    { name: "an issue", text: ISSUE, isBounded: true },
    { name: "a stack trace", text: TRACE, isBounded: true },
    { name: "200 KB", text: longTask(), isBounded: false },
  ];
}

/** Issues one after another, in which every number differs. */
function longTask(): string {
  let text = "";
  for (let copy = 0; text.length < LONG_BYTES; copy += 1)
    text += `${ISSUE}\n${TRACE}\n`.replaceAll(/\d+/g, (digits) => `${digits}${copy}`);
  return text.slice(0, LONG_BYTES);
}

async function rowOf(
  name: string,
  task: Task | null,
  data: string,
  take: () => Promise<Sample>,
  runs = RUNS,
): Promise<Row> {
  const inside: number[] = [];
  const measured = await measure(runs, async () => {
    const sample = await take();
    inside.push(insideMs(data));
    return sample;
  });
  return { name, measured, insideMs: middle(inside.slice(1)), warmMs: null, task };
}

/** The median time of each bounded task in one process that runs them in turn, without its first round. */
async function warmTimes(root: string, data: string, tasks: readonly Task[]): Promise<ReadonlyMap<string, number>> {
  const bounded = tasks.filter(({ isBounded }) => isBounded);
  const command = [process.execPath, join(import.meta.dir, "one-process.ts"), root, data, String(RUNS + 1)];
  const times = z
    .array(z.array(z.number()))
    .parse(JSON.parse(await output(command, FOLDER, JSON.stringify(bounded.map(({ text }) => text)))));
  return new Map(bounded.map(({ name }, index) => [name, middle((times[index] ?? []).slice(1))]));
}

function middle(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Each copy appends its number to every two-word capitalised name, so that no two files are equal and imports still resolve. */
const JOINED_WORDS = /\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g;

/** Creates the copies, or returns why it cannot. */
async function makeCopies(): Promise<string | Unavailable> {
  const corpus: Corpus | Unavailable = JSON.parse(
    await output([process.execPath, join(import.meta.dir, "corpus.ts"), dirname(FOLDER)], dirname(FOLDER)),
  );
  if ("unavailable" in corpus) return corpus;
  const root = join(FOLDER, "copies");
  rmSync(root, { recursive: true, force: true });
  const paths = (await output(["git", "ls-files", "-z"], corpus.root)).split("\0").filter((path) => path !== "");
  for (let copy = 0; copy < COPIES; copy += 1) {
    const renamed = (text: string): string => (copy === 0 ? text : text.replace(JOINED_WORDS, (name) => name + copy));
    for (const path of paths) {
      const to = join(root, copy === 0 ? "" : `part${copy}`, renamed(path));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, renamed(readFileSync(join(corpus.root, path), "utf8")));
    }
  }
  await output(["git", "init", "-q"], root);
  await output(["git", "add", "-A"], root);
  await output(
    ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "All of it"],
    root,
  );
  return root;
}

async function output(command: readonly string[], cwd: string, stdin = ""): Promise<string> {
  mkdirSync(cwd, { recursive: true });
  const child = Bun.spawn([...command], { cwd, stdin: new Blob([stdin]), stdout: "pipe", stderr: "pipe" });
  const [text, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${errors.trim()}`);
  return text;
}

function print(root: string, first: Sample, rows: readonly Row[]): void {
  const say = (text: string): boolean => process.stdout.write(`${text.trimEnd()}\n`);
  say(
    `${root}\nfirst index: ${ms(first.wallMs)}; machine: ${navigator.hardwareConcurrency} cores, Bun ${Bun.version}\n`,
  );
  say(
    `${"".padEnd(16)}${["start to exit", "min", "processor", "inside", "inside, warm"].map((cell) => cell.padStart(15)).join("")}`,
  );
  for (const { name, measured, insideMs: inside, warmMs: warm } of rows) {
    const cells = [measured.wallMs, measured.wallMsMin, measured.cpuMs, inside].map(ms);
    if (warm !== null) cells.push(ms(warm));
    say(`${name.padEnd(16)}${cells.map((cell) => cell.padStart(15)).join("")}`);
  }
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

function report(rows: readonly Row[]): number {
  let missed = 0;
  for (const { name, task, measured, warmMs: warm } of rows) {
    if (task?.isBounded !== true) continue;
    const gates = [
      ["inside, warm,", warm ?? Number.POSITIVE_INFINITY, WARM_MS_MAX],
      ["start to exit", measured.wallMs, PROCESS_MS_MAX],
    ] as const;
    for (const [what, time, most] of gates) {
      if (time < most) continue;
      missed += 1;
      process.stderr.write(`bench: missed: retrieve, ${name}: ${what} below ${most} ms (${ms(time)})\n`);
    }
  }
  const rested = rows.find(({ name }) => name === AFTER_PAUSE)?.measured.wallMs ?? 0;
  const times = rested / (rows[0]?.measured.wallMs ?? rested);
  if (times > AFTER_PAUSE_MAX) {
    missed += 1;
    process.stderr.write(
      `bench: missed: retrieve, ${AFTER_PAUSE}: at most ${AFTER_PAUSE_MAX} times as long (${times.toFixed(1)})\n`,
    );
  }
  return missed === 0 ? 0 : 1;
}
