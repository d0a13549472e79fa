/**
 * Shows what a judging model can gain and that it cannot lose: judges of known quality answer the cases over HTTP, through the real
 * client, from a server that is paced like a small machine.
 *
 * `bun scripts/bench/judges.ts --cases FILE --work FOLDER [--judges perfect,90/10] [--stage scope]
 * [--limit N]`: FOLDER is the work folder of a
 * finished `cra evaluate --keep-indexes --work FOLDER` on these cases; it is only read. Times are those that the server
 * says it took, 200 prompt and 15 answer tokens a second; nobody waits for them.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { answer, openCounters } from "../../src/app/evaluate/answer-case.ts";
import { loadConfig } from "../../src/config/read-files.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { type ReadCase, readCases } from "../../src/evaluation/cases.ts";
import type { MetricName } from "../../src/evaluation/metric-names.ts";
import { resultOf } from "../../src/evaluation/metrics.ts";
import type { CaseResult } from "../../src/evaluation/model.ts";
import { meansOf } from "../../src/evaluation/summary.ts";
import { openJudge } from "../../src/judgement/open-judge.ts";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import { modelSource } from "../../src/llm/open-model.ts";
import type { OpenJudge } from "../../src/retrieval/model/judging.ts";
import { stageOf } from "../../tests/support/judging-reply.ts";
import { STAND_IN_MODEL, startOllama } from "../../tests/support/stand-in-ollama.ts";
import type { Received } from "../../tests/support/stand-in-request.ts";
import { JUDGES, replyOf } from "./simulated-judges.ts";
import { keptIndexes } from "./worth-cases.ts";

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

type Judged = { readonly results: readonly CaseResult[]; readonly costs: readonly Cost[] };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cases: { type: "string" },
      work: { type: "string" },
      judges: { type: "string" },
      stage: { type: "string" },
      limit: { type: "string" },
    },
  });
  if (values.cases === undefined || values.work === undefined) {
    process.stderr.write("usage: bun scripts/bench/judges.ts --cases FILE --work FOLDER [--judges A,B] [--limit N]\n");
    return 2;
  }
  const kept = keptIndexes(resolve(values.work));
  const cases = readCases(readFileSync(values.cases, "utf8"), values.cases)
    .flatMap((one) => {
      const folder = kept.get(one.baseCommit ?? "");
      return folder === undefined ? [] : [{ one, folder }];
    })
    .slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
  const names = values.judges?.split(",") ?? Object.keys(JUDGES);
  const head = ["judge", ...COLUMNS.map(([label]) => label), "tokens", "calls", "prompt", "answer", "s", "s max"];
  process.stdout.write(
    `${cases.length} cases\n\n${line(head)}${line(head.map((_, at) => (at === 0 ? "---" : "--:")))}`,
  );
  const plain = await judgedBy(null, cases, null);
  process.stdout.write(rowOf("none", plain, null));
  for (const name of names) process.stdout.write(rowOf(name, await judgedBy(name, cases, values.stage ?? null), plain));
  return 0;
}

async function judgedBy(
  name: string | null,
  cases: readonly { readonly one: ReadCase; readonly folder: string }[],
  stage: string | null,
): Promise<Judged> {
  const results: CaseResult[] = [];
  const costs: Cost[] = [];
  for (const { one, folder } of cases) {
    const cost: Cost = { calls: 0, promptTokens: 0, answerTokens: 0, ms: 0 };
    await using server = await startOllama({
      reply: (request) => pacedReply(isAsked(stage, request) ? (name ?? "") : "prose", one, request, cost),
    });
    const { settings } = loadConfig({ flags: [], variables: {}, root: folder });
    const kb = openKnowledgeBase(dataPaths(folder).curated, folder);
    try {
      const counters = await openCounters(settings);
      const judging = { model: STAND_IN_MODEL, assistOnly: false, strict: false };
      const judged = name === null ? null : { judging, openJudge: await opener(server.url, cost) };
      const found = await answer(
        { kb, counters, nowMs: () => 0, judged },
        { of: one, settings, indexMs: 0 },
        new AbortController().signal,
      );
      results.push(resultOf(one, found));
      costs.push(cost);
    } finally {
      kb.close();
    }
  }
  return { results, costs };
}

/** With `--stage`, the other stages get no usable answer. */
const isAsked = (stage: string | null, request: Received): boolean => stage === null || stageOf(request) === stage;

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
async function opener(url: string, cost: Cost): Promise<OpenJudge> {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  const { exact } = await openCounters(loadConfig({ flags: [], variables: {}, root: null }).settings);
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
      counter: exact,
      newFence: () => "5b1e2f0a-77aa-4c1d-9c55-0f2d7f3a9e10",
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

function rowOf(name: string, { results, costs }: Judged, plain: Judged | null): string {
  const means = meansOf(results);
  const before = plain === null ? null : meansOf(plain.results);
  const cells = COLUMNS.map(([, metric]) => {
    const value = 100 * (means[metric]?.mean ?? 0);
    const change = before === null ? "" : ` ${signed(value - 100 * (before[metric]?.mean ?? 0))}`;
    return `${value.toFixed(1)}${change}`;
  });
  const mean = (of: (cost: Cost) => number): string =>
    (costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length).toFixed(0);
  const tokens = results.reduce((sum, { metrics }) => sum + (metrics.amounts.tokens ?? 0), 0) / results.length;
  const model = [
    mean((c) => c.calls),
    mean((c) => c.promptTokens),
    mean((c) => c.answerTokens),
    mean((c) => c.ms / 1_000),
  ];
  const longest = Math.max(...costs.map(({ ms }) => ms / 1_000)).toFixed(0);
  return line([name, ...cells, tokens.toFixed(0), ...model, longest]);
}

const signed = (change: number): string => (change >= 0 ? `+${change.toFixed(1)}` : change.toFixed(1));
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`judges: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
