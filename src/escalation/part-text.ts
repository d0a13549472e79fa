/**
 * The text of what was read of a file, which may be its two ends only.
 *
 * A character that the reading cut is left out, and the marker stands for what was not read. What is shown has no secret
 * in it, and nothing of one that begins or ends in what was not read.
 */
import { isAscii } from "node:buffer";
import type { Redactor } from "../secrets/redactor.ts";
import type { PartialRead } from "../source/walk/sandboxed-reader.ts";
import { BINARY_PROBE_BYTES, decode } from "../text/decode.ts";
import { withoutCutFirst, withoutCutLast } from "./cut-secrets.ts";
import { TRUNCATED } from "./excerpt.ts";

/** All that was read, to be looked through; null when it could not be read, or is not text. */
export function textOf(read: PartialRead): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  return parts.tail === null ? parts.head : parts.head + TRUNCATED + parts.tail;
}

/** The same, to be shown. */
export function shownText(read: PartialRead, { text: redacted }: Redactor): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  const { head, tail } = parts;
  // What is whole is hidden first, so that leaving out a line cuts none.
  return tail === null ? redacted(head) : withoutCutLast(redacted(head)) + TRUNCATED + withoutCutFirst(redacted(tail));
}

/**
 * What was read in UTF-8 with its letters small, but for those of ASCII, which are as they were; null as above. For who
 * looks for ASCII alone, other letters are as they were too, which spares most texts the decoding.
 */
export function foldedBytes(read: PartialRead, forAscii: boolean): Uint8Array | null {
  if (read.kind === "bytes" && read.tail === null && (isAscii(read.head) || (forAscii && staysBeyondAscii(read.head))))
    return read.head.subarray(0, BINARY_PROBE_BYTES).includes(0) ? null : read.head;
  const text = textOf(read);
  return text === null ? null : Buffer.from(text.toLowerCase());
}

/** Whether the text has no mark of its encoding, and no letter that is small in ASCII and is not itself: K and İ. */
function staysBeyondAscii(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (bytes[0] ?? 0) < 0xef && !buffer.includes("\u212a") && !buffer.includes("\u0130");
}

/** `tail` is null where there is nothing more. */
type Parts = { readonly head: string; readonly tail: string | null };

function partsOf(read: PartialRead): Parts | null {
  if (read.kind === "problem") return null;
  const { head, tail, isWhole } = read;
  const first = decode(isWhole ? head : withoutCutEnd(head));
  if (first.kind === "binary") return null;
  if (isWhole) return { head: first.text, tail: null };
  const last = tail === null ? null : decode(withoutCutStart(tail));
  return { head: first.text, tail: last?.kind === "text" ? last.text : "" };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without the first bytes of a character that goes on behind the end. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length > bytes.length - start ? bytes.subarray(0, start) : bytes;
}

/** Without the last bytes of a character that began before the start. */
function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}
