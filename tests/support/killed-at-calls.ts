/**
 * Kills cra at the system calls that change a file of its data folder, and tries what users do next in the state that is left.
 *
 * `kill-at-call.ts` does the killing. It needs Linux on x64, and the right to trace processes.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { binary } from "./binary.ts";
import { type Beginning, type FaultSubject, ON_ONE_THREAD } from "./fault-subject.ts";
import { tempFolder } from "./folder.ts";
import { briefEnvironment, runCra } from "./run-cra.ts";
import type { RunsCra } from "./run-here.ts";

/** Kinds of points and how many of each a run passes. */
const Passed = z.array(z.tuple([z.string(), z.int()]));
export type Passed = z.infer<typeof Passed>;

const KILLER = join(import.meta.dir, "kill-at-call.ts");

/** Runs a command that is killed at a point, "" for none. `dataDir` is the folder whose calls count. */
async function trace(point: string, dataDir: string, command: readonly string[], cwd: string): Promise<Passed> {
  using home = tempFolder();
  const child = Bun.spawn([process.execPath, KILLER, point, dataDir, ...command], {
    cwd,
    env: { ...briefEnvironment(home.path), ...ON_ONE_THREAD },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  return Passed.parse(JSON.parse(await new Response(child.stdout).text()));
}

/** Whether processes can be killed at their calls here. */
export async function canKillAtCalls(): Promise<boolean> {
  if (process.platform !== "linux" || process.arch !== "x64") return false;
  using folder = tempFolder();
  try {
    const command = ["mkdir", join(folder.path, "made")];
    const passed = await trace("1 mkdir made begun", folder.path, command, folder.path);
    return passed.length > 0 && !existsSync(join(folder.path, "made"));
  } catch {
    return false;
  }
}

const TASK = "Part5.run is slow";

/** What is killed, and the state that it begins with. */
type Errand = { readonly beginning: Beginning; readonly words: readonly string[] };
export const ERRANDS = {
  "first index": { beginning: "nothing", words: ["index", "-q"] },
  "next index": { beginning: "first state", words: ["index", "-q"] },
  "first answer": { beginning: "nothing", words: ["retrieve", TASK, "-q"] },
  retrieve: { beginning: "second state", words: ["retrieve", TASK, "-q"] },
  remember: { beginning: "second state", words: ["remember", "CI runs on Node 20 only"] },
} as const satisfies Record<string, Errand>;
export type ErrandName = keyof typeof ERRANDS;

/** The points that an errand passes, in the order of their first one. */
export async function pointsOf(subject: FaultSubject, errand: ErrandName): Promise<Passed> {
  const dataDir = subject.begin(ERRANDS[errand].beginning);
  const passed = await trace("", dataDir, await commandOf(errand, dataDir), subject.repo.path);
  await subject.after(dataDir);
  return passed;
}

const commandOf = async (errand: ErrandName, dataDir: string): Promise<readonly string[]> => [
  await binary(),
  ...ERRANDS[errand].words,
  "--data-dir",
  dataDir,
];

/** What users do next, and the exit codes that they may get: 10 says that there is no index yet. */
const NEXT: readonly (readonly [words: readonly string[], codes: readonly number[]])[] = [
  [["doctor"], [0, 10]],
  [["status"], [0]],
  [["sessions"], [0]],
  [
    ["retrieve", TASK, "-q"],
    [0, 10],
  ],
];

/** What a kill leaves. `struck`: the run had not ended before, because its threads took turns in another order. */
export type Aftermath = { readonly struck: boolean; readonly breaches: readonly string[] };

/**
 * What is wrong after an errand was killed at a point: with each of the next commands on its own, and with the next index run.
 * `run` runs the next commands.
 */
export async function killedAt(
  subject: FaultSubject,
  errand: ErrandName,
  point: string,
  run: RunsCra = runCra,
): Promise<Aftermath> {
  const dataDir = subject.begin(ERRANDS[errand].beginning);
  const passed = await trace(point, dataDir, await commandOf(errand, dataDir), subject.repo.path);
  const breaches: string[] = [];
  for (const [words, codes] of NEXT) {
    const copy = `${dataDir}-${words[0]}`;
    mkdirSync(copy);
    cpSync(dataDir, copy, { recursive: true });
    const next = await run([...words, "--data-dir", copy], { cwd: subject.repo.path, env: ON_ONE_THREAD });
    rmSync(copy, { recursive: true });
    if (next.exitCode === null || !codes.includes(next.exitCode))
      breaches.push(`cra ${words[0]}: ${next.exitCode ?? next.signal} ${next.stdout}${next.stderr}`);
  }
  breaches.push(...(await subject.after(dataDir)).breaches);
  const [number, kind] = [Number.parseInt(point, 10), point.slice(point.indexOf(" ") + 1)];
  return {
    struck: passed.some(([name, count]) => name === kind && count >= number),
    breaches: breaches.map((breach) => `${errand}, ${point}: ${breach}`),
  };
}
