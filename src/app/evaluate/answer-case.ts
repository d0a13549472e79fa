/** Answers a case like `cra retrieve`, and packs the selection at more budgets. Records nothing. */
import { nextTurn } from "../../concurrency/next-turn.ts";
import { resultOf } from "../../concurrency/result-of.ts";
import type { Settings } from "../../config/keys.ts";
import type { FileQueries, KnowledgeBase, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { CURVE_POINTS } from "../../evaluation/curve-points.ts";
import { PACKAGE_BUDGETS } from "../../evaluation/metric-names.ts";
import type {
  CaseAnswer,
  CurvePackage,
  EvaluationCase,
  GoldLines,
  GoldSymbol,
  PackageAnswer,
  RankedFile,
  RankedSymbol,
} from "../../evaluation/model.ts";
import { foreignLines } from "../../evaluation/own-lines.ts";
import { packedSpans } from "../../evaluation/shown-lines.ts";
import { scoredSymbols } from "../../evaluation/symbol-metrics.ts";
import { tierTokens } from "../../evaluation/tier-tokens.ts";
import { Failed } from "../../failure.ts";
import { type Budget, SAFETY_MARGIN_DEFAULT } from "../../retrieval/model/budget.ts";
import type { Decision } from "../../retrieval/model/decision.ts";
import type { Judging, OpenJudge } from "../../retrieval/model/judging.ts";
import { type PackedSelection, selectionPacker, shownTask } from "../../retrieval/packing/pack-selection.ts";
import { weightsFrom } from "../../retrieval/ranking/weights.ts";
import { NO_LOG, NO_SESSION, type RunLog } from "../../retrieval/record/record-run.ts";
import { quotedTask } from "../../retrieval/render/markdown.ts";
import { DEFAULT_TEMPLATE, parseTemplate } from "../../retrieval/render/prompt.ts";
import { type RetrieveRequest as PipelineRequest, type RetrieveResult, retrieve } from "../../retrieval/retrieve.ts";
import { stagesNamed } from "../../retrieval/stages.ts";
import { openTokenCounter, type TokenCounter } from "../../text/tokens/tokens.ts";
import { VERSION } from "../../version.ts";
import { pipelineRequest } from "../retrieval/retrieve-request.ts";

/** Definitions of the ranking to keep. */
const SYMBOLS_MAX = 500;

type Counters = { readonly asSet: TokenCounter; readonly exact: TokenCounter; readonly approximate: TokenCounter };

/** The counters of a run: as configured, exact, and the approximate one without a margin, as in published figures. */
export async function openCounters({ tokenizer, safety_margin }: Settings): Promise<Counters> {
  const open = openTokenCounter;
  return {
    asSet: await open(tokenizer, { margin: safety_margin ?? SAFETY_MARGIN_DEFAULT }),
    exact: await open("o200k_base", { margin: 0 }),
    approximate: await open("approximate", { margin: 0 }),
  };
}

type Scoped = Pick<Decision, "path" | "score">;

/** A log that keeps only the decisions on files. */
function fileDecisionsLog(scoped: Scoped[]): RunLog {
  return {
    ...NO_LOG,
    appendDecisions: (_, rows) => {
      for (const { stage, symbol, path, score } of rows)
        if (stage === "scope" && symbol === null && score > 0) scoped.push({ path, score });
    },
  };
}

/**
 * `of`: the case; its expected symbols are only looked up in the index. `budgets`: pack again at these, counted exactly; without it at
 * `PACKAGE_BUDGETS`, counted exactly and approximately, and at the points of the curve.
 */
type AnswerRequest = {
  readonly of: Pick<EvaluationCase, "task" | "expectedSymbols">;
  readonly settings: Settings;
  readonly indexMs: number;
  readonly budgets?: readonly number[];
};

/** `judged`: the model that judges; null or left out for none. */
type AnswerDeps = {
  readonly kb: KnowledgeBase;
  readonly counters: Counters;
  readonly nowMs: () => number;
  readonly judged?: { readonly openJudge: OpenJudge; readonly judging: Judging } | null;
};

/** Answers a task on an open index. Returns `indexMs` unchanged. Throws what `retrieve` throws. */
export async function answer(
  { kb, counters, nowMs, judged = null }: AnswerDeps,
  { of: { task, expectedSymbols }, settings, indexMs, budgets }: AnswerRequest,
  signal: AbortSignal,
): Promise<CaseAnswer> {
  const request = pipelineRequest(
    {
      request: { task, settings, hintPaths: [], hintSymbols: [] },
      stages: stagesNamed(settings.stages),
      template: parseTemplate(DEFAULT_TEMPLATE, "the built-in template"),
    },
    [],
  );
  const scoped: Scoped[] = [];
  const began = nowMs();
  const run = retrieve(
    {
      kb,
      log: fileDecisionsLog(scoped),
      openSession: () => NO_SESSION,
      counter: counters.asSet,
      now: () => 0,
      craVersion: VERSION.version,
      openJudge: judged?.openJudge ?? null,
    },
    { ...request, judging: judged?.judging ?? null },
    signal,
  );
  const result = await resultOf(run);
  const retrieveMs = nowMs() - began;
  const { packages, curve } = await packAgain({ kb, counters }, request, result, budgets, signal);
  const named = namedSymbols(expectedSymbols, kb);
  return {
    rankedFiles: rankedFiles(scoped, result, kb),
    rankedSymbols: rankedSymbols(result, kb),
    namedSymbols: named,
    scopeFiles: result.selection.files.map(({ file }) => file.path),
    foreign: foreignOf([...expectedSymbols, ...named.map(asExpected)], kb),
    packages,
    curve,
    main: packageAnswer(result, result, counters.asSet, request.budget.tokens),
    tierTokens: tierTokens({
      shown: result.packed.fit.shown,
      linesOf: (fileId) => result.sources.get(fileId)?.lines ?? [],
      count: (text) => counters.asSet.count(text),
    }),
    ms: { index: indexMs, retrieve: retrieveMs },
  };
}

/** Packs the selection of a run at some budgets, or at the fixed budgets, counted both ways, and at the points of the curve. */
async function packAgain(
  { kb, counters }: { readonly kb: KnowledgeBase; readonly counters: Counters },
  request: PipelineRequest,
  result: RetrieveResult,
  budgets: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<Pick<CaseAnswer, "packages" | "curve">> {
  const packerFor = (counter: TokenCounter) => {
    const pack = selectionPacker(
      { kb, counter, craVersion: VERSION.version },
      {
        ...request,
        taskId: result.taskId,
        task: result.task,
        weights: weightsFrom(request.weights, result.task.taskType),
        selection: result.selection,
        notices: [],
        safetyMargin: null,
      },
    );
    return async (named: number, { tokens, coverage }: Pick<Budget, "tokens" | "coverage">): Promise<PackageAnswer> => {
      // Packing takes a while and does not yield, so pending signals are handled here.
      await nextTurn();
      signal.throwIfAborted();
      const budget = { tokens, coverage, maxLines: null, contextWindow: null, reservedTokens: null };
      return packageAnswer(
        orNothing(() => pack(budget)),
        result,
        counter,
        named,
      );
    };
  };
  const { coverage, tokens: limit } = request.budget;
  const exactly = packerFor(counters.exact);
  const approximately = packerFor(counters.approximate);
  const taskCost = taskTokens(result, counters.approximate);
  const packages: PackageAnswer[] = [];
  for (const budget of budgets ?? PACKAGE_BUDGETS) packages.push(await exactly(budget, { tokens: budget, coverage }));
  if (budgets !== undefined) return { packages, curve: [] };
  for (const budget of PACKAGE_BUDGETS)
    packages.push(await approximately(budget, { tokens: budget + taskCost, coverage }));
  const curve: CurvePackage[] = [];
  for (const { label, budget, coverage: level } of CURVE_POINTS) {
    const tokens = budget ?? limit;
    curve.push({ ...(await exactly(tokens, { tokens, coverage: level })), label });
  }
  return { packages, curve };
}

/** Every definition with the name of an expected symbol that has no lines. */
export function namedSymbols(
  expected: readonly GoldSymbol[],
  kb: FileQueries & SymbolQueries,
): readonly RankedSymbol[] {
  const names = new Set(expected.flatMap(({ name, lines }) => (lines === null ? [name] : [])));
  const rows = kb.symbolsNamed([...names]);
  const wanted = new Set(rows.map(({ fileId }) => fileId));
  const paths = new Map(kb.files().flatMap(({ id, path }) => (wanted.has(id) ? [[id, path] as const] : [])));
  return rows.flatMap(({ fileId, qualifiedName: qualified, name, startLine: start, endLine: end }) => {
    const path = paths.get(fileId);
    return path === undefined ? [] : [{ path, qualified, name, start, end }];
  });
}

const asExpected = ({ path, qualified, name, start, end }: RankedSymbol): GoldSymbol => ({
  path,
  qualified,
  name,
  lines: { start, end },
  role: "innermost",
});

/** Lines inside expected definitions that belong to nested ones. */
function foreignOf(expected: readonly GoldSymbol[], kb: FileQueries & SymbolQueries): readonly GoldLines[] {
  const paths = new Set(expected.map(({ path }) => path));
  const files = new Map(kb.files().flatMap(({ id, path }) => (paths.has(path) ? [[path, id] as const] : [])));
  const symbols = Map.groupBy(kb.symbolsIn([...files.values()]), ({ fileId }) => fileId);
  const texts = kb.texts([...files.values()]);
  return scoredSymbols({ expectedSymbols: expected }).flatMap((gold) => {
    const { path } = gold;
    const id = path === null ? undefined : files.get(path);
    if (path === null || id === undefined) return [];
    return foreignLines(gold, symbols.get(id) ?? [], texts.get(id) ?? "").map(({ startLine: start, endLine: end }) => ({
      path,
      start,
      end,
    }));
  });
}

/** Null if the budget is below the smallest possible one. */
function orNothing(pack: () => PackedSelection): PackedSelection | null {
  try {
    return pack();
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "budget-below-floor") return null;
    throw error;
  }
}

function packageAnswer(
  packed: Pick<PackedSelection, "pkg" | "packed"> | null,
  result: RetrieveResult,
  counter: TokenCounter,
  budget: number,
): PackageAnswer {
  if (packed === null) return { budget, tokenizer: counter.name, tokens: 0, taskTokens: 0, spans: [] };
  const lineCounts = new Map(result.selection.files.map(({ file }) => [file.path, file.lineCount]));
  const cuts = packed.packed.fit.shown.flatMap(({ item, cut }) => (cut === null ? [] : [`${item.path}:${cut.line}`]));
  return {
    budget,
    tokenizer: counter.name,
    tokens: packed.pkg.token_count,
    taskTokens: taskTokens(result, counter),
    spans: packedSpans({
      pkg: packed.pkg,
      count: (text) => counter.count(text),
      lineCountOf: (path) => lineCounts.get(path) ?? Number.POSITIVE_INFINITY,
      cutLines: new Set(cuts),
    }),
  };
}

const taskTokens = ({ task }: RetrieveResult, counter: TokenCounter): number =>
  counter.count(`## Task\n${quotedTask(shownTask(task, counter))}\n\n`);

/** The recorded files in order of rank: those in scope, then the best of the others by score. */
function rankedFiles(scoped: readonly Scoped[], { selection }: RetrieveResult, kb: FileQueries): readonly RankedFile[] {
  const first = new Map(selection.files.map(({ file, rank }) => [file.path, rank]));
  const tests = new Set(kb.files().flatMap(({ path, isTest }) => (isTest ? [path] : [])));
  const rankOf = (path: string): number => first.get(path) ?? Number.POSITIVE_INFINITY;
  return scoped
    .toSorted((a, b) => compare(rankOf(a.path), rankOf(b.path)) || b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path }) => ({ path, isTest: tests.has(path) }));
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

function rankedSymbols({ selection }: RetrieveResult, kb: SymbolQueries): readonly RankedSymbol[] {
  const best = selection.definitions.slice(0, SYMBOLS_MAX);
  const rows = new Map(kb.symbolsById(best.map(({ symbolId }) => symbolId)).map((row) => [row.id, row]));
  const paths = new Map(selection.files.map(({ file }) => [file.id, file.path]));
  return best.flatMap(({ symbolId, fileId }) => {
    const row = rows.get(symbolId);
    const path = paths.get(fileId);
    if (row === undefined || path === undefined) return [];
    const { qualifiedName: qualified, name, startLine: start, endLine: end } = row;
    return [{ path, qualified, name, start, end }];
  });
}
