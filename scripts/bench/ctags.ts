/**
 * Prints the share of Universal Ctags' definitions in a checkout that cra also finds:
 *     bun scripts/bench/ctags.ts --language go <folder> [--verbose] [--json FILE]
 *
 * `--verbose` lists every miss with its line. Exits with 2 if ctags is missing. `ctags-compare.ts` defines a match.
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Comparison, compareWithCtags } from "./ctags-compare.ts";
import { ctagsProblem } from "./ctags-problem.ts";
import { runMain } from "./run-main.ts";

const USAGE = "usage: bun scripts/bench/ctags.ts --language <language> <folder> [--verbose] [--json FILE]";

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { language: { type: "string" }, verbose: { type: "boolean" }, json: { type: "string" } },
  });
  const [folder] = positionals;
  const { language, verbose = false, json } = values;
  if (folder === undefined || language === undefined || positionals.length > 1) throw new Error(USAGE);
  const problem = ctagsProblem();
  if (problem !== null) {
    process.stderr.write(`ctags: ${problem}\n`);
    return 2;
  }
  const comparison = await compareWithCtags(folder, language);
  if (verbose)
    for (const miss of comparison.misses) {
      process.stdout.write(`${miss.path}:${miss.line} ${miss.kind} ${miss.name}\n    ${miss.text.slice(0, 160)}\n`);
    }
  process.stdout.write(summaryOf(language, comparison));
  if (json !== undefined) {
    const faults = Object.fromEntries(comparison.faults);
    writeFileSync(json, `${JSON.stringify({ language, ...comparison, faults }, null, 2)}\n`);
  }
  return 0;
}

function summaryOf(language: string, { files, total, found, misses, faults }: Comparison): string {
  const share = total === 0 ? "-" : `${((100 * found) / total).toFixed(2)} %`;
  const missed = [...Map.groupBy(misses, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}`);
  const left = [...faults].map(([reason, count]) => `left out: ${count}, ${reason}\n`).join("");
  return `${language}: ${files} files, ${total} definitions, ${found} found, ${share}${
    missed.length === 0 ? "" : ` (missed: ${missed.join(", ")})`
  }\n${left}`;
}

await runMain("ctags", main);
