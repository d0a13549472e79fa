/**
 * The judge of a run: how its stages ask a model, and what happens when the model fails.
 *
 * After a failed question a stage keeps its result without a model, and the whole run gets one notice; under `strict` the
 * failure ends the run. Invariant: without an answer, nothing in the package differs but its warnings.
 */
import type { ModelCallRow } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { type Judgeable, weigh } from "../../judgement/evidence.ts";
import type { JudgementEvent, JudgementMemory, Question } from "../../judgement/judge.ts";
import type { Notice, NoticeOf } from "../../notice.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { AskedQuestion, Judging, OpenJudge, StageJudge } from "../model/judging.ts";
import { noticeEvent } from "../model/notice-event.ts";
import { stopIfAborted } from "../model/steps.ts";

/** `failures`, after all questions: one notice or none, and one for each question that is answered in part. */
export type RunJudge = StageJudge & { failures(): readonly Notice[]; close(): void };

type JudgedRun = {
  readonly openJudge: OpenJudge | null;
  readonly judging: Judging | null;
  readonly openMemory: () => JudgementMemory;
  readonly onCall: (record: ModelCallRow) => void;
  /** Receives the notice that data is about to be sent. */
  readonly onSending: (notice: Notice) => void;
  /** Receives every question, with its verdicts if it has any. */
  readonly onAsked: (asked: AskedQuestion) => void;
};

/** Null when the run has no model. */
export function openRunJudge(run: JudgedRun, signal: AbortSignal): RunJudge | null {
  const { openJudge, judging, openMemory, onCall, onSending, onAsked } = run;
  if (openJudge === null || judging === null) return null;
  const { judge, sayFailure, sending } = openJudge({ memory: openMemory(), onCall });
  const { strict, assistOnly } = judging;
  const failed: { stage: string; why: string; next: string }[] = [];
  const partial: NoticeOf<"judgement-partial">[] = [];
  let hasAnswered = false;
  let unsent = sending;
  let shares: readonly number[] | undefined;
  function* noticeOfSending(event: JudgementEvent): Generator<PipelineEvent> {
    const isTried = event.event === "judgement_finished" && event.status === "failed";
    if (unsent === undefined || (event.event !== "judgement_started" && !isTried)) return;
    onSending(unsent);
    yield noticeEvent(unsent);
    unsent = undefined;
  }
  return {
    model: judge.model,
    close: judge.close,
    weigh(items: readonly Judgeable[]) {
      const evidence = weigh(items, shares);
      shares = evidence.shares;
      return evidence;
    },
    known: () => shares,
    resume(known) {
      shares = known;
    },
    failures() {
      const stages = failed.map(({ stage }) => stage);
      const whole = !hasAnswered && !assistOnly;
      return [
        ...failed.slice(0, 1).map(({ why, next }) => ({ code: "judgement-failed", stages, whole, why, next }) as const),
        ...partial,
      ];
    },
    async *ask<Class extends string>(question: Question<Class>) {
      const asking = withBefore(judge.judge(question, signal), noticeOfSending);
      const judged = yield* untilAborted(asking, signal);
      if (judged === null) return null;
      onAsked({ model: judge.model, question, verdicts: judged.ok ? judged.verdicts : null });
      const { stage, candidates, proposals } = question;
      const failure = judged.ok ? judged.stoppedBy : judged.failure;
      if (judged.ok) hasAnswered ||= candidates.length > 0 || proposals !== undefined;
      if (judged.ok && failure === null) return judged.verdicts;
      const { why, next } = failure === null ? NO_FAILURE : sayFailure(failure);
      if (judged.ok && !strict) {
        const { judged: count } = judged;
        partial.push({ code: "judgement-partial", stage, judged: count, of: candidates.length, why, next });
        return judged.verdicts;
      }
      if (strict) throw new Failed({ code: "model-failed", stage, why, next });
      failed.push({ stage, why, next });
      return null;
    },
  };
}

const NO_FAILURE = { why: "", next: "" } as const;

/** The events, each after those of `before`. The result is null only if the consumer stops early. */
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

/** A run that is aborted while the model answers ends with the run's reason, even if the client throws another error. */
async function* untilAborted<Event, T>(
  asking: AsyncGenerator<Event, T>,
  signal: AbortSignal,
): AsyncGenerator<Event, T> {
  try {
    return yield* asking;
  } catch (error) {
    await stopIfAborted(signal);
    throw error;
  }
}
