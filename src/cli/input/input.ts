/** What the user types or pipes in, with a limit on its size. */

import { nextTurn } from "../../concurrency/next-turn.ts";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Sink } from "../output/sink.ts";
import type { Context, Input } from "../syntax/command.ts";

export type Stdin = { readonly isTerminal: boolean; bytes(): AsyncIterable<Uint8Array | string> };

/** The answer to a question is never longer. */
const ANSWER_BYTES_MAX = 1_000;

export function inputFrom(stdin: Stdin, err: Sink, { mayAsk }: { readonly mayAsk: boolean }): Input {
  const canAsk = mayAsk && stdin.isTerminal && err.isTerminal;
  const bytes = () => readable(stdin.bytes());
  return {
    canAsk,
    bytes,
    async read(bytesMax) {
      return await readText(bytes(), bytesMax);
    },
    async confirm(question) {
      if (!canAsk) return false;
      await err.write(`${question} [y/N] `);
      const answer = await firstLine(bytes(), ANSWER_BYTES_MAX);
      return /^\s*y(es)?\s*$/i.test(answer);
    },
  };
}

/** The engine reads a file behind standard input without a pause, and hears signals only in one. */
const BYTES_PER_PAUSE = 1024 * 1024;

/** The same chunks; an error of the system is a failure, such as that of a folder (`< src`). */
async function* readable(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array | string> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      yield chunk;
      bytes += chunk.length;
      if (bytes < BYTES_PER_PAUSE) continue;
      bytes = 0;
      await nextTurn();
    }
  } catch (error) {
    throw new Failed({ code: "io", message: systemErrorWords(error), where: "standard input" }, { cause: error });
  }
}

/** Asks before something is lost for good, unless `--yes` was given. Throws a usage failure if no user can be asked. */
export async function confirmLoss(
  { values, input, signal }: Pick<Context, "values" | "input" | "signal">,
  action: "Delete" | "Remove",
  what: string,
): Promise<boolean> {
  if (values.switch("--yes")) return true;
  const message = `${action === "Delete" ? "deleting" : "removing"} ${what} cannot be undone`;
  if (!input.canAsk) throw new Failed({ code: "usage", message, next: "to confirm, add --yes" });
  const isConfirmed = await input.confirm(`${action} ${what}? This cannot be undone.`);
  signal.throwIfAborted();
  return isConfirmed;
}

/** Reads to the first line end, to `bytesMax` bytes, or to the end. */
async function firstLine(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder("utf-8");
  let [text, bytes] = ["", 0];
  for await (const chunk of chunks) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (text.includes("\n") || bytes > bytesMax) break;
  }
  return text.split("\n")[0] ?? "";
}

/** Reads a text to its end; bytes of another encoding become U+FFFD. Throws a usage failure above `bytesMax` bytes. */
export async function readText(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) throw refused(`is larger than ${bytesMax} bytes`);
    kept.push(part);
  }
  const all = Buffer.concat(kept);
  return new TextDecoder(encodingOf(all)).decode(all);
}

/** How many bytes a byte order mark takes. */
export const MARK_BYTES = 2;

/** A byte order mark names the encoding, since some shells redirect into UTF-16. */
export function encodingOf(head: Uint8Array): "utf-16le" | "utf-16be" | "utf-8" {
  const mark = Buffer.from(head.subarray(0, MARK_BYTES)).toString("hex");
  return mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
}

/** Reads to the end. Throws a usage failure above `bytesMax` bytes, and for bytes that are not UTF-8, so that no text is stored with holes. */
export async function readUtf8(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  try {
    for await (const chunk of chunks) {
      bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.byteLength;
      if (bytes > bytesMax) throw refused(`is larger than ${bytesMax} bytes`);
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw refused("is not UTF-8", error);
    throw error;
  }
}

const refused = (why: string, cause?: unknown): Failed =>
  new Failed({ code: "usage", message: `standard input ${why}` }, { cause });
