/**
 * Reads the end of a log, from a file or a stream of any size and encoding.
 *
 * Only the last failure matters, so the end is kept, from a whole line on. A byte order mark names the encoding, since some
 * shells redirect into UTF-16; otherwise it is UTF-8, and other bytes become U+FFFD.
 */
import { withoutCutFirst } from "../../escalation/cut-secrets.ts";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";

/** The end of a file; null when there is no file. Throws a usage failure when it cannot be read. */
export async function endOfFile(path: string, bytesMax: number): Promise<string | null> {
  try {
    const file = Bun.file(path);
    const stat = await file.stat();
    if (!stat.isFile()) throw new Failed({ code: "usage", message: `${path} is not a regular file` });
    const start = Math.max(0, stat.size - bytesMax);
    return textFrom(await file.slice(0, MARK_BYTES).bytes(), await file.slice(start, stat.size).bytes(), start);
  } catch (error) {
    if (error instanceof Failed) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new Failed(
      { code: "usage", message: `${path} cannot be read: ${systemErrorWords(error)}` },
      { cause: error },
    );
  }
}

/** The end of a stream; the rest is not kept in memory. */
export async function endOfStream(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
  const kept: Buffer[] = [];
  let [head, keptBytes, total] = [Buffer.alloc(0), 0, 0];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    if (head.length < MARK_BYTES) head = Buffer.concat([head, bytes.subarray(0, MARK_BYTES)]);
    kept.push(bytes);
    [keptBytes, total] = [keptBytes + bytes.length, total + bytes.length];
    for (let first = kept[0]; first !== undefined && keptBytes - first.length >= bytesMax; first = kept[0]) {
      keptBytes -= first.length;
      kept.shift();
    }
  }
  const end = Buffer.concat(kept).subarray(-bytesMax);
  return textFrom(head, end, total - end.length);
}

const MARK_BYTES = 2;

/** `start` is the number of bytes before `end`. */
function textFrom(head: Uint8Array, end: Uint8Array, start: number): string {
  const mark = Buffer.from(head).toString("hex", 0, MARK_BYTES);
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  const isHalf = encoding !== "utf-8" && start % 2 === 1;
  const text = new TextDecoder(encoding).decode(isHalf ? end.subarray(1) : end);
  return start === 0 ? text : withoutCutFirst(text);
}
