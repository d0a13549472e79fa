/**
 * Opens the judge of one run: splits a question into calls, sends those without a remembered answer, merges the verdicts.
 *
 * If one call fails, the question has no verdicts. A call answered once in a task is not sent again, and nothing is sent
 * once the server or the model is known to be missing.
 */
import { createHash } from "node:crypto";
import type { ModelCallRow } from "../db/raw-log/raw-log.ts";
import type { Model, ModelFailure } from "../llm/model.ts";
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { type AskDeps, ask, REPAIR_TOKENS_MAX } from "./ask.ts";
import { planBatches, replyTokensFor } from "./batches.ts";
import { countableIn, windowTokensFor, windowTokensOfCall } from "./context-window.ts";
import { FENCE_TOKENS_MAX, type Fence, openFence } from "./fence.ts";
import type { Candidate } from "./judge.ts";
import {
  CANDIDATES_MAX,
  type Judge,
  type Judged,
  type JudgementEvent,
  type JudgementMemory,
  PROPOSED,
  PROPOSED_MAX,
  type Question,
  type Verdict,
} from "./judge.ts";
import { type AskedQuestion, asItem, idOf, PROMPT_VERSION, sortingPrompt } from "./prompt.ts";
import { replySchema } from "./reply.ts";

/** `fenceToken` is drawn for each run; `nowMs` is a monotonic clock in milliseconds. */
export type JudgeDeps = {
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly fenceToken: string;
  readonly memory: JudgementMemory;
  readonly onCall: (record: ModelCallRow) => void;
  readonly nowMs: () => number;
  readonly nowIso: () => string;
};

/** The most that is read of a candidate, in characters. */
const CANDIDATE_CHARS_MAX = 2_000;

/** The task is cut to this many tokens, or to this share of a small window. */
const TASK_TOKENS_MAX = 1_500;
const TASK_SHARE = 0.25;
const TASK_MARKER = " […] ";

/** After this many timeouts the server counts as too slow for this run. */
const TIMEOUTS_MAX = 2;

/** Failures that every further call would meet. */
const FINAL: ReadonlySet<ModelFailure["kind"]> = new Set(["unreachable", "missing-model", "redirected"]);

/** Opens a judge; sends nothing by itself. */
export function openJudge(deps: JudgeDeps): Judge {
  const fence = openFence(deps.fenceToken);
  const asked: AskDeps = { ...deps, fence };
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
    const startedMs = deps.nowMs();
    const { stage } = question;
    const finished = (status: "judged" | "remembered" | "failed", judged: number): JudgementEvent => ({
      event: "judgement_finished",
      stage,
      status,
      judged,
      ms: status === "remembered" ? 0 : Math.max(0, Math.round(deps.nowMs() - startedMs)),
    });
    const calls = layOut(question, deps, fence);
    if (calls === null) {
      yield finished("failed", 0);
      return { ok: false, failure: { kind: "no-room", windowTokens: deps.model.windowTokens } };
    }
    const verdicts = new Map<string, Verdict<Class>>();
    let askedCalls = 0;
    const proposed = new Set<string>();
    for (const [index, call] of calls.entries()) {
      const schema = replySchema(
        call.items.map((_, at) => idOf(at)),
        question.classes,
        question.proposals !== undefined,
      );
      const remembered = schema.safeParse(deps.memory.recall(call.fingerprint));
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
          model: deps.model.name,
          candidates: call.items.length,
          call: index + 1,
          calls: calls.length,
        };
        const answered = yield* ask({ ...call, model: deps.model, stage, schema }, asked, signal);
        if (!answered.ok) {
          note(answered.failure);
          yield finished("failed", 0);
          return answered;
        }
        reply = answered.value;
        deps.memory.keep(call.fingerprint, reply);
      }
      const keyOf = new Map(call.items.map(({ key }, at) => [idOf(at), key]));
      for (const { id, class: verdict, reason = "" } of reply.verdicts) {
        const key = keyOf.get(id);
        if (key !== undefined) verdicts.set(key, { class: verdict, reason });
      }
      for (const word of reply.words ?? []) if (proposed.size < PROPOSED_MAX) proposed.add(word);
    }
    yield finished(askedCalls === 0 ? "remembered" : "judged", verdicts.size);
    if (question.proposals !== undefined)
      for (const word of proposed) verdicts.set(`${PROPOSED}${word}`, { class: question.proposals, reason: "" });
    return { ok: true, verdicts, remembered: askedCalls === 0 };
  }
  return { model: deps.model.name, judge };
}

type Call = {
  readonly items: readonly Candidate[];
  readonly system: string;
  readonly prompt: string;
  readonly replyTokensMax: number;
  readonly fingerprint: string;
};

/** The calls of a question, or null if the window is too small. The layout does not depend on the fence token. */
function layOut<Class extends string>(
  question: Question<Class>,
  { model, counter }: JudgeDeps,
  fence: Fence,
): readonly Call[] | null {
  const { instruction, classes, stage, proposals } = question;
  const wordTokens = proposals === undefined ? 0 : PROPOSED_TOKENS;
  const taskTokens = Math.min(TASK_TOKENS_MAX, countableIn(model.windowTokens * TASK_SHARE));
  const task = cutMiddle(asItem(question.task), taskTokens, TASK_MARKER, counter);
  const asked: AskedQuestion = { instruction, classes, task, proposes: proposals !== undefined };
  const bare = { ...sortingPrompt(asked, [], LAYOUT_FENCE), replyTokensMax: wordTokens };
  const around = windowTokensOfCall(bare, counter) + windowTokensFor(FENCES * FENCE_TOKENS_MAX + REPAIR_TOKENS_MAX);
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
      replyTokensMax: replyTokensFor(batch.length) + wordTokens,
      fingerprint: fingerprint({ model: model.name, stage, classes, instruction, task, texts }),
    };
  });
}

/** Token counts use this fence, so that the layout does not depend on the token of the run. */
const LAYOUT_FENCE = openFence("stand-in");

/** The room of proposed words in a reply, in tokens. */
const PROPOSED_TOKENS = 120;

/** How often a prompt contains the fence token. */
const FENCES = 5;

/** What the answer of a call depends on. `texts` are those of its candidates, in order. */
type CallContent = {
  readonly model: string;
  readonly stage: string;
  readonly classes: readonly string[];
  readonly instruction: string;
  readonly task: string;
  readonly texts: readonly string[];
};

/**
 * Identifies a call by everything its answer depends on: 64 hexadecimal digits. Left out are the fence token, which is
 * new for each run, the keys of candidates, which never leave the process, and the server's address.
 */
function fingerprint({ model, stage, classes, instruction, task, texts }: CallContent): string {
  return createHash("sha256")
    .update(JSON.stringify([PROMPT_VERSION, model, stage, classes, instruction, task, texts]))
    .digest("hex");
}
