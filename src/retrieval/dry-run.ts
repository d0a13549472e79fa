/**
 * What a refinement would give, before it is asked for: the run made again, recorded nowhere.
 *
 * A stage that would be given what it was given before is not run again, so a change of the budget only packs, and one
 * of how much of a symbol is shown leaves the ranking alone. Invariant: while the index stays as it is, what is supposed
 * is what `retrieve` then gives, unless it says that it is an estimate; it is one when a model would be asked something
 * new, for it is never asked here. Not here: what a budget would take out or bring in next (`marginal-items.ts`).
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
import { type InLine, nextInLine } from "./packing/marginal-items.ts";
import { NO_LOG, NO_SESSION } from "./record/run-log.ts";
import { changesSince, shownItems } from "./refinement/changes.ts";
import { renderMarkdown } from "./render/markdown.ts";
import { type RetrieveRequest, type RetrieveResult, retrieve } from "./retrieve.ts";

/** A request that is only thought of. `budget` is in tokens; null is that of the run. */
export type Supposed = { readonly request: RefinementRequest; readonly budget: number | null };

/** Something that would come in or go out, with the tokens it takes, by estimate; `item` is null for a whole file. */
export type Move = { readonly path: string; readonly item: string | null; readonly tokens: number };

/**
 * What would be. `package` has its changes against the run; `enters` and `leaves` are those of files, and of parts of
 * files that stay, by rank of the file. `exact`: a refinement gives just that. `budget-too-small` tells the failure that
 * it would meet; `index-busy` says that nothing can be said while the index is written.
 */
export type Outlook =
  | {
      readonly kind: "package";
      readonly exact: boolean;
      readonly package: ContextPackage;
      readonly enters: readonly Move[];
      readonly leaves: readonly Move[];
      /** What a smaller budget would take out or shorten first, and what a larger one would bring; by estimate. */
      readonly next: { readonly out: InLine | null; readonly in: InLine | null };
    }
  | { readonly kind: "budget-too-small"; readonly failure: Extract<Failure, { code: "budget-below-floor" }> }
  | { readonly kind: "index-busy" };

export type WhatIf = {
  /**
   * Thinks a request through, in steps; tens of milliseconds, and as long as a run where files are accepted, rejected or
   * missed. Throws `cancelled` when the signal fires.
   */
  suppose(change: Supposed, signal: AbortSignal): Promise<Outlook>;
  /** How many tokens of the run's package a file takes: what rejecting it frees before anything else comes in. */
  tokensOf(path: string): number;
};

/** What a run was made with. `kb` is null while the index is written. */
export type WhatIfWorld = {
  readonly kb: () => KnowledgeBase | null;
  readonly counter: TokenCounter;
  readonly craVersion: string;
};

/** Opens what-ifs on a finished run, which is kept in memory as long as they are. */
export function openWhatIf(world: WhatIfWorld, request: RetrieveRequest, run: RetrieveResult): WhatIf {
  let tokens: number | null = null;
  const count = (pkg: ContextPackage): number => world.counter.count(renderMarkdown(pkg));
  return {
    async suppose(change, signal) {
      const kb = world.kb();
      if (kb === null) return { kind: "index-busy" };
      try {
        return await outlook({ ...world, kb }, request, run, change, signal);
      } catch (error) {
        if (error instanceof Failed && error.failure.code === "budget-below-floor")
          return { kind: "budget-too-small", failure: error.failure };
        if (world.kb() !== kb && !signal.aborted) return { kind: "index-busy" };
        throw error;
      }
    },
    tokensOf(path) {
      tokens ??= count(run.pkg);
      return Math.max(0, tokens - count(without(run.pkg, path)));
    },
  };
}

async function outlook(
  { kb, counter, craVersion }: Omit<WhatIfWorld, "kb"> & { readonly kb: KnowledgeBase },
  request: RetrieveRequest,
  run: RetrieveResult,
  change: Supposed,
  signal: AbortSignal,
): Promise<Outlook> {
  const answers = rememberedAnswers(run.asked);
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
      stages: request.stages.map((stage, at) => unlessKnown(stage, run.trail[at])),
      constraints: mergeConstraints(run.standing, change.request),
      refines: { taskId: run.taskId, request: {} },
      judging: request.judging === null ? null : { ...request.judging, strict: false },
      notices: [],
    },
    signal,
  );
  let step = await steps.next();
  while (!step.done) step = await steps.next();
  const found = step.value;
  await stopIfAborted(signal);
  const [before, now] = [shownItems(run.packed.fit.shown), shownItems(found.packed.fit.shown)];
  const changes = changesSince(run.round, before, now);
  return {
    kind: "package",
    exact: !answers.isMissed(),
    package: { ...found.pkg, provenance: { ...found.pkg.provenance, changes } },
    enters: movesOf(changes.added, found),
    leaves: movesOf(changes.dropped, run),
    next: nextInLine(found),
  };
}

/** A stage that gives what it gave before where it is given the same. */
function unlessKnown(stage: Stage, known: StageRun | undefined): Stage {
  return {
    ...stage,
    async *run(input) {
      return known !== undefined && isSame(stage, input, known) ? known.outcome : yield* stage.run(input);
    },
  };
}

/** The index of an open knowledge base never changes. All else is compared by what it holds. */
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

/** Answers questions as they were answered in the run, and no other. */
function rememberedAnswers(asked: readonly AskedQuestion[]): { readonly openJudge: OpenJudge; isMissed(): boolean } {
  const known = new Map(asked.map(({ question, verdicts }) => [JSON.stringify(question), verdicts]));
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
        model: asked[0]?.model ?? "",
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
