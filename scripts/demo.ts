/**
 * Shows what cra does, on its own source: `npm run demo` (which installs what is missing first).
 *
 * The package goes to standard output, what is being shown to standard error, so that
 * `npm run --silent demo > package.md` keeps only the package.
 */

import { join } from "node:path";
import { freshBinary } from "./binary.ts";

const ROOT = join(import.meta.dir, "..");

/** A task that someone could well have on this repository. */
const TASK =
  "excerpts: prefer lines that hold rarer words of the task (lineScorer in src/retrieval/lexical/snippets.ts)";

/** Tokens: enough to show every tier, short enough to read. */
const BUDGET = 1800;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Runs cra with its output going to one of this process's streams. */
async function run(stream: "stdout" | "stderr", program: string, ...args: readonly string[]): Promise<void> {
  say(`$ cra ${args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(" ")}`);
  const child = Bun.spawn([program, ...args], { cwd: ROOT, stdin: "ignore", stdout: Bun[stream], stderr: "inherit" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`cra ${args[0]} ended with ${code}`);
}

try {
  say("Building dist/cra, if it is not up to date.");
  const program = await freshBinary();
  say("Indexing this repository, then asking for what someone needs to know to do this task:");
  say(`  ${TASK}`);
  await run("stderr", program, "index");
  await run("stdout", program, "retrieve", TASK, "--budget", String(BUDGET));
  say(`Above: at most ${BUDGET} tokens, the best files first, with a reason for each. Now try a task of your own:`);
  say(`  dist/cra retrieve "what you want done" --repo <your repository> --index`);
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
