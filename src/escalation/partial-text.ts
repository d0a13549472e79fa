/**
 * Decodes a file, or only its start and its end if it was read in part.
 *
 * A split character at a cut is dropped, and a marker replaces the unread part. Text to be shown contains no secrets, nor
 * parts of a secret that continues in the unread part.
 */
import { isAscii } from "node:buffer";
import type { Redactor } from "../secrets/redactor.ts";
import type { PartialRead } from "../source/walk/sandboxed-reader.ts";
import { BINARY_PROBE_BYTES, decode } from "../text/decode.ts";
import { withoutCutFirst, withoutCutLast } from "./cut-secrets.ts";
import { TRUNCATED } from "./excerpt.ts";

/** All that was read, for searching; null if it could not be read or is not text. */
export function textOf(read: PartialRead): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  return parts.tail === null ? parts.head : parts.head + TRUNCATED + parts.tail;
}

/** The same for showing, without secrets. */
export function shownText(read: PartialRead, { text: redacted }: Redactor): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  const { head, tail } = parts;
  // Whole secrets are redacted first, so that dropping a line cannot split one.
  return tail === null ? redacted(head) : withoutCutLast(redacted(head)) + TRUNCATED + withoutCutFirst(redacted(tail));
}

/**
 * What was read, as lower-case UTF-8, except that ASCII letters may keep their case; null as above. With `forAscii`, other
 * letters may keep theirs too, which saves decoding most texts.
 */
export function foldedBytes(read: PartialRead, forAscii: boolean): Uint8Array | null {
  if (
    read.kind === "bytes" &&
    read.tail === null &&
    (isAscii(read.head) || (forAscii && keepsAsciiInLowerCase(read.head)))
  )
    return read.head.subarray(0, BINARY_PROBE_BYTES).includes(0) ? null : read.head;
  const text = textOf(read);
  return text === null ? null : Buffer.from(text.toLowerCase());
}

/** Whether the text has no byte order mark and neither K (Kelvin) nor İ, whose lower case is ASCII. */
function keepsAsciiInLowerCase(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (bytes[0] ?? 0) < 0xef && !buffer.includes("\u212a") && !buffer.includes("\u0130");
}

/** `tail` is null if `head` is everything. */
type Parts = { readonly head: string; readonly tail: string | null };

function partsOf(read: PartialRead): Parts | null {
  if (read.kind === "problem") return null;
  const { head, tail, isWhole } = read;
  const first = decode(isWhole ? head : withoutPartialEnd(head));
  if (first.kind === "binary") return null;
  if (isWhole) return { head: first.text, tail: null };
  const last = tail === null ? null : decode(withoutPartialStart(tail));
  return { head: first.text, tail: last?.kind === "text" ? last.text : "" };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without a character that is incomplete at the end. */
function withoutPartialEnd(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length > bytes.length - start ? bytes.subarray(0, start) : bytes;
}

/** Without a character that is incomplete at the start. */
function withoutPartialStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}
