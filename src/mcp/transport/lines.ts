/**
 * Cuts a stream of bytes into lines of a bounded length.
 *
 * A longer line is skipped and reported. At most `bytesMax` bytes are kept, and the time is linear in the bytes, however
 * they are cut into chunks. The end of the stream ends the last line.
 */

/** One line without its `\n` or `\r\n`. */
export type Line =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too long" }
  | { readonly kind: "not UTF-8" };

const NEWLINE = 10;
const RETURN = 13;

/** The lines as they arrive, without empty ones. */
export async function* linesIn(
  chunks: AsyncIterable<Uint8Array | string>,
  bytesMax: number,
): AsyncGenerator<Line, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isTooLong = false;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length > bytesMax) isTooLong = true;
    if (isTooLong) parts = [];
    // A copy, because the reader may reuse its buffer.
    else if (part.length > 0) parts.push(part.slice());
  };
  const finished = (): Line | null => {
    const line: Line | null = isTooLong ? { kind: "too long" } : lineOf(Buffer.concat(parts));
    [parts, length, isTooLong] = [[], 0, false];
    return line;
  };
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      keep(bytes.subarray(from, end));
      from = end + 1;
      const line = finished();
      if (line !== null) yield line;
    }
    keep(bytes.subarray(from));
  }
  const last = finished();
  if (last !== null) yield last;
}

function lineOf(bytes: Uint8Array): Line | null {
  const line = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  if (line.length === 0) return null;
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "not UTF-8" };
  }
}
