/**
 * Measures what a judged task takes from start to end: the first round, the same task again, a round that rejects two files, and
 * one after two files were edited.
 *
 * `bun scripts/bench/judged-rounds.ts [--binary FILE] REPOSITORY=TASK ...`: each repository, bare or not, is cloned and indexed, and
 * each round is one process of the binary with default limits. The model server really waits: it reads 200 prompt tokens a second
 * and writes 15, keeps nothing of a prompt, and its model lists every third item, fifteen at most. Exits with 1 if the first
 * round takes more than 90 s, or a further one more than 20 s.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { sorting } from "../../tests/support/judging-reply.ts";
import { STAND_IN_MODEL, type StandInOllama, startOllama } from "../../tests/support/stand-in-ollama.ts";
import type { Received } from "../../tests/support/stand-in-request.ts";
import { freshBinary } from "../binary.ts";

const PROMPT_TOKENS_A_SECOND = 200;
const ANSWER_TOKENS_A_SECOND = 15;
const FIRST_SECONDS_MAX = 90;
const FURTHER_SECONDS_MAX = 20;
const PIECES = 10;
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

const Package = z.object({ task_id: z.string(), files: z.array(z.object({ path: z.string() })) });
type Package = z.infer<typeof Package>;

/** What the server did since the last round. */
type Load = { calls: number; promptTokens: number; answerTokens: number; ms: number };
type Round = Load & { readonly what: string; readonly seconds: number; readonly secondsMax: number };

const LISTS = { analysis: "helpful", scope: "relevant", precision: "primary" } as const;
const listed = sorting(({ id }, stage) => (id % 3 === 1 && id < 45 ? LISTS[stage] : null));

/** Answers as slowly as a small machine. */
function pacedReply(request: Received, load: Load) {
  const text = listed(request);
  if (typeof text !== "string") throw new Error("the stand-in has no answer");
  const promptTokens = countTokens(`${request.system}\n${request.prompt}`, PLAIN_TEXT);
  const answerTokens = countTokens(text, PLAIN_TEXT);
  const promptMs = (promptTokens / PROMPT_TOKENS_A_SECOND) * 1_000;
  const answerMs = (answerTokens / ANSWER_TOKENS_A_SECOND) * 1_000;
  load.calls += 1;
  load.promptTokens += promptTokens;
  load.answerTokens += answerTokens;
  load.ms += promptMs + answerMs;
  const took = { promptTokens, promptMs, answerTokens, answerMs };
  return { kind: "text", text, pieces: PIECES, loadMs: promptMs, everyMs: answerMs / PIECES, took } as const;
}

async function run(program: string, args: readonly string[], cwd: string, home: string): Promise<string> {
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { HOME: home, PATH: process.env.PATH ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")} failed\n${errors.trim()}`);
  return out;
}

/** All rounds of one repository. */
async function rounds(program: string, repository: string, task: string, folder: string): Promise<readonly Round[]> {
  const [home, clone] = [join(folder, "home"), join(folder, "clone")];
  mkdirSync(home, { recursive: true });
  await run("git", ["clone", "--quiet", "--no-hardlinks", resolve(repository), clone], folder, home);
  await run(program, ["index"], clone, home);
  const load: Load = { calls: 0, promptTokens: 0, answerTokens: 0, ms: 0 };
  await using server: StandInOllama = await startOllama({ reply: (request) => pacedReply(request, load) });
  const done: Round[] = [];
  const round = async (what: string, secondsMax: number, args: readonly string[]): Promise<Package> => {
    Object.assign(load, { calls: 0, promptTokens: 0, answerTokens: 0, ms: 0 });
    const since = performance.now();
    const out = await run(program, [...args, "--json"], clone, home);
    done.push({ what, secondsMax, seconds: (performance.now() - since) / 1_000, ...load });
    return Package.parse(JSON.parse(out));
  };
  const asking = ["retrieve", task, "--model", STAND_IN_MODEL, "--base-url", server.url];
  const { task_id, files } = await round("first", FIRST_SECONDS_MAX, asking);
  await round("the same again", FURTHER_SECONDS_MAX, asking);
  const [first, second, third, fourth] = files.map(({ path }) => path);
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error("the package has fewer than four files");
  await round("rejects two files", FURTHER_SECONDS_MAX, ["refine", task_id, "--reject", first, "--reject", second]);
  for (const path of [third, fourth]) appendFileSync(join(clone, path), "\n\n");
  await round("two files were edited", FURTHER_SECONDS_MAX, ["refine", task_id, "--accept", third]);
  return done;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { binary: { type: "string" } }, allowPositionals: true });
  const program = values.binary === undefined ? await freshBinary() : resolve(values.binary);
  process.stdout.write(
    "| repository | round | s | of it the model | calls | prompt | answer |\n| --- | --- | --: | --: | --: | --: | --: |\n",
  );
  let isMet = positionals.length > 0;
  for (const asked of positionals) {
    const cut = asked.indexOf("=");
    const [repository, task] = [asked.slice(0, cut), asked.slice(cut + 1)];
    const folder = mkdtempSync(join(tmpdir(), "judged-rounds-"));
    try {
      for (const { what, seconds, secondsMax, ms, calls, promptTokens, answerTokens } of await rounds(
        program,
        repository,
        task,
        folder,
      )) {
        isMet &&= seconds <= secondsMax;
        const cells = [
          basename(repository),
          what,
          seconds.toFixed(1),
          (ms / 1_000).toFixed(1),
          calls,
          promptTokens,
          answerTokens,
        ];
        process.stdout.write(`| ${cells.join(" | ")} |\n`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return isMet ? 0 : 1;
}

process.exitCode = await main();
