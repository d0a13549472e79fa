/**
 * What the user types or pipes in, bounded.
 */
import { Failed } from "../../failure.ts";
import type { Sink } from "../output/output.ts";
import type { Input } from "../syntax/command.ts";

export type Stdin = { readonly isTerminal: boolean; bytes(): AsyncIterable<Uint8Array | string> };

/** A line that is typed to answer a question is never longer. */
const ANSWER_BYTES_MAX = 1_000;

export function inputFrom(stdin: Stdin, err: Sink, { mayAsk }: { readonly mayAsk: boolean }): Input {
  const canAsk = mayAsk && stdin.isTerminal && err.isTerminal;
  return {
    canAsk,
    bytes: stdin.bytes,
    async read(bytesMax) {
      const { text, whole } = await collect(stdin.bytes(), bytesMax, () => false);
      if (whole) return text;
      throw new Failed({ code: "usage", message: `standard input is larger than ${bytesMax} bytes` });
    },
    async confirm(question) {
      if (!canAsk) return false;
      await err.write(`${question} [y/N] `);
      const { text } = await collect(stdin.bytes(), ANSWER_BYTES_MAX, (chunk) => chunk.includes("\n"));
      return /^\s*y(es)?\s*$/i.test(text.split("\n")[0] ?? "");
    },
  };
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
