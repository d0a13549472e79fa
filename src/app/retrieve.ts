/**
 * Hands retrieval its edges, and renders what it returns in the format that was asked for.
 */
import { budgetSource, budgetTokens, type Config } from "../config/settings.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { openRawLog } from "../db/raw-log/open-raw-log.ts";
import { redactedLog } from "../db/raw-log/redacted.ts";
import { openSession } from "../db/session/session.ts";
import { Failed, type Notice } from "../failure.ts";
import { openDryRun } from "../retrieval/dry-run.ts";
import { unreadInputs } from "../retrieval/index-notices.ts";
import { SAFETY_MARGIN_DEFAULT } from "../retrieval/model/budget.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";
import type { Judging } from "../retrieval/model/judging.ts";
import type { ContextPackage, LearnedJson } from "../retrieval/model/package-schema.ts";
import { NO_CONSTRAINTS } from "../retrieval/model/refinement.ts";
import type { Stage } from "../retrieval/model/stage.ts";
import { bundleLinks } from "../retrieval/render/bundle.ts";
import { FORMATS, type Format, type RenderSource } from "../retrieval/render/formats.ts";
import { DEFAULT_TEMPLATE, parseTemplate, type Template } from "../retrieval/render/prompt.ts";
import {
  type RetrieveRequest as PipelineRequest,
  type RetrieveResult as PipelineResult,
  type RetrieveDeps,
  retrieve,
} from "../retrieval/retrieve.ts";
import { stagesNamed } from "../retrieval/stages.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { taskSentence } from "../task/task-sentence.ts";
import { openTokenCounter, type TokenCounter } from "../text/tokens/tokens.ts";
import { VERSION } from "../version.ts";
import type { Environment, RetrieveRequest, RetrieveResult } from "./app-types.ts";
import { judgeOpener, planJudging } from "./open-judge.ts";

/** A request whose stages and template are known to be right. */
type RetrievalPlan = {
  readonly request: RetrieveRequest;
  readonly stages: readonly Stage[];
  readonly template: Template;
  /** Null without a model. */
  readonly judging: Judging | null;
  /** Loads while the index is refreshed. */
  readonly counter: Promise<TokenCounter>;
};

/** Finds what is wrong with a request before anything is done for it. Throws a usage or configuration failure. */
export function planRetrieval(request: RetrieveRequest): RetrievalPlan {
  const { template, settings } = request;
  return {
    request,
    stages: stagesNamed(request.settings.stages),
    template: parseTemplate(template?.text ?? DEFAULT_TEMPLATE, template?.path ?? "the built-in template"),
    judging: planJudging(settings, request.strict),
    counter: counterFor(settings),
  };
}

/** Begins to load when the process first waits: by then git is at work. */
async function counterFor({ tokenizer, safety_margin }: RetrieveRequest["settings"]): Promise<TokenCounter> {
  await new Promise((resolve) => setImmediate(resolve));
  return openTokenCounter(tokenizer, { margin: safety_margin ?? SAFETY_MARGIN_DEFAULT });
}

/** Runs the pipeline on an open index. `notices` and `inputsSkipped` are what refreshing it has found (null: it was not). */
export async function* runRetrieval(
  world: {
    readonly kb: KnowledgeBase;
    /** The index that is open, for what is asked of the result later; null while it is written. */
    readonly openIndex: () => KnowledgeBase | null;
    readonly paths: DataPaths;
    readonly redactor: Redactor;
    readonly variables: Environment["variables"];
    readonly notices: readonly Notice[];
    readonly inputsSkipped: number | null;
    /** Told of what happens to the log while the pipeline runs. */
    readonly onNotice: (notice: Notice) => void;
    /** Where the run is recorded, in place of the log and the session. */
    readonly records?: Pick<RetrieveDeps, "log" | "openSession">;
  },
  plan: RetrievalPlan,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, Omit<RetrieveResult, "reproduction">> {
  const { kb, paths, redactor } = world;
  const { settings } = plan.request;
  const damage: Notice[] = [];
  const log = redactedLog(
    openRawLog(paths.raw, (notice) => damage.push(notice)),
    redactor,
  );
  const notices = [...world.notices, ...damage.splice(0)];
  const { judging } = plan;
  try {
    const counter = await plan.counter;
    const openJudge =
      judging === null ? null : await judgeOpener(judging, settings, world.variables, counter, redactor);
    const learned = settings.with_memory
      ? { learned: await learnedFrom(world, plan.request, (notice) => notices.push(notice), signal) }
      : {};
    const asked = { ...pipelineRequest(plan, notices), judging, redactor, ...learned };
    const result = yield* retrieve(
      {
        kb,
        log,
        openSession: (taskId) => openSession(paths.sessions, taskId),
        ...world.records,
        counter,
        now: () => Date.now(),
        craVersion: VERSION.version,
        openJudge,
      },
      asked,
      signal,
    );
    return {
      round: result.round,
      constraints: result.constraints,
      package: result.pkg,
      rendered: await rendered(kb, result, settings.format, plan.template, redactor),
      render: (format) => rendered(kb, result, format, plan.template, redactor),
      scores: result.selection.files.map(({ file, rank, tier, score }) => ({
        rank,
        path: file.path,
        tier,
        score: score.total,
        terms: score.terms.map(({ signal: name, value, weight }) => ({ signal: name, share: value * weight })),
      })),
      shown: shownRows(result),
      inputsSkipped: world.inputsSkipped ?? unreadInputs(kb.meta()),
      dryRun: openDryRun({ kb: world.openIndex, counter, craVersion: VERSION.version }, asked, result),
    };
  } finally {
    log.close();
    for (const notice of damage) world.onNotice(notice);
  }
}

/** What was learned before that fits the task. */
async function learnedFrom(
  { kb, paths, redactor }: { readonly kb: KnowledgeBase; readonly paths: DataPaths; readonly redactor: Redactor },
  { task, settings }: RetrieveRequest,
  onNotice: (notice: Notice) => void,
  signal: AbortSignal,
): Promise<LearnedJson[]> {
  const { learnedFor } = await import("./recall.ts");
  const { memory: path, vectors } = paths;
  const world = { path, vectors, knowledge: () => kb, settings, redactor, onNotice };
  return learnedFor(world, task, budgetTokens(settings), signal);
}

/** What the pipeline is asked for, by the settings. `notices` are those of this run alone. */
export function pipelineRequest(
  {
    request,
    stages,
    template,
  }: Pick<RetrievalPlan, "stages" | "template"> & {
    readonly request: Pick<RetrieveRequest, "task" | "settings" | "hintPaths" | "hintSymbols"> &
      Partial<Pick<RetrieveRequest, "only" | "constraints" | "refines">>;
  },
  notices: readonly Notice[],
): PipelineRequest {
  const { task, settings, hintPaths, hintSymbols } = request;
  return {
    command: request.refines === undefined ? "retrieve" : "refine",
    task,
    given: { paths: hintPaths, symbols: hintSymbols, languages: settings.hint_language },
    budget: {
      tokens: budgetTokens(settings),
      maxLines: settings.max_lines,
      contextWindow: settings.context_window,
      reservedTokens: settings.reserved_tokens,
    },
    stages,
    scope: {
      scopeSize: settings.scope_size,
      depth: settings.depth === 3 ? 3 : settings.depth === 2 ? 2 : 1,
      include: settings.include,
      exclude: settings.exclude,
      ...(request.only === undefined ? {} : { only: request.only }),
    },
    weights: settings.weights,
    safetyMargin: settings.tokenizer === "approximate" ? (settings.safety_margin ?? SAFETY_MARGIN_DEFAULT) : null,
    template,
    constraints: request.constraints ?? NO_CONSTRAINTS,
    refines: request.refines ?? null,
    judging: null,
    notices,
  };
}

/** A budget that is too small and was not typed is hard to find: then the failure says where it was set. */
export function withBudgetSource(error: unknown, config: Config): unknown {
  if (!(error instanceof Failed) || error.failure.code !== "budget-below-floor") return error;
  const where = budgetSource(config, error.failure.unit);
  return where === null ? error : new Failed({ ...error.failure, where }, { cause: error });
}

/** What the package shows, by rank of the file. */
function shownRows({ selection, verdicts }: PipelineResult): RetrieveResult["shown"] {
  const ranks = new Map(selection.files.map(({ file, rank }) => [file.path, rank]));
  return verdicts
    .filter(({ included }) => included)
    .toSorted((a, b) => (ranks.get(a.path) ?? 0) - (ranks.get(b.path) ?? 0) || (a.line ?? 0) - (b.line ?? 0))
    .map(({ path, symbol, line, kind, tier, detail, tokens }) => ({
      path,
      item: symbol ?? `${kind ?? "lines"} at line ${line ?? 1}`,
      tier,
      detail,
      tokens: tokens ?? 0,
    }));
}

async function rendered(
  kb: KnowledgeBase,
  result: PipelineResult,
  format: Format,
  template: Template,
  { text, value }: Redactor,
): Promise<string> {
  const { load, packsForItself } = FORMATS[format];
  const render = await load();
  const source: RenderSource = {
    template,
    intent: taskSentence(result.task),
    links: () => bundleLinks(result.packed.fit.shown, kb),
  };
  const printed = (pkg: ContextPackage): string => {
    const found = render(pkg, source);
    return typeof found === "string" ? text(found) : `${JSON.stringify(value(found), null, 2)}\n`;
  };
  return printed(packsForItself ? result.packedFor(printed) : result.pkg);
}
