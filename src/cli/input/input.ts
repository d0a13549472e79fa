/** What the user types or pipes in, with a limit on its size. */

import { Failed } from "../../failure.ts";
import type { Sink } from "../output/sink.ts";
import type { Context, Input } from "../syntax/command.ts";

export type Stdin = { readonly isTerminal: boolean; bytes(): AsyncIterable<Uint8Array | string> };

/** The answer to a question is never longer. */
const ANSWER_BYTES_MAX = 1_000;

export function inputFrom(stdin: Stdin, err: Sink, { mayAsk }: { readonly mayAsk: boolean }): Input {
  const canAsk = mayAsk && stdin.isTerminal && err.isTerminal;
  return {
    canAsk,
    bytes: stdin.bytes,
    async read(bytesMax) {
      const { text, whole } = await collect(stdin.bytes(), bytesMax, () => false);
      if (whole) return text;
      throw refused(`is larger than ${bytesMax} bytes`);
    },
    async confirm(question) {
      if (!canAsk) return false;
      await err.write(`${question} [y/N] `);
      const { text } = await collect(stdin.bytes(), ANSWER_BYTES_MAX, (chunk) => chunk.includes("\n"));
      return /^\s*y(es)?\s*$/i.test(text.split("\n")[0] ?? "");
    },
  };
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

/** Reads to the end, to `bytesMax` bytes, or to the first chunk that is enough. Bytes that are not UTF-8 become U+FFFD. */
async function collect(
  chunks: AsyncIterable<Uint8Array | string>,
  bytesMax: number,
  isEnough: (chunk: string) => boolean,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder("utf-8");
  let text = "";
  let bytes = 0;
  for await (const chunk of chunks) {
    const part = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.byteLength;
    text += part;
    if (bytes > bytesMax) return { text, whole: false };
    if (isEnough(part)) return { text, whole: true };
  }
  return { text: text + decoder.decode(), whole: true };
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
