/**
 * Runs tasks one after another in one process, as a long-lived one would, and prints their times.
 *
 * `query.ts` starts it with the repository, the data folder and the number of rounds, and passes the tasks on standard
 * input as a JSON list. Each round runs all tasks in order. Prints a JSON list: for each task the milliseconds of every
 * round, from the log. The index is not updated.
 */
import { hostname } from "node:os";
import { z } from "zod";
import { start } from "../../src/cli/start.ts";
import { insideMs } from "./inside.ts";

const silent = { isTerminal: false, columns: 80, write: async (): Promise<void> => {} };

async function ask(task: string, root: string, data: string): Promise<number> {
  const errors: string[] = [];
  const code = await start({
    argv: ["retrieve", "-", "--repo", root, "--data-dir", data, "--no-refresh"],
    environment: {
      cwd: data,
      variables: { HOME: data },
      uid: process.getuid?.() ?? null,
      processors: navigator.hardwareConcurrency,
      pid: process.pid,
      host: hostname(),
      program: [process.execPath, Bun.main],
    },
    out: silent,
    err: { ...silent, write: async (text) => void errors.push(text) },
    stdin: {
      isTerminal: false,
      async *bytes() {
        yield new TextEncoder().encode(task);
      },
    },
    signal: new AbortController().signal,
    loadApp: () => import("../../src/app/app.ts"),
  });
  if (code !== 0) throw new Error(`retrieve exited with ${code}\n${errors.join("")}`);
  return insideMs(data);
}

const [root = "", data = "", rounds = "1"] = process.argv.slice(2);
const tasks = z.array(z.string()).parse(JSON.parse(await Bun.stdin.text()));
const times = tasks.map((): number[] => []);
for (let round = 0; round < Number(rounds); round += 1)
  for (const [index, task] of tasks.entries()) times[index]?.push(await ask(task, root, data));
process.stdout.write(`${JSON.stringify(times)}\n`);
