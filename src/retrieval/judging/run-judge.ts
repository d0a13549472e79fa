/**
 * How a stage asks the model, and what becomes of a run whose model fails.
 *
 * A failed question leaves the stage what it has without a model, with one notice for the whole run; under `strict` it
 * ends the run. Invariant: with no answer nothing of the package differs but its warnings. Not here: what is asked
 * (`scope-judgement.ts`, `precision-judgement.ts`, `intent-judgement.ts`) and how (`judgement/`).
 */

import { Failed, type Notice } from "../../failure.ts";
import type { CallRecord, JudgementEvent, JudgementMemory, Question } from "../../judgement/judge.ts";
import { noticed, type PipelineEvent } from "../model/events.ts";
import type { AskedQuestion, Judging, OpenJudge, StageJudge } from "../model/judging.ts";

/** The judge of a run. `failures` is what to tell of it once all has been asked: one notice, or none. */
type JudgeOfRun = StageJudge & { failures(): readonly Notice[] };

/** What a run hands over. `onSending` gets what is told of that; `stopIfAborted` throws its own reason when it was stopped. */
type JudgedRun = {
  readonly openJudge: OpenJudge | null;
  readonly judging: Judging | null;
  readonly openMemory: () => JudgementMemory;
  readonly onCall: (record: CallRecord) => void;
  readonly onSending: (notice: Notice) => void;
  /** Told of every question, with its verdicts if it has any. */
  readonly onAsked: (asked: AskedQuestion) => void;
  readonly stopIfAborted: () => Promise<void>;
};

/** The judge of a run's stages; null when it has no model. */
export function stageJudge(run: JudgedRun, signal: AbortSignal): JudgeOfRun | null {
  const { openJudge, judging, openMemory, onCall, onSending, onAsked, stopIfAborted } = run;
  if (openJudge === null || judging === null) return null;
  const { judge, sayFailure, sending } = openJudge({ memory: openMemory(), onCall });
  const { strict, assistOnly } = judging;
  const failed: { stage: string; why: string; next: string }[] = [];
  let hasAnswered = false;
  let unsaid = sending;
  function* saidBefore(event: JudgementEvent): Generator<PipelineEvent> {
    if (unsaid === undefined || event.event !== "judgement_started") return;
    onSending(unsaid);
    yield noticed(unsaid);
    unsaid = undefined;
  }
  return {
    model: judge.model,
    failures() {
      const stages = failed.map(({ stage }) => stage);
      const whole = !hasAnswered && !assistOnly;
      return failed.slice(0, 1).map(({ why, next }) => ({ code: "judgement-failed", stages, whole, why, next }));
    },
    async *ask<Class extends string>(question: Question<Class>) {
      const asking = withBefore(judge.judge(question, signal), saidBefore);
      const judged = yield* untilAborted(asking, stopIfAborted);
      if (judged === null) return null;
      onAsked({ model: judge.model, question, verdicts: judged.ok ? judged.verdicts : null });
      if (judged.ok) {
        hasAnswered ||= question.candidates.length > 0;
        return judged.verdicts;
      }
      const { why, next } = sayFailure(judged.failure);
      const { stage } = question;
      if (strict) throw new Failed({ code: "model-failed", stage, why, next });
      failed.push({ stage, why, next });
      return null;
    },
  };
}

/** The events, each after what is said before it. The result is null only for whoever has stopped listening. */
async function* withBefore<T>(
  asking: AsyncGenerator<JudgementEvent, T | null>,
  before: (event: JudgementEvent) => Iterable<PipelineEvent>,
): AsyncGenerator<PipelineEvent, T | null> {
  let step = await asking.next();
  try {
    while (!step.done) {
      yield* before(step.value);
      yield step.value;
      step = await asking.next();
    }
    return step.value;
  } finally {
    if (!step.done) await asking.return(null);
  }
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
