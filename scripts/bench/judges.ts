/**
 * Shows what a judging model can gain and that it cannot lose: judges of known quality answer the cases over HTTP, through the real
 * client, from a server that is paced like a small machine.
 *
 * `bun scripts/bench/judges.ts --cases FILE --work FOLDER [--judges perfect,90/10] [--rows FILE] [--limit N]`: FOLDER is the work
 * folder of a finished `cra evaluate --keep-indexes --work FOLDER` on these cases; it is only read. `--rows` keeps what each judge
 * did for each case, and a later run continues there. Times are those that the server says it took, 200 prompt and 15 answer tokens
 * a second; nobody waits for them. The cases of a repository are all in one half of them.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { answer, openCounters } from "../../src/app/evaluate/answer-case.ts";
import { loadConfig } from "../../src/config/read-files.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import type { ReadCase } from "../../src/evaluation/cases.ts";
import type { MetricName } from "../../src/evaluation/metric-names.ts";
import { resultOf } from "../../src/evaluation/metrics.ts";
import { openJudge } from "../../src/judgement/open-judge.ts";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import { modelSource } from "../../src/llm/open-model.ts";
import type { OpenJudge } from "../../src/retrieval/model/judging.ts";
import type { TokenCounter } from "../../src/text/tokens/tokens.ts";
import { STAND_IN_MODEL, startOllama } from "../../tests/support/stand-in-ollama.ts";
import type { Received } from "../../tests/support/stand-in-request.ts";
import { line, meanOf, signed } from "./case-figures.ts";
import { type IndexedCase, indexedCases, measuredRows } from "./kept-rows.ts";
import { runMain } from "./run-main.ts";
import { JUDGES, replyOf } from "./simulated-judges.ts";

const PROMPT_TOKENS_A_SECOND = 200;
const ANSWER_TOKENS_A_SECOND = 15;
const MODEL_TIME_MS = 90_000;
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

const COLUMNS: readonly (readonly [label: string, name: MetricName])[] = [
  ["acc@1", "acc@1"],
  ["acc@3", "acc@3"],
  ["acc@5", "acc@5"],
  ["mrr", "mrr"],
  ["sym@5", "symbol_all@5"],
  ["sym@10", "symbol_any@10"],
  ["gold@4k", "symbol_recall@4k"],
  ["gold@8k", "symbol_recall@8k"],
  ["gold", "symbol_recall"],
  ["files", "file_recall"],
];

/** What the model took in one run. */
type Cost = { calls: number; promptTokens: number; answerTokens: number; ms: number };

/** What a judge did for a case; figures without a value are absent. */
const Row = z.object({
  id: z.string(),
  repo: z.string(),
  judge: z.string(),
  scores: z.record(z.string(), z.number()),
  tokens: z.number(),
  cost: z.object({ calls: z.number(), promptTokens: z.number(), answerTokens: z.number(), ms: z.number() }),
});
type Row = z.infer<typeof Row>;

const NONE = "none";
/** Only these budgets are shown. */
const BUDGETS = [4_000, 8_000];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cases: { type: "string" },
      work: { type: "string" },
      judges: { type: "string" },
      rows: { type: "string" },
      limit: { type: "string" },
    },
  });
  if (values.cases === undefined || values.work === undefined) {
    process.stderr.write("usage: bun scripts/bench/judges.ts --cases FILE --work FOLDER [--judges A,B] [--limit N]\n");
    return 2;
  }
  const cases = indexedCases(values.cases, resolve(values.work)).slice(
    0,
    Number(values.limit ?? Number.POSITIVE_INFINITY),
  );
  const judges = [NONE, ...(values.judges?.split(",") ?? Object.keys(JUDGES)).filter((name) => name !== NONE)];
  const rows = await measuredRows({
    cases,
    variants: judges,
    path: values.rows,
    schema: Row,
    variantOf: ({ judge }) => judge,
    measure: judgedBy,
  });
  process.stdout.write(report(judges, rows));
  return 0;
}

async function* judgedBy(judges: readonly string[], { one, folder }: IndexedCase): AsyncGenerator<Row, void> {
  const { settings } = loadConfig({ flags: [], variables: {}, root: folder });
  const counters = await openCounters(settings);
  const kb = openKnowledgeBase(dataPaths(folder).curated, folder);
  try {
    for (const judge of judges) {
      const cost: Cost = { calls: 0, promptTokens: 0, answerTokens: 0, ms: 0 };
      await using server = await startOllama({ reply: (request) => pacedReply(judge, one, request, cost) });
      const judging = { model: STAND_IN_MODEL, assistOnly: false, strict: false };
      const judged = judge === NONE ? null : { judging, openJudge: opener(server.url, cost, counters.exact) };
      const found = await answer(
        { kb, counters, nowMs: () => 0, judged },
        { of: one, settings, indexMs: 0, budgets: BUDGETS },
        new AbortController().signal,
      );
      const { scores, amounts } = resultOf(one, found).metrics;
      const shown = COLUMNS.flatMap(([, name]) => (scores[name] === undefined ? [] : [[name, scores[name]] as const]));
      yield {
        id: one.id,
        repo: one.repo ?? "",
        judge,
        scores: Object.fromEntries(shown),
        tokens: amounts.tokens ?? 0,
        cost,
      };
    }
  } finally {
    kb.close();
  }
}

/** Answers at once, and says what it would have taken. */
function pacedReply(name: string, one: ReadCase, request: Received, cost: Cost) {
  const text = replyOf(name, one, request);
  const promptTokens = countTokens(`${request.system}\n${request.prompt}`, PLAIN_TEXT);
  const answerTokens = countTokens(text, PLAIN_TEXT);
  const promptMs = (promptTokens / PROMPT_TOKENS_A_SECOND) * 1_000;
  const answerMs = (answerTokens / ANSWER_TOKENS_A_SECOND) * 1_000;
  cost.calls += 1;
  cost.promptTokens += promptTokens;
  cost.answerTokens += answerTokens;
  cost.ms += promptMs + answerMs;
  return { kind: "text", text, took: { promptTokens, promptMs, answerTokens, answerMs } } as const;
}

/** A judge whose clock is the time that the server says it took. */
function opener(url: string, cost: Cost, counter: TokenCounter): OpenJudge {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  const source = modelSource({
    name: STAND_IN_MODEL,
    baseUrl: reading.baseUrl,
    windowTokens: 8_192,
    limits: MODEL_LIMITS,
    nowMs: () => performance.now(),
    apiKey: null,
  });
  return ({ memory, onCall }) => ({
    judge: openJudge({
      source,
      counter,
      fenceToken: () => "5b1e2f0a-77aa-4c1d-9c55-0f2d7f3a9e10",
      memory,
      onCall,
      nowMs: () => cost.ms,
      nowIso: () => new Date(0).toISOString(),
      timeMs: MODEL_TIME_MS,
      queue: null,
    }),
    sayFailure: ({ kind }) => ({ why: kind, next: "" }),
  });
}

/** A table of all cases, and one of each half of the repositories. */
function report(judges: readonly string[], rows: readonly Row[]): string {
  const halves = [0, 1].map((half) => rows.filter(({ repo }) => Bun.hash.crc32(repo) % 2 === half));
  return [rows, ...halves]
    .map((of, at) => tableOf(["all", "one half", "the other half"][at] ?? "", judges, of))
    .join("\n");
}

function tableOf(what: string, judges: readonly string[], rows: readonly Row[]): string {
  const of = Map.groupBy(rows, ({ judge }) => judge);
  const plain = of.get(NONE) ?? [];
  const head = ["judge", ...COLUMNS.map(([label]) => label), "tokens", "calls", "prompt", "answer", "s", "s max"];
  const lines = judges.flatMap((judge) => {
    const own = of.get(judge) ?? [];
    return own.length === plain.length ? [rowOf(judge, own, judge === NONE ? null : plain)] : [];
  });
  const repositories = new Set(plain.map(({ repo }) => repo)).size;
  const title = `${what}: ${plain.length} cases of ${repositories} repositories\n\n`;
  return [title, line(head), line(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...lines].join("");
}

function rowOf(name: string, rows: readonly Row[], plain: readonly Row[] | null): string {
  const cells = COLUMNS.map(([, metric]) => {
    const value = meanOf(rows, ({ scores }) => scores[metric]) * 100;
    return plain === null
      ? value.toFixed(1)
      : `${value.toFixed(1)} ${signed(value - meanOf(plain, ({ scores }) => scores[metric]) * 100)}`;
  });
  const costs = [
    ({ cost }: Row) => cost.calls,
    ({ cost }: Row) => cost.promptTokens,
    ({ cost }: Row) => cost.answerTokens,
    ({ cost }: Row) => cost.ms / 1_000,
  ].map((of) => meanOf(rows, of).toFixed(0));
  const longest = Math.max(...rows.map(({ cost }) => cost.ms / 1_000)).toFixed(0);
  return line([name, ...cells, meanOf(rows, ({ tokens }) => tokens).toFixed(0), ...costs, longest]);
}

await runMain("judges", main);
