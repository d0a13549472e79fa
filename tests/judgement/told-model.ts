/**
 * A model in this process that says what the test tells it to: for what lies above the port, not for the wire. And
 * a world around it that keeps what happens.
 */
import type { ModelCallRow } from "../../src/db/raw-log/raw-log.ts";
import type { Judged, JudgementEvent, JudgementMemory } from "../../src/judgement/judge.ts";
import { type JudgeDeps, openJudge } from "../../src/judgement/open-judge.ts";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "../../src/llm/model.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { itemsOf, listsOf, stageOf } from "../support/judging-reply.ts";

export const TOKEN = "5b1e2f0a-77aa-4c1d-9c55-0f2d7f3a9e10";
export const COUNTER = await openTokenCounter("o200k_base", { margin: 0 });

/** What the model says to a request, the first counted 0: a reply's text, or a failure. */
export type Told = (request: ModelRequest, call: number) => string | ModelFailure;

export type ToldModel = Model & { readonly requests: ModelRequest[] };

/** What every answer took. */
export const TOOK = { promptTokens: 3, promptMs: 2, answerTokens: 4, answerMs: 3 } as const;

export function toldModel(told: Told, windowTokens = 8_192): ToldModel {
  const requests: ModelRequest[] = [];
  return {
    name: "told",
    baseUrl: "http://127.0.0.1:11434",
    digest: null,
    windowTokens,
    requests,
    async *generate(request, signal): AsyncGenerator<string, ModelAnswer> {
      requests.push(request);
      const said = told(request, requests.length - 1);
      if (typeof said !== "string") return { ok: false, failure: said, partial: "so far", ms: 7 };
      for (let at = 0; at < said.length; at += 50) {
        signal.throwIfAborted();
        yield said.slice(at, at + 50);
      }
      return { ok: true, reply: { text: said, promptTokens: 3, responseTokens: 4, ms: 5, time: TOOK } };
    },
  };
}

export type KeptMemory = JudgementMemory & { readonly kept: Map<string, unknown> };

/** A memory that keeps JSON, as a session does. */
export function memoryOf(kept: Map<string, unknown> = new Map()): KeptMemory {
  return {
    kept,
    recall: (key) => kept.get(key),
    keep(entries) {
      for (const [key, verdict] of entries) kept.set(key, JSON.parse(JSON.stringify(verdict)));
    },
  };
}

/** A judge on a model, with all that it recorded. */
export function judgeOn(model: Model, rest: Partial<JudgeDeps> = {}) {
  const calls: ModelCallRow[] = [];
  let now = 0;
  const judge = openJudge({
    source: { name: model.name, baseUrl: model.baseUrl, open: () => Promise.resolve({ ok: true, model }) },
    counter: COUNTER,
    fenceToken: () => TOKEN,
    timeMs: 90_000,
    queue: null,
    memory: memoryOf(),
    onCall: (record) => void calls.push(record),
    nowMs: () => (now += 1),
    nowIso: () => "2024-01-01T00:00:00.000Z",
    ...rest,
  });
  return { judge, calls };
}

/** Runs a generator of events to its end. */
export async function drain<T>(
  running: AsyncGenerator<JudgementEvent, T>,
): Promise<{ readonly events: readonly JudgementEvent[]; readonly outcome: T }> {
  const events: JudgementEvent[] = [];
  for (;;) {
    const step = await running.next();
    if (step.done === true) return { events, outcome: step.value };
    events.push(step.value);
  }
}

/** The verdicts by key, or the kind of failure. */
export const inShort = (judged: Judged<string>): Readonly<Record<string, string>> | string =>
  judged.ok
    ? Object.fromEntries([...judged.verdicts].map(([key, verdict]) => [key, verdict.class]))
    : judged.failure.kind;

/** The numbers of the items in a prompt, in order. */
export const idsIn = (prompt: string): readonly number[] => itemsOf({ prompt }).map(({ id }) => id);

/** A reply that lists every item under one name; one that is no list lists nothing. */
export const saying =
  (verdict: string): Told =>
  ({ prompt, format }) =>
    JSON.stringify({
      ...Object.fromEntries(listsOf(format).map((name) => [name, name === verdict ? idsIn(prompt) : []])),
      ...(stageOf({ format }) === "analysis" ? { words: [] } : {}),
    });
