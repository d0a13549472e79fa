/**
 * Previews a refinement: runs the task again with it and records nothing.
 *
 * A stage whose input is unchanged does not run again: a new budget only packs, and a symbol request does not rank.
 * Invariant: while the index stays the same, an exact preview equals what `retrieve` then returns. A preview never calls a
 * model, so it is not exact when the refined run would ask one something new.
 */
import { resultOf } from "../concurrency/result-of.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { Failed, type Failure } from "../failure.ts";
import type { Judged, JudgementEvent, Question } from "../judgement/judge.ts";
import type { Coverage } from "./model/budget.ts";
import type { Change } from "./model/changes.ts";
import type { AskedQuestion, OpenJudge } from "./model/judging.ts";
import type { ContextPackage } from "./model/package-schema.ts";
import type { Stage, StageInput, StageRun } from "./model/stage.ts";
import { stopIfAborted } from "./model/steps.ts";
import { type MarginalItem, marginalItems } from "./packing/fitting/marginal-items.ts";
import type { PackDeps } from "./packing/pack-selection.ts";
import type { CoverageLevel } from "./packing/worth/coverage-levels.ts";
import { NO_LOG, NO_SESSION } from "./record/record-run.ts";
import { changesSince, shownItems } from "./refinement/changes.ts";
import { renderMarkdown } from "./render/markdown.ts";
import { mergeConstraints, type RefinementRequest } from "./requests/refinement.ts";
import { type RetrieveRequest, type RetrieveResult, retrieve } from "./retrieve.ts";

/** What to preview. `budget` is in tokens; null keeps the run's, and so it does of the coverage. */
export type DryRunChange = {
  readonly request: RefinementRequest;
  readonly budget: number | null;
  readonly coverage?: Coverage | null;
};

/** A file or item that would enter or leave, with its estimated tokens. `item` is null for a whole file. */
export type PackageMove = { readonly path: string; readonly item: string | null; readonly tokens: number };

/**
 * `package` lists its changes since the run. `enters` and `leaves` are files, and items of files that stay, by rank of the
 * file. `budget-too-small` holds the failure of the refinement; `index-busy`: the index is being written.
 */
type DryRunResult =
  | {
      readonly kind: "package";
      readonly exact: boolean;
      readonly package: ContextPackage;
      readonly enters: readonly PackageMove[];
      readonly leaves: readonly PackageMove[];
      /** What a smaller budget would drop or shorten first, and what a larger one would add first; both estimated. */
      readonly next: { readonly out: MarginalItem | null; readonly in: MarginalItem | null };
    }
  | { readonly kind: "budget-too-small"; readonly failure: Extract<Failure, { code: "budget-below-floor" }> }
  | { readonly kind: "index-busy" };

export type DryRun = {
  /**
   * Takes tens of milliseconds, or as long as a run when files are accepted, rejected or missing. Throws `cancelled` when
   * the signal fires.
   */
  preview(change: DryRunChange, signal: AbortSignal): Promise<DryRunResult>;
  /** The tokens that a file takes in the run's package: what rejecting it frees, before anything else enters. */
  tokensOf(path: string): number;
  /** The coverages to step through, the narrowest first. */
  levels(): readonly CoverageLevel[];
};

/** `kb` returns null while the index is being written. */
type DryRunDeps = Omit<PackDeps, "kb"> & { readonly kb: () => KnowledgeBase | null };

/** How many previews are remembered: a user walks a list down and up again, and each step also asks for the change without its file. */
const REMEMBERED_MAX = 8;

/** Previews refinements of a finished run, which stays in memory. */
export function openDryRun(deps: DryRunDeps, request: RetrieveRequest, run: RetrieveResult): DryRun {
  let tokens: number | null = null;
  const count = (pkg: ContextPackage): number => deps.counter.count(renderMarkdown(pkg));
  /** The last ones, the oldest first. */
  const remembered = new Map<string, { readonly kb: KnowledgeBase; readonly result: DryRunResult }>();
  return {
    async preview(change, signal) {
      const kb = deps.kb();
      if (kb === null) return { kind: "index-busy" };
      const key = JSON.stringify([change.request, change.budget, change.coverage ?? null]);
      const before = remembered.get(key);
      remembered.delete(key);
      try {
        if (before?.kb === kb) await stopIfAborted(signal);
        const result = before?.kb === kb ? before.result : await rerun({ ...deps, kb }, request, run, change, signal);
        remembered.set(key, { kb, result });
        const [oldest = key] = remembered.keys();
        if (remembered.size > REMEMBERED_MAX) remembered.delete(oldest);
        return result;
      } catch (error) {
        if (error instanceof Failed && error.failure.code === "budget-below-floor")
          return { kind: "budget-too-small", failure: error.failure };
        if (deps.kb() !== kb && !signal.aborted) return { kind: "index-busy" };
        throw error;
      }
    },
    tokensOf(path) {
      tokens ??= count(run.pkg);
      return Math.max(0, tokens - count(withoutFile(run.pkg, path)));
    },
    levels: run.levels,
  };
}

async function rerun(
  { kb, counter, craVersion }: Omit<DryRunDeps, "kb"> & { readonly kb: KnowledgeBase },
  request: RetrieveRequest,
  run: RetrieveResult,
  change: DryRunChange,
  signal: AbortSignal,
): Promise<DryRunResult> {
  const answers = recordedAnswers(run.questions);
  const shown = shownItems(run);
  const steps = retrieve(
    {
      kb,
      counter,
      craVersion,
      log: NO_LOG,
      openSession: () => NO_SESSION,
      now: () => 0,
      openJudge: request.judging === null ? null : answers.openJudge,
    },
    {
      ...request,
      budget: {
        ...request.budget,
        tokens: change.budget ?? request.budget.tokens,
        coverage: change.coverage ?? request.budget.coverage,
      },
      stages: request.stages.map((stage, at) => reusing(stage, run.trail[at])),
      constraints: mergeConstraints(run.constraints, change.request),
      refines: { taskId: run.taskId, request: {} },
      keeps: { round: run.round, shown, coverage: request.budget.coverage },
      judging: request.judging === null ? null : { ...request.judging, strict: false },
      notices: [],
    },
    signal,
  );
  const result = await resultOf(steps);
  await stopIfAborted(signal);
  const changes = changesSince(run.round, shown, shownItems(result));
  return {
    kind: "package",
    exact: !answers.isMissed(),
    package: { ...result.pkg, provenance: { ...result.pkg.provenance, changes } },
    enters: movesOf(changes.added, result),
    leaves: movesOf(changes.dropped, run),
    next: marginalItems(result),
  };
}

/** The stage, returning its earlier outcome when its input is the same. */
function reusing(stage: Stage, earlier: StageRun | undefined): Stage {
  return {
    ...stage,
    async *run(input) {
      if (earlier === undefined || !isReusable(stage, input, earlier)) return yield* stage.run(input);
      input.judge?.resume(earlier.judgeKnown);
      return earlier.outcome;
    },
  };
}

/** An open knowledge base never changes, so identity is enough for it. Everything else is compared by content. */
function isReusable(stage: Stage, input: StageInput, earlier: StageRun): boolean {
  const before = earlier.input;
  return (
    input.kb === before.kb &&
    input.selection === before.selection &&
    input.vague === before.vague &&
    haveSameIds(before.files, input.files) &&
    JSON.stringify([input.task, input.anchors]) === JSON.stringify([before.task, before.anchors]) &&
    (symbolRequestsKey(input) === symbolRequestsKey(before) ||
      stage.isUnmovedBy?.(input.symbolRequests, earlier) === true)
  );
}

const haveSameIds = <T extends { readonly id: number }>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id);

const symbolRequestsKey = ({ symbolRequests: { bySymbol, files, missing } }: StageInput): string =>
  JSON.stringify([[...bySymbol], [...files], [...missing]]);

const NO_EVENTS: readonly JudgementEvent[] = [];

/** A judge that repeats the model's answers in the run and fails any other question. */
function recordedAnswers(questions: readonly AskedQuestion[]): { readonly openJudge: OpenJudge; isMissed(): boolean } {
  const known = new Map(questions.map(({ question, verdicts }) => [JSON.stringify(question), verdicts]));
  let isMissed = false;
  const answer = <Class extends string>(question: Question<Class>): Judged<Class> => {
    const verdicts = known.get(JSON.stringify(question));
    if (verdicts === undefined || verdicts === null) {
      isMissed = true;
      return { ok: false, failure: { kind: "unreachable", why: "" } };
    }
    const valid = [...verdicts].flatMap(([key, verdict]) => {
      const [first, again] = [verdict.class, verdict.again].map((name) =>
        [...question.lists, question.rest].find((one) => one === name),
      );
      return first === undefined ? [] : [[key, { class: first, ...(again === undefined ? {} : { again }) }] as const];
    });
    return { ok: true, verdicts: new Map(valid), remembered: true, judged: valid.length, stoppedBy: null };
  };
  return {
    isMissed: () => isMissed,
    openJudge: () => ({
      judge: {
        model: questions[0]?.model ?? "",
        async *judge(question) {
          yield* NO_EVENTS;
          return answer(question);
        },
        close: () => undefined,
      },
      sayFailure: () => ({ why: "it is not asked about what is only supposed", next: "refine to ask it" }),
    }),
  };
}

/** Whole files, and items of files that are not in the list as a whole, by rank of the file. */
function movesOf(changes: readonly Change[], run: RetrieveResult): readonly PackageMove[] {
  const ranks = new Map(run.selection.files.map(({ file, rank }) => [file.path, rank]));
  const files = new Set(changes.flatMap(({ path, item }) => (item === null ? [path] : [])));
  const tokens = new Map<string, number>();
  for (const [at, { path, label }] of run.items.entries()) {
    const verdict = run.verdicts[at];
    if (verdict?.included !== true) continue;
    for (const key of [path, `${path}\0${label}`]) tokens.set(key, (tokens.get(key) ?? 0) + (verdict.tokens ?? 0));
  }
  return changes
    .filter(({ path, item }) => item === null || !files.has(path))
    .toSorted((a, b) => (ranks.get(a.path) ?? 0) - (ranks.get(b.path) ?? 0))
    .map(({ path, item }) => ({
      path,
      item,
      tokens: tokens.get(item === null ? path : `${path}\0${item}`) ?? 0,
    }));
}

function withoutFile(pkg: ContextPackage, path: string): ContextPackage {
  const { provenance } = pkg;
  const shown = pkg.dependency_edges.slice(0, provenance.edges_shown);
  const edges = shown.filter((edge) => !edge.includes(path));
  return {
    ...pkg,
    files: pkg.files.filter((file) => file.path !== path),
    dependency_edges: edges,
    provenance: { ...provenance, edges_shown: edges.length },
  };
}
