/**
 * Opens the judge of one run: lays a question out in calls, asks what is not remembered, and puts the verdicts together.
 *
 * Invariants: verdicts are of candidates and classes that were given, whatever a reply says; a question whose calls did
 * not all succeed has no verdicts; what was answered once in this task is not asked again; once the server or the model
 * is known to be missing, nothing is asked at all.
 */
import type { Model, ModelFailure } from "../llm/model.ts";
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { type AskWorld, ask, REPAIR_TOKENS_MAX } from "./ask.ts";
import { type Item, planBatches, replyTokensFor } from "./batches.ts";
import { roomOfCall, roomOfTokens, tokensIn } from "./context-window.ts";
import { FENCE_TOKENS_MAX, type Fence, openFence } from "./fence.ts";
import {
  CANDIDATES_MAX,
  type CallRecord,
  type Judge,
  type Judged,
  type JudgementEvent,
  type JudgementMemory,
  type Question,
  type Verdict,
} from "./judge.ts";
import { type AskedQuestion, asItem, idOf, sortingPrompt } from "./prompt.ts";
import { fingerprint } from "./question-key.ts";
import { replySchema } from "./reply.ts";

/** What a judge is made of. `fenceToken` is drawn anew for each run; `nowMs` is a steady clock in milliseconds. */
export type JudgeWorld = {
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly fenceToken: string;
  readonly memory: JudgementMemory;
  readonly onCall: (record: CallRecord) => void;
  readonly nowMs: () => number;
  readonly nowIso: () => string;
};

/** A candidate is read up to here, in characters. */
const CANDIDATE_CHARS_MAX = 2_000;

/** The task is cut to this many tokens, or to its share of a small window. */
const TASK_TOKENS_MAX = 1_500;
const TASK_SHARE = 0.25;
const TASK_MARKER = " […] ";

/** After so many the server is taken to be too slow for this run. */
const TIMEOUTS_MAX = 2;

/** Failures that every further call would meet too. */
const FINAL: ReadonlySet<ModelFailure["kind"]> = new Set(["unreachable", "missing-model", "redirected"]);

/** Opens a judge. Nothing is asked until it is asked. */
export function openJudge(world: JudgeWorld): Judge {
  const fence = openFence(world.fenceToken);
  const asked: AskWorld = { ...world, fence };
  let broken: ModelFailure | null = null;
  let timeouts = 0;
  const note = (failure: ModelFailure): void => {
    if (failure.kind === "timeout") timeouts += 1;
    if (FINAL.has(failure.kind) || timeouts >= TIMEOUTS_MAX) broken = failure;
  };
  async function* judge<Class extends string>(
    question: Question<Class>,
    signal: AbortSignal,
  ): AsyncGenerator<JudgementEvent, Judged<Class>> {
    if (question.candidates.length === 0) return { ok: true, verdicts: new Map(), remembered: false };
    const startedMs = world.nowMs();
    const { stage } = question;
    const finished = (status: "judged" | "remembered" | "failed", judged: number): JudgementEvent => ({
      event: "judgement_finished",
      stage,
      status,
      judged,
      ms: status === "remembered" ? 0 : Math.max(0, Math.round(world.nowMs() - startedMs)),
    });
    const calls = layOut(question, world, fence);
    if (calls === null) {
      yield finished("failed", 0);
      return { ok: false, failure: { kind: "no-room", windowTokens: world.model.windowTokens } };
    }
    const verdicts = new Map<string, Verdict<Class>>();
    let askedCalls = 0;
    for (const [index, call] of calls.entries()) {
      const schema = replySchema(
        call.items.map((_, at) => idOf(at)),
        question.classes,
      );
      const remembered = schema.safeParse(world.memory.recall(call.fingerprint));
      let reply = remembered.data;
      if (reply === undefined) {
        askedCalls += 1;
        if (broken !== null) {
          yield finished("failed", 0);
          return { ok: false, failure: broken };
        }
        yield {
          event: "judgement_started",
          stage,
          model: world.model.name,
          candidates: call.items.length,
          call: index + 1,
          calls: calls.length,
        };
        const answered = yield* ask({ ...call, model: world.model, stage, schema }, asked, signal);
        if (!answered.ok) {
          note(answered.failure);
          yield finished("failed", 0);
          return answered;
        }
        reply = answered.value;
        world.memory.keep(call.fingerprint, reply);
      }
      const keyOf = new Map(call.items.map(({ key }, at) => [idOf(at), key]));
      for (const { id, class: verdict, reason = "" } of reply.verdicts) {
        const key = keyOf.get(id);
        if (key !== undefined) verdicts.set(key, { class: verdict, reason });
      }
    }
    yield finished(askedCalls === 0 ? "remembered" : "judged", verdicts.size);
    return { ok: true, verdicts, remembered: askedCalls === 0 };
  }
  return { model: world.model.name, judge };
}

type Call = {
  readonly items: readonly Item[];
  readonly system: string;
  readonly prompt: string;
  readonly replyTokensMax: number;
  readonly fingerprint: string;
};

/** The calls of a question, or null when the window is too small for one. The same whatever the fence's token is. */
function layOut<Class extends string>(
  question: Question<Class>,
  { model, counter }: JudgeWorld,
  fence: Fence,
): readonly Call[] | null {
  const { instruction, classes, stage } = question;
  const taskTokens = Math.min(TASK_TOKENS_MAX, tokensIn(model.windowTokens * TASK_SHARE));
  const task = cutMiddle(asItem(question.task), taskTokens, TASK_MARKER, counter);
  const asked: AskedQuestion = { instruction, classes, task };
  const bare = { ...sortingPrompt(asked, [], STAND_IN), replyTokensMax: 0 };
  const around = roomOfCall(bare, counter) + roomOfTokens(FENCES * FENCE_TOKENS_MAX + REPAIR_TOKENS_MAX);
  const items = question.candidates
    .slice(0, CANDIDATES_MAX)
    .map(({ key, text }) => ({ key, text: asItem(text.slice(0, CANDIDATE_CHARS_MAX)) }));
  const batches = planBatches(items, model.windowTokens - around, counter);
  if (batches === null) return null;
  return batches.map((batch) => {
    const texts = batch.map(({ text }) => text);
    return {
      items: batch,
      ...sortingPrompt(asked, texts, fence),
      replyTokensMax: replyTokensFor(batch.length),
      fingerprint: fingerprint({ model: model.name, stage, classes, instruction, task, texts }),
    };
  });
}

/** Counts are taken with this token, so that the layout does not depend on that of the run. */
const STAND_IN = openFence("stand-in");

/** How often a prompt holds the fence's token. */
const FENCES = 5;
