/**
 * How a stage asks the model, and what becomes of a run whose model fails.
 *
 * A failed question leaves the stage what it has without a model, with one notice for the whole run; under `strict` it
 * ends the run. Invariant: with no answer nothing of the package differs. Not here: what is asked
 * (`scope-judgement.ts`, `precision-judgement.ts`, `intent-judgement.ts`) and how (`judgement/`).
 */
import { Failed, type Notice } from "../failure.ts";
import type { CallRecord, Judge, JudgementMemory, Question, Verdict } from "../judgement/judge.ts";
import type { ModelFailure } from "../model/model.ts";
import { noticed, type PipelineEvent } from "./events.ts";

/** What a run wants of a model. `assistOnly`: only what a vague task means. `strict`: a failed question ends the run. */
export type Judging = { readonly model: string; readonly assistOnly: boolean; readonly strict: boolean };

/** Opens the judge of one run, which is told what the task has been answered before, and tells of every call. */
export type OpenJudge = (records: {
  readonly memory: JudgementMemory;
  readonly onCall: (record: CallRecord) => void;
}) => RunJudge;

/** A judge, and the words for its failures. */
type RunJudge = {
  readonly judge: Judge;
  readonly sayFailure: (failure: ModelFailure) => { readonly why: string; readonly next: string };
};

export type Verdicts<Class extends string> = ReadonlyMap<string, Verdict<Class>>;

/** A question to a model with its verdicts; null when it had none. */
export type Asked = {
  readonly model: string;
  readonly question: Question<string>;
  readonly verdicts: Verdicts<string> | null;
};

/** What a stage is handed: the verdicts by key, or null when the model gave none. */
export type StageJudge = {
  readonly model: string;
  ask<Class extends string>(question: Question<Class>): AsyncGenerator<PipelineEvent, Verdicts<Class> | null>;
};

/** Why something is where it is after a verdict. */
export const judgedBy = (model: string, verdict: Verdict<string>): string =>
  `judged ${verdict.class.replaceAll("_", " ")} by ${model}${verdict.reason === "" ? "" : `: ${verdict.reason}`}`;

/** What a run hands over: `onFailure` gets its one notice; `stopIfAborted` throws its own reason when it was stopped. */
type JudgedRun = {
  readonly openJudge: OpenJudge | null;
  readonly judging: Judging | null;
  readonly openMemory: () => JudgementMemory;
  readonly onCall: (record: CallRecord) => void;
  readonly onFailure: (notice: Notice) => void;
  /** Told of every question, with its verdicts if it has any. */
  readonly onAsked: (asked: Asked) => void;
  readonly stopIfAborted: () => Promise<void>;
};

/** The judge of a run's stages; null when it has no model. */
export function stageJudge(run: JudgedRun, signal: AbortSignal): StageJudge | null {
  const { openJudge, judging, openMemory, onCall, onFailure, onAsked, stopIfAborted } = run;
  if (openJudge === null || judging === null) return null;
  const { judge, sayFailure } = openJudge({ memory: openMemory(), onCall });
  const { strict } = judging;
  let hasFailed = false;
  return {
    model: judge.model,
    async *ask<Class extends string>(question: Question<Class>) {
      const judged = yield* untilAborted(judge.judge(question, signal), stopIfAborted);
      onAsked({ model: judge.model, question, verdicts: judged.ok ? judged.verdicts : null });
      if (judged.ok) return judged.verdicts;
      const { why, next } = sayFailure(judged.failure);
      const { stage } = question;
      if (strict) throw new Failed({ code: "model-failed", stage, why, next });
      if (hasFailed) return null;
      hasFailed = true;
      const notice: Notice = { code: "judgement-failed", stage, why, next };
      onFailure(notice);
      yield noticed(notice);
      return null;
    },
  };
}

/** A run that is stopped while the model answers ends with the run's reason, whatever the client throws. */
async function* untilAborted<Event, T>(
  asking: AsyncGenerator<Event, T>,
  stopIfAborted: () => Promise<void>,
): AsyncGenerator<Event, T> {
  try {
    return yield* asking;
  } catch (error) {
    await stopIfAborted();
    throw error;
  }
}
