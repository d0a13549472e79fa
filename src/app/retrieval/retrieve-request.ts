/** What a retrieval is asked for: as the interfaces give it, checked, without secrets, and as the pipeline takes it. */
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { Settings } from "../../config/keys.ts";
import { budgetTokens } from "../../config/settings.ts";
import type { Notice } from "../../notice.ts";
import { SAFETY_MARGIN_DEFAULT } from "../../retrieval/model/budget.ts";
import type { Judging } from "../../retrieval/model/judging.ts";
import type { Review, Reviewed } from "../../retrieval/model/review.ts";
import type { Stage } from "../../retrieval/model/stage.ts";
import type { Refinement } from "../../retrieval/refinement/refine-round.ts";
import { DEFAULT_TEMPLATE, parseTemplate, type Template } from "../../retrieval/render/prompt.ts";
import { type Constraints, NO_CONSTRAINTS, type StandingChoice } from "../../retrieval/requests/refinement.ts";
import type { WordedChanges } from "../../retrieval/requests/review-words.ts";
import type { RetrieveRequest as PipelineRequest } from "../../retrieval/retrieve.ts";
import { stagesNamed } from "../../retrieval/stages.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { openTokenCounter, type TokenCounter } from "../../text/tokens/tokens.ts";
import type { IndexNeeds } from "../indexing/ready-index.ts";
import { planJudging } from "../workspace/open-model.ts";

/** `template` is the user's own; null uses the built-in one. */
export type RetrieveRequest = IndexNeeds & {
  readonly task: string;
  readonly settings: Settings;
  readonly hintPaths: readonly string[];
  readonly hintSymbols: readonly string[];
  /** What history says of paths that no file has; looked up by every new round. */
  readonly former?: readonly NamedFormerly[];
  /** Folders and files, from the root, that bound the search; everywhere when absent. */
  readonly only?: readonly string[];
  /** Changes to look up when the run begins, and to add to its constraints. With them the task may be empty. */
  readonly changes?: DiffOptions;
  /** Changes that the task asks for in its words. If they cannot be read, the task is one like any other. */
  readonly worded?: WordedChanges;
  /** The changes that an earlier round reviewed, to look up again without `changes`. */
  readonly reviewed?: Reviewed;
  readonly template: { readonly text: string; readonly path: string } | null;
  /** What must be in the package, and what must not; nothing by default. */
  readonly constraints?: Constraints;
  /** Makes this another round of a task. */
  readonly refines?: Refinement;
  /** What to do with what earlier rounds of the task asked for; by default a first round only reports it. */
  readonly standing?: StandingChoice;
  /** The round whose content to keep, as `task:round`; null for none. By default a further round keeps that of the one before. */
  readonly keepShown?: string | null;
  /** A model that fails ends the run. */
  readonly strict: boolean;
};

/** Whether there are changes to look up. Of several repositories, words ask for none. */
export const hasChanges = ({ changes, reviewed, worded, settings }: RetrieveRequest): boolean =>
  changes !== undefined || reviewed !== undefined || (worded !== undefined && settings["workspace.repos"].length === 0);

/** A request whose changes were looked up; `review` is their diff. */
export type ReviewedRequest = RetrieveRequest & { readonly review?: Review };

/** A request whose stages, template and model are known to be valid. */
export type RetrievalPlan = {
  readonly request: ReviewedRequest;
  readonly stages: readonly Stage[];
  readonly template: Template;
  /** Null without a model. */
  readonly judging: Judging | null;
  /** Loads while the index is refreshed. */
  readonly counter: Promise<TokenCounter>;
};

/** Checks a request before anything is done for it. Throws a usage or configuration failure. */
export function planRetrieval(request: ReviewedRequest): RetrievalPlan {
  const { template, settings, strict } = request;
  return {
    request,
    stages: stagesNamed(settings.stages),
    template: parseTemplate(template?.text ?? DEFAULT_TEMPLATE, template?.path ?? "the built-in template"),
    judging: planJudging(settings, strict),
    counter: counterFor(settings),
  };
}

/** Loading begins when the process first waits: by then git is at work. */
async function counterFor({ tokenizer, safety_margin }: Settings): Promise<TokenCounter> {
  await nextTurn();
  return openTokenCounter(tokenizer, { margin: safety_margin ?? SAFETY_MARGIN_DEFAULT });
}

/** A request that is safe to analyse, log and show. */
export const withoutSecrets = <Request extends RetrieveRequest>(
  request: Request,
  { value, text }: Redactor,
): Request => ({
  ...request,
  task: text(request.task),
  hintPaths: value(request.hintPaths),
  hintSymbols: value(request.hintSymbols),
  template: value(request.template),
  ...(request.constraints === undefined ? {} : { constraints: value(request.constraints) }),
  ...(request.refines === undefined ? {} : { refines: value(request.refines) }),
});

/** The request as the pipeline takes it. `notices` are those of this run alone. */
export function pipelineRequest(
  {
    request,
    stages,
    template,
  }: Pick<RetrievalPlan, "stages" | "template"> & {
    readonly request: Pick<RetrieveRequest, "task" | "settings" | "hintPaths" | "hintSymbols"> &
      Partial<Pick<ReviewedRequest, "only" | "former" | "constraints" | "refines" | "standing" | "review">>;
  },
  notices: readonly Notice[],
): PipelineRequest {
  const { task, settings, hintPaths, hintSymbols, former = [] } = request;
  return {
    command: request.refines === undefined ? "retrieve" : "refine",
    task,
    given: {
      paths: hintPaths,
      symbols: hintSymbols,
      languages: settings.hint_language,
      purpose: settings.for,
      ...(former.length === 0 ? {} : { former }),
    },
    budget: {
      tokens: budgetTokens(settings),
      maxLines: settings.max_lines,
      contextWindow: settings.context_window,
      reservedTokens: settings.reserved_tokens,
      coverage: settings.coverage,
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
    reasons: settings.reasons,
    repos: settings["workspace.repos"],
    safetyMargin: settings.tokenizer === "approximate" ? (settings.safety_margin ?? SAFETY_MARGIN_DEFAULT) : null,
    template,
    ...(request.review === undefined ? {} : { review: request.review }),
    constraints: request.constraints ?? NO_CONSTRAINTS,
    refines: request.refines ?? null,
    ...(request.standing === undefined ? {} : { standing: request.standing }),
    judging: null,
    notices,
  };
}
