/**
 * Previews a refinement: runs the task again with it and records nothing.
 *
 * A stage with the same input as before is not run again, so a new budget only packs, and a change of how much of a symbol
 * is shown does not rank. Invariant: while the index stays the same, an exact preview is what `retrieve` then gives. A
 * preview is not exact when a model would be asked something new, since a preview never asks one.
 */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { Failed, type Failure } from "../failure.ts";
import type { Judged, JudgementEvent, Question } from "../judgement/judge.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import type { Change } from "./model/changes.ts";
import type { AskedQuestion, OpenJudge } from "./model/judging.ts";
import type { ContextPackage } from "./model/package-schema.ts";
import { mergeConstraints, type RefinementRequest } from "./model/refinement.ts";
import type { Stage, StageInput, StageRun } from "./model/stage.ts";
import { stopIfAborted } from "./model/steps.ts";
import { type MarginalItem, marginalItems } from "./packing/marginal-items.ts";
import { NO_LOG, NO_SESSION } from "./record/run-log.ts";
import { changesSince, shownItems } from "./refinement/changes.ts";
import { renderMarkdown } from "./render/markdown.ts";
import { type RetrieveRequest, type RetrieveResult, retrieve } from "./retrieve.ts";

/** What to preview. `budget` is in tokens; null is that of the run. */
export type DryRunChange = { readonly request: RefinementRequest; readonly budget: number | null };

/** What would enter or leave, with the tokens it takes, by estimate. `item` is null for a whole file. */
type Move = { readonly path: string; readonly item: string | null; readonly tokens: number };

/**
 * `package` has its changes against the run. `enters` and `leaves` are files, and parts of files that stay, by rank of the
 * file. `budget-too-small` holds the failure of the refinement; `index-busy` means that the index is being written.
 */
type DryRunResult =
  | {
      readonly kind: "package";
      readonly exact: boolean;
      readonly package: ContextPackage;
      readonly enters: readonly Move[];
      readonly leaves: readonly Move[];
      /** What a smaller budget would take out or shorten first, and what a larger one would bring; by estimate. */
      readonly next: { readonly out: MarginalItem | null; readonly in: MarginalItem | null };
    }
  | { readonly kind: "budget-too-small"; readonly failure: Extract<Failure, { code: "budget-below-floor" }> }
  | { readonly kind: "index-busy" };

export type DryRun = {
  /**
   * Takes tens of milliseconds, and as long as a run when files are accepted, rejected or missing. Throws `cancelled` when
   * the signal fires.
   */
  preview(change: DryRunChange, signal: AbortSignal): Promise<DryRunResult>;
  /** The tokens of the run's package that a file takes: what rejecting it frees, before anything else comes in. */
  tokensOf(path: string): number;
};

/** `kb` gives null while the index is written. */
type DryRunDeps = {
  readonly kb: () => KnowledgeBase | null;
  readonly counter: TokenCounter;
  readonly craVersion: string;
};

/** Opens previews of refinements of a finished run, and keeps the run in memory. */
export function openDryRun(deps: DryRunDeps, request: RetrieveRequest, run: RetrieveResult): DryRun {
  let tokens: number | null = null;
  const count = (pkg: ContextPackage): number => deps.counter.count(renderMarkdown(pkg));
  return {
    async preview(change, signal) {
      const kb = deps.kb();
      if (kb === null) return { kind: "index-busy" };
      try {
        return await rerun({ ...deps, kb }, request, run, change, signal);
      } catch (error) {
        if (error instanceof Failed && error.failure.code === "budget-below-floor")
          return { kind: "budget-too-small", failure: error.failure };
        if (deps.kb() !== kb && !signal.aborted) return { kind: "index-busy" };
        throw error;
      }
    },
    tokensOf(path) {
      tokens ??= count(run.pkg);
      return Math.max(0, tokens - count(without(run.pkg, path)));
    },
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
      budget: change.budget === null ? request.budget : { ...request.budget, tokens: change.budget },
      stages: request.stages.map((stage, at) => withKnown(stage, run.trail[at])),
      constraints: mergeConstraints(run.standing, change.request),
      refines: { taskId: run.taskId, request: {} },
      judging: request.judging === null ? null : { ...request.judging, strict: false },
      notices: [],
    },
    signal,
  );
  let step = await steps.next();
  while (!step.done) step = await steps.next();
  const result = step.value;
  await stopIfAborted(signal);
  const [before, now] = [shownItems(run.packed.fit.shown), shownItems(result.packed.fit.shown)];
  const changes = changesSince(run.round, before, now);
  return {
    kind: "package",
    exact: !answers.isMissed(),
    package: { ...result.pkg, provenance: { ...result.pkg.provenance, changes } },
    enters: movesOf(changes.added, result),
    leaves: movesOf(changes.dropped, run),
    next: marginalItems(result),
  };
}

/** The stage, or its earlier outcome where its input is the same. */
function withKnown(stage: Stage, known: StageRun | undefined): Stage {
  return {
    ...stage,
    async *run(input) {
      return known !== undefined && isSame(stage, input, known) ? known.outcome : yield* stage.run(input);
    },
  };
}

/** The index of an open knowledge base never changes. All else is compared by content. */
function isSame(stage: Stage, input: StageInput, known: StageRun): boolean {
  const before = known.input;
  return (
    input.kb === before.kb &&
    input.selection === before.selection &&
    isAlike(before.files, input.files) &&
    JSON.stringify([input.task, input.anchors]) === JSON.stringify([before.task, before.anchors]) &&
    (symbolRequestsKey(input) === symbolRequestsKey(before) ||
      stage.isUnmovedBy?.(input.symbolRequests, known) === true)
  );
}

const isAlike = <T extends { readonly id: number }>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id);

const symbolRequestsKey = ({ symbolRequests: { bySymbol, files, missing } }: StageInput): string =>
  JSON.stringify([[...bySymbol], [...files], [...missing]]);

const NOTHING_HAPPENS: readonly JudgementEvent[] = [];

/** Answers the questions of the run as the model did, and no others. */
function recordedAnswers(questions: readonly AskedQuestion[]): { readonly openJudge: OpenJudge; isMissed(): boolean } {
  const known = new Map(questions.map(({ question, verdicts }) => [JSON.stringify(question), verdicts]));
  let isMissed = false;
  const answer = <Class extends string>(question: Question<Class>): Judged<Class> => {
    const verdicts = known.get(JSON.stringify(question));
    if (verdicts === undefined || verdicts === null) {
      isMissed = true;
      return { ok: false, failure: { kind: "unreachable", why: "" } };
    }
    const own = [...verdicts].flatMap(([key, { class: name, reason }]) => {
      const found = question.classes.find((one) => one === name);
      return found === undefined ? [] : [[key, { class: found, reason }] as const];
    });
    return { ok: true, verdicts: new Map(own), remembered: true };
  };
  return {
    isMissed: () => isMissed,
    openJudge: () => ({
      judge: {
        model: questions[0]?.model ?? "",
        async *judge(question) {
          yield* NOTHING_HAPPENS;
          return answer(question);
        },
      },
      sayFailure: () => ({ why: "it is not asked about what is only supposed", next: "refine to ask it" }),
    }),
  };
}

/** Whole files first, then parts of files of which more is shown as well; each by rank of its file. */
function movesOf(changes: readonly Change[], run: RetrieveResult): readonly Move[] {
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

/** The package without one file. */
function without(pkg: ContextPackage, path: string): ContextPackage {
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
