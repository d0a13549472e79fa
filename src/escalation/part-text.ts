/**
 * The text of what was read of a file, which may be its two ends only.
 *
 * A character that the reading cut is left out, and the marker stands for what was not read. What is shown has no secret
 * in it, and nothing of one that begins or ends in what was not read. Not here: what is a secret (`secrets/`).
 */
import { isAscii } from "node:buffer";
import type { Redactor } from "../secrets/redactor.ts";
import type { EvidenceRead } from "../source/evidence.ts";
import { BINARY_PROBE_BYTES, decode } from "../text/decode.ts";
import { isLowHalf, TRUNCATED } from "./excerpt.ts";

/** Of a line that the reading cut, so much goes: what makes a secret one stands on its line and is shorter. */
const CUT_LINE_CHARS = 4_096;
/** A private key has many lines, and so much at most up to where it says that it ends. */
const KEY_CHARS_MAX = 20_000;
const KEY_BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY/;
const KEY_END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY/;

/** All that was read, to be looked through; null when it could not be read, or is not text. */
export function textOf(read: EvidenceRead): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  return parts.tail === null ? parts.head : parts.head + TRUNCATED + parts.tail;
}

/** The same, to be shown. */
export function shownText(read: EvidenceRead, { text: redacted }: Redactor): string | null {
  const parts = partsOf(read);
  if (parts === null) return null;
  const { head, tail } = parts;
  // What is whole is hidden first, so that leaving out a line cuts none.
  return tail === null
    ? redacted(head)
    : withoutLastLine(redacted(head)) + TRUNCATED + withoutFirstLine(withoutKeyEnd(redacted(tail)));
}

/** What was read in UTF-8 with its letters small, but for those of ASCII, which are as they were; null as above. */
export function foldedBytes(read: EvidenceRead): Uint8Array | null {
  if (read.kind === "bytes" && isAscii(read.head) && read.tail === null)
    return read.head.subarray(0, BINARY_PROBE_BYTES).includes(0) ? null : read.head;
  const text = textOf(read);
  return text === null ? null : Buffer.from(text.toLowerCase());
}

/** `tail` is null where there is nothing more. */
type Parts = { readonly head: string; readonly tail: string | null };

function partsOf(read: EvidenceRead): Parts | null {
  if (read.kind === "problem") return null;
  const { head, tail, isWhole } = read;
  const first = decode(isWhole ? head : withoutCutEnd(head));
  if (first.kind === "binary") return null;
  if (isWhole) return { head: first.text, tail: null };
  const last = tail === null ? null : decode(withoutCutStart(tail));
  return { head: first.text, tail: last?.kind === "text" ? last.text : "" };
}

function withoutLastLine(text: string): string {
  const end = Math.max(text.lastIndexOf("\n") + 1, text.length - CUT_LINE_CHARS);
  return text.slice(0, isLowHalf(text.charCodeAt(end)) ? end - 1 : end);
}

function withoutFirstLine(text: string): string {
  const end = text.indexOf("\n");
  const start = Math.min(end < 0 ? text.length : end + 1, CUT_LINE_CHARS);
  return text.slice(isLowHalf(text.charCodeAt(start)) ? start + 1 : start);
}

/** Without the lines of a private key that began before the text. */
function withoutKeyEnd(text: string): string {
  const end = KEY_END.exec(text.slice(0, KEY_CHARS_MAX));
  return end === null || KEY_BEGIN.test(text.slice(0, end.index)) ? text : text.slice(end.index);
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
