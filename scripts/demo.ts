/**
 * Demonstrates cra on its own source: `npm run demo`.
 *
 * The package goes to standard output and the explanations to standard error, so `npm run --silent demo > package.md`
 * stores only the package.
 */

import { join } from "node:path";
import { freshBinary } from "./binary.ts";

const ROOT = join(import.meta.dir, "..");

/** A realistic task for this repository. */
const TASK =
  "excerpts: prefer lines that hold rarer words of the task (lineScorer in src/retrieval/lexical/line-scorer.ts)";

/** Tokens: enough to show every tier, few enough to read. */
const BUDGET = 1800;

const print = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Runs cra and sends its output to one of this process's streams. */
async function run(stream: "stdout" | "stderr", program: string, ...args: readonly string[]): Promise<void> {
  print(`$ cra ${args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(" ")}`);
  const child = Bun.spawn([program, ...args], { cwd: ROOT, stdin: "ignore", stdout: Bun[stream], stderr: "inherit" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`cra ${args[0]} exited with ${code}`);
}

try {
  print("Building dist/cra if it is out of date.");
  const program = await freshBinary();
  print("Indexing this repository, then retrieving the context for this task:");
  print(`  ${TASK}`);
  await run("stderr", program, "index");
  await run("stdout", program, "retrieve", TASK, "--budget", String(BUDGET));
  print(`Above: at most ${BUDGET} tokens, best files first, each with a reason. Now try your own task:`);
  print(`  dist/cra retrieve "what you want done" --repo <your repository> --index`);
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
