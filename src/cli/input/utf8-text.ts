/**
 * Standard input as text that is whole: bytes that are no UTF-8 are refused, so that nothing is stored with holes in it.
 */
import { Failed } from "../../failure.ts";

/** Reads to the end. Throws a usage failure for what is not UTF-8, and for more than `bytesMax` bytes. */
export async function wholeText(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
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
