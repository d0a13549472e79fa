/** The use of a model by a run, and the interface for its stages. */
import type { ModelCallRow } from "../../db/raw-log/raw-log.ts";
import type { Judgeable } from "../../judgement/evidence.ts";
import type { Judge, JudgementMemory, Question, Verdict } from "../../judgement/judge.ts";
import type { ModelFailure } from "../../llm/model.ts";
import type { Notice } from "../../notice.ts";
import type { PipelineEvent } from "./events.ts";

/**
 * `assistOnly`: ask only about the meaning of a vague task. `strict`: a failed question ends the run. `windowTokens` is the
 * model's window if it is not the default one: it determines how many items fit into a question.
 */
export type Judging = {
  readonly model: string;
  readonly assistOnly: boolean;
  readonly strict: boolean;
  readonly windowTokens?: number;
};

/** Opens the judge of one run. `memory` holds earlier answers for the task; `onCall` gets every call. */
export type OpenJudge = (records: {
  readonly memory: JudgementMemory;
  readonly onCall: (record: ModelCallRow) => void;
}) => RunJudge;

/** A judge, and the words for its failures. `sending` is the notice to give before something is sent. */
type RunJudge = {
  readonly judge: Judge;
  readonly sayFailure: (failure: ModelFailure) => { readonly why: string; readonly next: string };
  readonly sending?: Notice;
};

export type Verdicts<Class extends string> = ReadonlyMap<string, Verdict<Class>>;

/** A question to a model with its verdicts; null when it gave none. */
export type AskedQuestion = {
  readonly model: string;
  readonly question: Question<string>;
  readonly verdicts: Verdicts<string> | null;
};

/** How a stage asks: verdicts by key, or null when the model gave none. */
export type StageJudge = {
  readonly model: string;
  /** The posteriors of what was judged, in the order of the items. What earlier questions told of the judge counts. */
  weigh(items: readonly Judgeable[]): readonly number[];
  /** What the questions so far told of the judge; undefined before the first. */
  known(): readonly number[] | undefined;
  /** Goes on from what was known then, in place of asking again. */
  resume(known: readonly number[] | undefined): void;
  ask<Class extends string>(question: Question<Class>): AsyncGenerator<PipelineEvent, Verdicts<Class> | null>;
};
