/**
 * Checks the token budget on real repositories with the compiled binary: pseudo-random tasks, budgets from the smallest
 * possible to 64k, every output counted by the tokenizer.
 *
 * `bun scripts/bench/budget.ts [--runs N] [--seed N] [--binary FILE] FOLDER...` indexes folders that have no index (in
 * their `.cra`), prints a table and every breach, and exits with 1 if there is one.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { freshBinary } from "../binary.ts";
import { randomFrom, randomTask, vocabularyOf } from "./random-task.ts";

const BUDGET_MAX = 65_536;
const BUDGET_MIN = 100;
const USE_MIN = 0.8;
/** Every n-th run also tries the smallest budget that works, and one token less. */
const FLOOR_EVERY = 4;
const TIMEOUT_MS = 60_000;

const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };
const TOKENIZERS = {
  o200k_base: (text: string) => countO200k(text, PLAIN_TEXT),
  cl100k_base: (text: string) => countCl100k(text, PLAIN_TEXT),
} as const;
type Tokenizer = keyof typeof TOKENIZERS;

/** The part of the JSON package that is checked. */
const Package = z.looseObject({
  token_count: z.number(),
  provenance: z.looseObject({
    budget: z.looseObject({ floor: z.number(), before: z.number(), after: z.number(), use: z.number() }),
  }),
});

type Case = { readonly task: string; readonly budget: number; readonly tokenizer: Tokenizer };
type Result = {
  readonly refused: boolean;
  readonly use: number;
  readonly fullness: number;
  readonly ms: number;
  readonly breaches: readonly string[];
};

/** Runs the binary in one folder. `task` goes through stdin, which accepts any text. */
type Cra = (
  task: string,
  ...args: readonly string[]
) => Promise<{ code: number; out: string; err: string; ms: number }>;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: "string" }, seed: { type: "string" }, binary: { type: "string" } },
  });
  if (positionals.length === 0) throw new Error("name at least one folder");
  const program = values.binary === undefined ? await freshBinary() : resolve(values.binary);
  const home = mkdtempSync(join(tmpdir(), "cra-home-"));
  const breaches: string[] = [];
  const rows: (readonly string[])[] = [HEADINGS];
  try {
    for (const folder of positionals.map((path) => resolve(path))) {
      const results = await tryFolder(craIn(program, folder, home), folder, {
        runs: Number(values.runs ?? 200),
        seed: Number(values.seed ?? 1),
      });
      rows.push(summary(folder, results));
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
      breaches.push(...results.flatMap((result) => result.breaches.map((breach) => `${folder}: ${breach}`)));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  process.stdout.write(
    `${table(rows)}\n${breaches.length} breaches\n${breaches.map((line) => `- ${line}\n`).join("")}`,
  );
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

function craIn(program: string, cwd: string, home: string): Cra {
  return async (task, ...args) => {
    const started = performance.now();
    const child = Bun.spawn([program, ...args], {
      cwd,
      env: { HOME: home, PATH: process.env.PATH ?? "", LANG: "C.UTF-8" },
      stdin: Buffer.from(task),
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    await child.exited;
    return { code: child.exitCode ?? -1, out, err, ms: performance.now() - started };
  };
}

async function tryFolder(
  cra: Cra,
  folder: string,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<readonly Result[]> {
  const indexed = await cra("", "index");
  if (indexed.code !== 0) throw new Error(`cra index in ${folder} exits ${indexed.code}: ${indexed.err}`);
  const vocabulary = vocabularyOf(folder);
  const random = randomFrom(seed);
  const results: Result[] = [];
  for (let run = 0; run < runs; run += 1) {
    const given: Case = {
      task: randomTask(vocabulary, random),
      budget: Math.floor(BUDGET_MIN * (BUDGET_MAX / BUDGET_MIN) ** random()),
      tokenizer: random() < 0.25 ? "cl100k_base" : "o200k_base",
    };
    results.push(await tryCase(cra, given, run % FLOOR_EVERY === 0));
  }
  return results;
}

/** Runs one task at one budget; `atFloor` also tries the smallest budget that works. */
async function tryCase(cra: Cra, given: Case, atFloor: boolean): Promise<Result> {
  const breaches: string[] = [];
  const note = (what: string): void => {
    breaches.push(
      `${what} (budget ${given.budget}, ${given.tokenizer}, task ${JSON.stringify(given.task.slice(0, 200))})`,
    );
  };
  const first = await tryBudget(cra, given, note);
  let last = first;
  const refused = first.code === 2;
  if (refused && (first.floor === null || first.floor <= given.budget)) note(`refused, with the floor ${first.floor}`);
  if (first.floor !== null && (refused || atFloor)) {
    last = await tryBudget(cra, { ...given, budget: first.floor }, (what) =>
      note(`at the floor ${first.floor}: ${what}`),
    );
    if (last.code !== 0) note(`the floor ${first.floor} is refused`);
    const below = await tryBudget(cra, { ...given, budget: first.floor - 1 }, note);
    if (below.code !== 2 || below.floor !== first.floor)
      note(`below the floor ${first.floor}: exit ${below.code}, floor ${below.floor}`);
  }
  const { use, fullness } = refused ? last : first;
  return { refused, use, fullness, ms: first.ms, breaches };
}

/** Runs each bounded format once and counts each output. */
async function tryBudget(cra: Cra, { task, budget, tokenizer }: Case, note: (what: string) => void) {
  const nothing = { use: 1, fullness: 0 };
  const args = ["retrieve", "-", "--no-refresh", "--budget", String(budget), "--tokenizer", tokenizer];
  const json = await cra(task, ...args, "--format", "json");
  if (json.code === 2) {
    const floor = /the smallest that works is (\d+)/.exec(json.err);
    return { ...nothing, code: 2, ms: json.ms, floor: floor === null ? null : Number(floor[1]) };
  }
  if (json.code !== 0) {
    note(`exit ${json.code}: ${json.err.slice(-200)}`);
    return { ...nothing, code: json.code, ms: json.ms, floor: null };
  }
  const found = Package.parse(JSON.parse(json.out));
  const count = TOKENIZERS[tokenizer];
  const sizes: number[] = [];
  for (const format of ["markdown", "prompt"] as const) {
    const { code, out } = await cra(task, ...args, "--format", format);
    const size = count(out);
    sizes.push(size);
    if (code !== 0) note(`${format}: exit ${code}`);
    if (size > budget) note(`${format} takes ${size} tokens`);
  }
  const { before, use, floor } = found.provenance.budget;
  const [markdown = 0] = sizes;
  if (found.token_count > budget || found.token_count < markdown)
    note(`token_count ${found.token_count}, counted ${markdown}`);
  if (use < USE_MIN) note(`use ${use}: ${found.token_count} of ${before} relevant tokens`);
  return { code: 0, floor, use, fullness: Math.max(...sizes) / budget, ms: json.ms };
}

const HEADINGS = [
  "folder",
  "runs",
  "refused",
  "use min",
  "use median",
  "full max",
  "ms median",
  "ms max",
  "breaches",
] as const;

function summary(folder: string, results: readonly Result[]): readonly string[] {
  const sorted = (of: (result: Result) => number): number[] => results.map(of).sort((a, b) => a - b);
  const middle = (list: readonly number[]): number => list[Math.floor(list.length / 2)] ?? 0;
  const uses = sorted(({ use }) => use);
  const times = sorted(({ ms }) => ms);
  return [
    folder.split("/").at(-1) ?? folder,
    String(results.length),
    String(results.filter(({ refused }) => refused).length),
    (uses[0] ?? 0).toFixed(3),
    middle(uses).toFixed(3),
    (sorted(({ fullness }) => fullness).at(-1) ?? 0).toFixed(3),
    middle(times).toFixed(0),
    (times.at(-1) ?? 0).toFixed(0),
    String(results.reduce((sum, { breaches }) => sum + breaches.length, 0)),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

try {
  await main();
} catch (error) {
  process.stderr.write(`budget: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
