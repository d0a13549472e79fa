/**
 * What a stage is: an async generator that yields events as things happen and returns its outcome.
 *
 * A stage writes to nothing; the runner (`retrieve.ts`) records what it returns.
 */
import type { Settings } from "../../config/keys.ts";
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import type { TaskQuery } from "../../task/query.ts";
import type { SymbolRequests } from "../requests/symbol-requests.ts";
import type { Anchor } from "./anchor.ts";
import type { Decision } from "./decision.ts";
import type { PipelineEvent } from "./events.ts";
import type { StageJudge } from "./judging.ts";
import type { RemainingUse } from "./review.ts";
import type { Weights } from "./scores.ts";
import type { Selection } from "./selection.ts";
import type { Vagueness } from "./vagueness.ts";

/**
 * What a model's verdicts changed: a row for each thing it judged (`tier` is the model's class, `included` the effect), and
 * the stage's decisions after them.
 */
type StageJudgement = { readonly verdicts: readonly Decision[]; readonly decisions: readonly Decision[] };

/** `decisions` are those made without a model; `selection` is the final one. */
export type StageOutcome = {
  readonly selection: Selection;
  readonly decisions: readonly Decision[];
  /** Null when no model judged. */
  readonly judgement: StageJudgement | null;
  readonly notices: readonly Notice[];
};

/** The options of a run that choose what is selected. */
export type ScopeOptions = {
  readonly scopeSize: number;
  readonly depth: 1 | 2 | 3;
  readonly weights: Weights;
  /** Folders and files from the root that all candidates lie in; the whole repository when left out. */
  readonly only?: readonly string[];
  /** Globs; a file is a candidate when it matches one of `include` (or that is empty) and none of `exclude`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};

export type StageInput = {
  readonly kb: KnowledgeBase;
  readonly task: TaskQuery;
  readonly anchors: readonly Anchor[];
  /** The files that may be selected, by path. */
  readonly files: readonly FileRow[];
  readonly options: ScopeOptions;
  readonly symbolRequests: SymbolRequests;
  /** Null unless the task is vague and nothing else says what the package must hold. */
  readonly vague: Vagueness | null;
  readonly selection: Selection;
  /** What still uses what the changes under review removed. */
  readonly remaining?: readonly RemainingUse[];
  /** Null when the run has no model. */
  readonly judge: StageJudge | null;
  /** Lets the process handle signals; rejects when one of them ends the run. Await it between long steps. */
  readonly pause: () => Promise<void>;
};

/** A stage that ran: its input and its outcome. */
export type StageRun = {
  readonly input: StageInput;
  readonly outcome: StageOutcome;
  /** What was known of the judge after it. */
  readonly judgeKnown: readonly number[] | undefined;
};

export type Stage = {
  /** As the setting `stages` takes it. */
  readonly name: Settings["stages"][number];
  /** Whether the outcome stays the same when only the symbol requests change. A stage without it depends on them. */
  isUnmovedBy?(symbolRequests: SymbolRequests, before: StageRun): boolean;
  run(input: StageInput): AsyncGenerator<PipelineEvent, StageOutcome>;
};
