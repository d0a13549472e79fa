/**
 * Bytes of a stream as lines, bounded: a line that is too long is passed over, however long it is, and told of.
 *
 * Pure over what it is handed. Keeps at most `bytesMax` bytes, and takes time linear in what comes, however it is cut
 * into chunks. The end of the stream ends its last line.
 */

/** One line without its end: `\n`, or `\r\n`. */
export type Line =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too long" }
  | { readonly kind: "not UTF-8" };

const NEWLINE = 10;
const RETURN = 13;

/** Lines as they come; empty ones are left out. */
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
    // A copy: whoever reads may use its buffer again.
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
