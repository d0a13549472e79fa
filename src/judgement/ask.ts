/**
 * Sends one question to a model and validates the answer, with one retry if the answer is invalid or empty.
 *
 * A prompt is sent only if it fits the model's window together with its reply. An answer that repeats itself is stopped.
 * Every call is recorded, abandoned ones too. Failures are returned; only the signal's reason is thrown.
 */
import { z } from "zod";
import type { ModelCallRow } from "../db/raw-log/raw-log.ts";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "../llm/model.ts";
import { displayLines } from "../text/display.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import { windowTokensOfCall } from "./context-window.ts";
import type { Fence } from "./fence.ts";
import type { JudgementEvent } from "./judge.ts";
import { repairPrompt } from "./prompt.ts";
import { isRepeating } from "./repeating.ts";
import { shorten } from "./shorten.ts";
import type { CallTime } from "./throughput.ts";

/** `schema` must be representable as JSON Schema: its input form is sent to the server. */
type ModelQuery<T> = {
  readonly model: Model;
  readonly stage: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<T>;
  readonly replyTokensMax: number;
  /** Milliseconds that are left for it; without it only the client's limits hold. */
  readonly leftMs?: () => number;
};

/** `nowMs` is a monotonic clock in milliseconds, `nowIso` the time of day. */
export type AskDeps = {
  readonly fence: Fence;
  readonly counter: TokenCounter;
  readonly onCall: (record: ModelCallRow) => void;
  readonly nowMs: () => number;
  readonly nowIso: () => string;
};

type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly time: CallTime }
  | { readonly ok: false; readonly failure: ModelFailure };

/** How much of an invalid answer the retry quotes, in characters. */
const SHOWN_ANSWER_CHARS = 400;
const WHY_CHARS_MAX = 160;

/** The most that a retry adds to a prompt, in counted tokens. Prompts are laid out with this much to spare. */
export const REPAIR_TOKENS_MAX = 256;

/** Asks the model; yields the text of its answers as it arrives. */
export async function* ask<T>(
  query: ModelQuery<T>,
  deps: AskDeps,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, Answer<T>> {
  const fits = (prompt: string): boolean =>
    windowTokensOfCall({ ...query, prompt }, deps.counter) <= query.model.windowTokens;
  if (!fits(query.prompt)) {
    return { ok: false, failure: { kind: "no-room", windowTokens: query.model.windowTokens } };
  }
  const first = yield* call(query, query.prompt, false, deps, signal);
  if (first.kind === "answered") return first.answered;
  const { failure, text } = first;
  const why = failure.kind === "no-text" ? "it was empty" : failure.why;
  const repair = [text === "" ? null : text.slice(0, SHOWN_ANSWER_CHARS), null]
    .map((shown) => repairPrompt({ ...query, why, answer: shown, form: formOf(query.schema) }, deps.fence))
    .find(fits);
  if (repair === undefined) return { ok: false, failure };
  const second = yield* call(query, repair, true, deps, signal);
  return second.kind === "answered" ? second.answered : { ok: false, failure: second.failure };
}

/** `unusable`: the model answered, and a retry may help. */
type CallOutcome<T> =
  | { readonly kind: "answered"; readonly answered: Answer<T> }
  | {
      readonly kind: "unusable";
      readonly failure: Extract<ModelFailure, { kind: "invalid" | "no-text" }>;
      readonly text: string;
    };

/** One call, recorded however it ends. */
async function* call<T>(
  { model, stage, system, schema, replyTokensMax, leftMs }: ModelQuery<T>,
  prompt: string,
  isRetry: boolean,
  { onCall, nowMs, nowIso }: AskDeps,
  signal: AbortSignal,
): AsyncGenerator<JudgementEvent, CallOutcome<T>> {
  signal.throwIfAborted();
  const secondsMax = leftMs === undefined ? undefined : Math.max(0, leftMs() / 1_000);
  const startedAt = nowIso();
  const startedMs = nowMs();
  let received = "";
  let recorded = false;
  const record = (
    status: string,
    answer: Pick<ModelCallRow, "response" | "ms" | "promptTokens" | "responseTokens">,
  ) => {
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
  const stream = model.generate(
    {
      ...{ system, prompt, format: formatOf(schema), replyTokensMax },
      ...(isRetry ? { isRetry } : {}),
      ...(secondsMax === undefined ? {} : { secondsMax }),
    },
    signal,
  );
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done !== true) {
        received += step.value;
        if (step.value !== "") yield { event: "judgement_text", stage, text: displayLines(step.value) };
        if (!isRepeating(received)) continue;
        const ms = nowMs() - startedMs;
        record("repeating", { response: received, ms, promptTokens: null, responseTokens: null });
        await stream.return(abandoned(received, ms));
        return { kind: "answered", answered: { ok: false, failure: { kind: "repeating" } } };
      }
      const answer = step.value;
      if (!answer.ok) {
        const response = answer.partial === "" ? null : answer.partial;
        record(answer.failure.kind, { response, ms: answer.ms, promptTokens: null, responseTokens: null });
        return answer.failure.kind === "no-text"
          ? { kind: "unusable", failure: answer.failure, text: "" }
          : { kind: "answered", answered: { ok: false, failure: answer.failure } };
      }
      const { text, ms, promptTokens, responseTokens, time } = answer.reply;
      const read = readAnswer(text, schema);
      record(read.ok ? "ok" : "invalid", { response: text, ms, promptTokens, responseTokens });
      return read.ok
        ? { kind: "answered", answered: { ok: true, value: read.value, time } }
        : { kind: "unusable", failure: { kind: "invalid", why: read.why }, text };
    }
  } finally {
    if (!recorded) {
      const ms = nowMs() - startedMs;
      record("cancelled", {
        response: received === "" ? null : received,
        ms,
        promptTokens: null,
        responseTokens: null,
      });
      await stream.return(abandoned(received, ms));
    }
  }
}

/** The result that ends a stream whose reader is gone. */
const abandoned = (partial: string, ms: number): ModelAnswer => ({
  ok: false,
  failure: { kind: "broken-off", why: "nobody waits for it" },
  partial,
  ms,
});

/** The JSON Schema of an answer, as servers expect it. */
function formatOf(schema: z.ZodType): ModelRequest["format"] {
  const { $schema, ...format } = z.toJSONSchema(schema, { io: "input" });
  return format;
}

/** What a question may ask for: plain values, lists and objects. */
const Form = z.object({
  type: z.string(),
  get items() {
    return Form.optional();
  },
  get properties() {
    return z.record(z.string(), Form).optional();
  },
});

/** How an answer looks, as an example of its types: the schema does not reach every model. */
const formOf = (schema: z.ZodType): string => JSON.stringify(exampleOf(Form.parse(formatOf(schema))));

function exampleOf({ type, items, properties }: z.infer<typeof Form>): unknown {
  if (items !== undefined) return [exampleOf(items)];
  if (properties === undefined) return type;
  return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, exampleOf(of)]));
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** The thoughts that some models write before their answer. */
const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/;
/** Ends thoughts. Some templates open them in the prompt, so that the reply has nothing but their end. */
const THOUGHTS_END = /<\/think(?:ing)?>/;

/** What lies between the first and the last brace. Throws where that is no JSON. */
function objectIn(text: string): unknown {
  const said = text.trim();
  return JSON.parse(said.slice(Math.max(0, said.indexOf("{")), said.lastIndexOf("}") + 1 || said.length));
}

/**
 * Parses and validates an answer, which may have thoughts or words around its one JSON object. `why` is one safe line, a
 * clause without a full stop.
 */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): Parsed<T> {
  let value: unknown;
  try {
    value = objectIn(text.replace(THOUGHTS, ""));
  } catch (error) {
    const answer = text.split(THOUGHTS_END).slice(1).at(-1);
    // An answer may quote the end of thoughts, so they are only looked for where there is no object.
    if (answer !== undefined) return readAnswer(answer, schema);
    return {
      ok: false,
      why: shorten(`it is not JSON (${error instanceof Error ? error.message : "cut off"})`, WHY_CHARS_MAX),
    };
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const issue = checked.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.map(String).join(".");
  return { ok: false, why: shorten(`${place}: ${issue?.message ?? "does not follow the schema"}`, WHY_CHARS_MAX) };
}
