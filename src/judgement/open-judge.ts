/**
 * Opens the judge of one run: finds out what of a question is answered already, asks the rest in calls that fit the window
 * and the time, and merges the verdicts.
 *
 * Each verdict is remembered by what it depends on: model, task, question and the text of the candidate. A further round
 * asks only about what is new. A call that fails leaves its candidates without a verdict.
 */
import type { ModelCallRow } from "../db/raw-log/raw-log.ts";
import type { Model, ModelFailure, ModelSource } from "../llm/model.ts";
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { ask } from "./ask.ts";
import type { Appearance } from "./batches.ts";
import { countableIn } from "./context-window.ts";
import { type Fence, openFence } from "./fence.ts";
import {
  COVERAGE_MIN,
  type Judge,
  type Judged,
  type JudgementEvent,
  type JudgementMemory,
  type Question,
} from "./judge.ts";
import { planCalls } from "./plan-calls.ts";
import { asItem } from "./prompt.ts";
import { expectedMs, NOT_MEASURED, type Throughput, withCall } from "./throughput.ts";
import { openVerdicts, type QuestionVerdicts, rememberedDigest } from "./verdict-memory.ts";

/** The turn of a run at a model server, which serves one at a time. */
export type ServerQueue = {
  /** Takes the turn if nobody has it, else says who. */
  tryTake(): { readonly taken: Disposable } | { readonly holder: string };
  take(signal: AbortSignal): Promise<Disposable>;
};

/** `fenceToken` gives the fence token of a task; `nowMs` is a monotonic clock in milliseconds. `timeMs`: what the model may take in all. */
export type JudgeDeps = {
  readonly source: ModelSource;
  readonly counter: TokenCounter;
  readonly fenceToken: (task: string) => string;
  readonly memory: JudgementMemory;
  readonly onCall: (record: ModelCallRow) => void;
  readonly nowMs: () => number;
  readonly nowIso: () => string;
  readonly timeMs: number;
  readonly queue: ServerQueue | null;
};

/** The most that is read of a candidate, in characters. */
const CANDIDATE_CHARS_MAX = 2_000;

/** The task is cut to this many tokens, or to this share of a small window: all calls of a run have it, and together stay below 9,000. */
const TASK_TOKENS_MAX = 380;
const TASK_SHARE = 0.2;
const TASK_MARKER = " […] ";

/** After this many timeouts the server counts as too slow for this run. */
const TIMEOUTS_MAX = 2;
/** A call that is expected to take longer than what is left by this factor is not begun. */
const LATE_FACTOR = 1.1;
/** With fewer candidates, nothing is asked twice: one call shows them all. */
const REPEATING_MIN = 20;

/** Failures that every further call would meet. */
const FINAL: ReadonlySet<ModelFailure["kind"]> = new Set([
  "unreachable",
  "missing-model",
  "redirected",
  "embeds-only",
  "out-of-time",
]);

/** What a run's judge knows by now. */
type State = {
  opened: Model | null;
  broken: ModelFailure | null;
  timeouts: number;
  turn: Disposable | null;
  /** What asking the server about the model took. */
  openedMs: number;
  /** When the first question was sent. */
  startedMs: number | null;
  measured: Throughput;
};

/** Opens a judge; sends nothing by itself. */
export function openJudge(deps: JudgeDeps): Judge {
  const state: State = {
    opened: null,
    broken: null,
    timeouts: 0,
    turn: null,
    openedMs: 0,
    startedMs: null,
    measured: NOT_MEASURED,
  };
  return {
    model: deps.source.name,
    async *judge<Class extends string>(question: Question<Class>, signal: AbortSignal) {
      if (question.candidates.length === 0 && question.proposals === undefined)
        return { ok: true, verdicts: new Map(), remembered: false, judged: 0, stoppedBy: null };
      return yield* judge(question, deps, state, signal);
    },
    close() {
      state.turn?.[Symbol.dispose]();
      state.turn = null;
    },
  };
}

async function* judge<Class extends string>(
  question: Question<Class>,
  deps: JudgeDeps,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, Judged<Class>> {
  const { stage } = question;
  const startedMs = deps.nowMs();
  await openModel(deps, state, stage, signal);
  const digest = rememberedDigest(deps.memory, deps.source.name, state.opened?.digest ?? null);
  const verdicts = openVerdicts(question, `${deps.source.name}@${digest}`, appearancesOf(question), deps.memory);
  const unknown = verdicts.unknown();
  const isRemembered = unknown.length === 0 && !verdicts.lacksWords();
  let stoppedBy: ModelFailure | null = null;
  if (!isRemembered) {
    stoppedBy = state.broken;
    if (state.opened !== null && state.broken === null) {
      yield* takeTurn(deps, state, stage, signal);
      const { opened: model } = state;
      const fence = openFence(deps.fenceToken(question.task));
      const task = cutTask(question.task, deps.counter, model.windowTokens);
      stoppedBy = yield* askAbout(unknown, { question, task, model, verdicts, fence }, deps, state, signal);
    }
  }
  const { judged, byKey } = verdicts.all();
  const isFailed = byKey.size === 0 && stoppedBy !== null;
  yield {
    event: "judgement_finished",
    stage,
    status: isFailed ? "failed" : isRemembered ? "remembered" : "judged",
    judged,
    ms: isRemembered ? 0 : Math.max(0, Math.round(deps.nowMs() - startedMs)),
  };
  if (isFailed && stoppedBy !== null) return { ok: false, failure: stoppedBy };
  const isCovered = judged >= question.candidates.length * COVERAGE_MIN;
  const counting = isCovered ? byKey : new Map([...byKey].filter(([, verdict]) => verdict.class !== question.rest));
  return { ok: true, verdicts: counting, remembered: isRemembered, judged, stoppedBy };
}

/** Asks the server about the model, once, in the time of the model. A failure is recorded like that of a call. */
async function openModel(deps: JudgeDeps, state: State, stage: string, signal: AbortSignal): Promise<void> {
  if (state.opened !== null || state.broken !== null) return;
  const { name: model, baseUrl } = deps.source;
  const startedAt = deps.nowIso();
  const startedMs = deps.nowMs();
  const opened = await openInTime(deps, signal);
  const ms = Math.max(0, Math.round(deps.nowMs() - startedMs));
  state.openedMs = ms;
  if (opened.ok) {
    state.opened = opened.model;
    return;
  }
  state.broken = opened.failure;
  const nothing = { prompt: "", response: null, promptTokens: null, responseTokens: null };
  deps.onCall({ stage, model, baseUrl, ...nothing, status: opened.failure.kind, ms, startedAt });
}

async function openInTime({ source, timeMs }: JudgeDeps, signal: AbortSignal): ReturnType<ModelSource["open"]> {
  const end = AbortSignal.timeout(timeMs);
  try {
    return await source.open(AbortSignal.any([signal, end]));
  } catch (error) {
    signal.throwIfAborted();
    if (!end.aborted) throw error;
    return { ok: false, failure: outOfTime(timeMs) };
  }
}

const outOfTime = (timeMs: number): ModelFailure => ({ kind: "out-of-time", seconds: timeMs / 1_000 });

/** Waits until no other run of this machine asks the server; the time of the model begins then. */
async function* takeTurn(
  { queue, nowMs }: JudgeDeps,
  state: State,
  stage: string,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, void> {
  if (state.startedMs !== null) return;
  if (queue !== null) {
    const first = queue.tryTake();
    if ("holder" in first) yield { event: "judgement_waiting", stage, holder: first.holder };
    state.turn = "taken" in first ? first.taken : await queue.take(signal);
  }
  state.startedMs = nowMs();
}

/** What all calls of a question share. */
type Asking<Class extends string> = {
  readonly question: Question<Class>;
  readonly task: string;
  readonly model: Model;
  readonly verdicts: QuestionVerdicts<Class>;
  readonly fence: Fence;
};

/** Asks about appearances in as many calls as it takes; null, or why some are left. */
async function* askAbout<Class extends string>(
  unknown: readonly Appearance[],
  asking: Asking<Class>,
  deps: JudgeDeps,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, ModelFailure | null> {
  const { question, model, verdicts } = asking;
  const { stage } = question;
  const leftMs = (): number => deps.timeMs - state.openedMs - (deps.nowMs() - (state.startedMs ?? deps.nowMs()));
  const late = outOfTime(deps.timeMs);
  const planned = planCalls(
    unknown,
    { ...asking, windowTokens: model.windowTokens },
    { measured: state.measured, ms: leftMs() * question.timeShare, counter: deps.counter },
  );
  if (planned === null) return { kind: "no-room", windowTokens: model.windowTokens };
  let stoppedBy: ModelFailure | null = planned.isShort ? late : null;
  for (const [at, { batch, ...call }] of planned.calls.entries()) {
    const expected = planned.calls.slice(at).map(({ promptTokens }) => expectedMs(state.measured, promptTokens));
    const own = expected[0] ?? null;
    if (leftMs() <= 0 || (own !== null && own > leftMs() * LATE_FACTOR)) return late;
    yield {
      event: "judgement_started",
      stage,
      model: model.name,
      candidates: batch.length,
      call: at + 1,
      calls: planned.calls.length,
      expected_ms: own === null ? null : expected.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
      left_ms: Math.max(0, Math.round(leftMs())),
    };
    const answered = yield* ask({ ...call, model, stage, leftMs }, { ...deps, fence: asking.fence }, signal);
    if (answered.ok) {
      state.measured = withCall(state.measured, answered.time);
      verdicts.take(batch, answered.value);
      continue;
    }
    const isLate = answered.failure.kind === "timeout" && leftMs() <= 0;
    stoppedBy = isLate ? late : answered.failure;
    if (stoppedBy.kind === "timeout") state.timeouts += 1;
    if (FINAL.has(stoppedBy.kind) || state.timeouts >= TIMEOUTS_MAX) state.broken = stoppedBy;
    if (state.broken !== null) return stoppedBy;
  }
  return stoppedBy;
}

/** Every candidate once, best first, then those that are asked about twice again. */
function appearancesOf({ candidates, repeated }: Question<string>): readonly Appearance[] {
  const first = candidates.map(
    ({ key, text, group }): Appearance => ({
      key,
      text: asItem(text.slice(0, CANDIDATE_CHARS_MAX)),
      appearance: 0,
      ...(group === undefined ? {} : { group: asItem(group).replaceAll("\n", " ") }),
    }),
  );
  if (candidates.length < REPEATING_MIN) return first;
  return [...first, ...first.slice(0, repeated).map((one): Appearance => ({ ...one, appearance: 1 }))];
}

const cutTask = (task: string, counter: TokenCounter, windowTokens: number): string =>
  cutMiddle(asItem(task), Math.min(TASK_TOKENS_MAX, countableIn(windowTokens * TASK_SHARE)), TASK_MARKER, counter);
