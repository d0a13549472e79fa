/**
 * Reads the lines of a streamed chat, one JSON object each.
 *
 * A line keeps only the fields that cra uses, and only when they have the right type.
 */

import { z } from "zod";
import { display } from "../text/display.ts";
import { isTooDeep } from "../text/json-depth.ts";
import { parseJson } from "../text/parse-json.ts";
import { truncated } from "../text/truncated.ts";

const count = () => z.int().min(0).optional().catch(undefined);

/** Counts are tokens, durations nanoseconds. `done_reason` is the server's word: `stop`, `length`, `load`. */
const Part = z.object({
  message: z.object({ content: z.string().default("") }).default({ content: "" }),
  done: z.boolean().default(false),
  done_reason: z.string().max(100).optional(),
  prompt_eval_count: count(),
  eval_count: count(),
  prompt_eval_duration: count(),
  eval_duration: count(),
});

/**
 * The words of an error: Ollama has them in a text, servers of OpenAI's form in an object. SGLang and vLLM before 0.10.1 answer with
 * that object alone, and what is built on FastAPI refuses with a `detail` before the model is asked.
 */
const ErrorLine = z.union([
  z
    .object({ error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]) })
    .transform(({ error }) => error),
  z.object({ object: z.literal("error"), message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);

type ReplyPart = z.infer<typeof Part>;

type ReplyLine =
  | { readonly kind: "part"; readonly part: ReplyPart }
  /** The server gave up; `why` is its word, one line, safe to print. */
  | { readonly kind: "error"; readonly why: string }
  /** Not a line of a chat. `start` shows how it begins, safe to print. */
  | { readonly kind: "unreadable"; readonly start: string };

const WORDS_MAX = 300;

/** Words of the server, made safe and short. */
export function serverWords(text: string): string {
  return display(truncated(text.replace(/\s+/g, " ").trim(), WORDS_MAX));
}

/** The value of what a server sent; undefined for no JSON, or for one so deep that parsing it would take hundreds of times its size. */
export const serverJson = (text: string): unknown => (isTooDeep(text) ? undefined : parseJson(text));

/** Reads one line without its line end. Never throws. */
export function readLine(text: string): ReplyLine {
  const value = serverJson(text);
  const error = ErrorLine.safeParse(value);
  if (error.success) return { kind: "error", why: serverWords(error.data) };
  const part = Part.safeParse(value);
  return part.success
    ? { kind: "part", part: part.data }
    : { kind: "unreadable", start: serverWords(text.slice(0, 40)) };
}

/** The error that a JSON body names, null when it names none. */
export function errorIn(body: string): string | null {
  const error = ErrorLine.safeParse(serverJson(body));
  return error.success ? serverWords(error.data) : null;
}

/**
 * The lines of a stream of bytes, without their line ends; blank ones are left out. Bytes that are not UTF-8 become
 * U+FFFD.
 */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let open = "";
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    open += text;
    // A line of many pieces is cut once, when it is whole.
    if (!text.includes("\n")) continue;
    const lines = open.split("\n");
    open = lines.pop() ?? "";
    yield* lines.filter(isSaying);
  }
  open += decoder.decode();
  if (isSaying(open)) yield open;
}

const isSaying = (line: string): boolean => line.trim() !== "";
