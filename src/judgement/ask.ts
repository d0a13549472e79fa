/**
 * Asks a model one thing and validates the answer, with one more try when the answer is not valid, or empty.
 *
 * Invariants: no prompt is sent that does not fit the model's window with its reply; every call is recorded, the
 * abandoned ones too; what was asked for is returned or the failure, and only the signal's reason is thrown.
 */
import { z } from "zod";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "../llm/model.ts";
import { displayLines } from "../text/display.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import { roomOfCall } from "./context-window.ts";
import type { Fence } from "./fence.ts";
import type { CallRecord, JudgementEvent } from "./judge.ts";
import { shorten } from "./one-line.ts";
import { repairPrompt } from "./prompt.ts";

/** `schema` is sent as JSON Schema of what goes in, and must be one that has such a form. */
export type Asking<T> = {
  readonly model: Model;
  readonly stage: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<T>;
  readonly replyTokensMax: number;
};

/** What asking needs of the world. `nowMs` is a steady clock in milliseconds, `nowIso` the time of day. */
export type AskWorld = {
  readonly fence: Fence;
  readonly counter: TokenCounter;
  readonly onCall: (record: CallRecord) => void;
  readonly nowMs: () => number;
  readonly nowIso: () => string;
};

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ModelFailure };

/** An invalid answer is shown to the model up to here, in characters. */
const SHOWN_ANSWER_CHARS = 400;
const WHY_CHARS_MAX = 160;

/** What asking again adds to a prompt at most, in counted tokens; room for it is left when prompts are laid out. */
export const REPAIR_TOKENS_MAX = 256;

/** Asks. Yields the pieces of the answers as they come. */
export async function* ask<T>(
  asking: Asking<T>,
  world: AskWorld,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, Answered<T>> {
  const fits = (prompt: string): boolean =>
    roomOfCall({ ...asking, prompt }, world.counter) <= asking.model.windowTokens;
  if (!fits(asking.prompt)) {
    return { ok: false, failure: { kind: "no-room", windowTokens: asking.model.windowTokens } };
  }
  const first = yield* call(asking, asking.prompt, world, signal);
  if (first.kind === "answered") return first.answered;
  const { failure, text } = first;
  const why = failure.kind === "no-text" ? "it was empty" : failure.why;
  const repair = [text === "" ? null : text.slice(0, SHOWN_ANSWER_CHARS), null]
    .map((shown) => repairPrompt(asking.prompt, why, shown, world.fence))
    .find(fits);
  if (repair === undefined) return { ok: false, failure };
  const second = yield* call(asking, repair, world, signal);
  return second.kind === "answered" ? second.answered : { ok: false, failure: second.failure };
}

/** `unusable`: the model did answer, and may do better when it is told why. */
type Called<T> =
  | { readonly kind: "answered"; readonly answered: Answered<T> }
  | {
      readonly kind: "unusable";
      readonly failure: Extract<ModelFailure, { kind: "invalid" | "no-text" }>;
      readonly text: string;
    };

/** One call, recorded however it ends. */
async function* call<T>(
  { model, stage, system, schema, replyTokensMax }: Asking<T>,
  prompt: string,
  { onCall, nowMs, nowIso }: AskWorld,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, Called<T>> {
  signal.throwIfAborted();
  const startedAt = nowIso();
  const startedMs = nowMs();
  let heard = "";
  let recorded = false;
  const record = (status: string, answer: Pick<CallRecord, "response" | "ms" | "promptTokens" | "responseTokens">) => {
    recorded = true;
    onCall({
      stage,
      model: model.name,
      baseUrl: model.baseUrl,
      prompt: `${system}\n\n${prompt}`,
      status,
      ...answer,
      startedAt,
    });
  };
  const pieces = model.generate({ system, prompt, format: formatOf(schema), replyTokensMax }, signal);
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done !== true) {
        heard += step.value;
        if (step.value !== "") yield { event: "judgement_text", stage, text: displayLines(step.value) };
        continue;
      }
      const answer = step.value;
      if (!answer.ok) {
        const response = answer.partial === "" ? null : answer.partial;
        record(answer.failure.kind, { response, ms: answer.ms, promptTokens: null, responseTokens: null });
        return answer.failure.kind === "no-text"
          ? { kind: "unusable", failure: answer.failure, text: "" }
          : { kind: "answered", answered: { ok: false, failure: answer.failure } };
      }
      const { text, ms, promptTokens, responseTokens } = answer.reply;
      const read = readAnswer(text, schema);
      record(read.ok ? "ok" : "invalid", { response: text, ms, promptTokens, responseTokens });
      return read.ok
        ? { kind: "answered", answered: { ok: true, value: read.value } }
        : { kind: "unusable", failure: { kind: "invalid", why: read.why }, text };
    }
  } finally {
    if (!recorded) {
      const ms = nowMs() - startedMs;
      record("cancelled", { response: heard === "" ? null : heard, ms, promptTokens: null, responseTokens: null });
      await pieces.return(abandoned(heard, ms));
    }
  }
}

/** What a generator of pieces is told to return when nobody listens any more. */
const abandoned = (partial: string, ms: number): ModelAnswer => ({
  ok: false,
  failure: { kind: "broken-off", why: "nobody waits for it" },
  partial,
  ms,
});

/** The JSON Schema of an answer, as a server takes it. */
function formatOf(schema: z.ZodType): ModelRequest["format"] {
  const { $schema, ...format } = z.toJSONSchema(schema, { io: "input" });
  return format;
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** White space around it and a fence of backticks are taken off; nothing else is. */
const BACKTICKS = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;

/** Reads an answer. `why` is one safe line, a clause without a full stop. */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): Read<T> {
  const trimmed = text.trim();
  let value: unknown;
  try {
    value = JSON.parse(BACKTICKS.exec(trimmed)?.[1] ?? trimmed);
  } catch (error) {
    return {
      ok: false,
      why: shorten(`it is no JSON (${error instanceof Error ? error.message : "cut off"})`, WHY_CHARS_MAX),
    };
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const issue = checked.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.map(String).join(".");
  return { ok: false, why: shorten(`${place}: ${issue?.message ?? "does not follow the schema"}`, WHY_CHARS_MAX) };
}
