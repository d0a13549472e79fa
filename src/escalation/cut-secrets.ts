/**
 * What stays of a text that was cut where a secret may stand: half of one is known by nobody for what it is, and is shown.
 *
 * No character is cut.
 */
import { isLowHalf } from "./excerpt.ts";

/** Of a line that was cut, so much goes: a secret stands on one line with what makes it one, and is shorter. */
const CUT_LINE_CHARS = 4_096;
/** But for a private key, which has many lines, and so much at most up to where it says that it ends. */
const KEY_CHARS_MAX = 20_000;
const KEY_BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY/g;
const KEY_END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY/;
/** What keys, paths and names are made of, at the end. */
const CUT_WORD = /[\w\-./+=:@%~]+$/;

/** A text that goes on: without its last line, and without a private key that does not end in it. */
export function withoutCutLast(text: string): string {
  const kept = withoutOpenKey(text);
  const end = Math.max(kept.lastIndexOf("\n") + 1, kept.length - CUT_LINE_CHARS);
  return kept.slice(0, isLowHalf(kept.charCodeAt(end)) ? end - 1 : end);
}

/** A text that began before: without its first line, and without the lines of a private key that only ends in it. */
export function withoutCutFirst(text: string): string {
  const keyEnd = KEY_END.exec(text.slice(0, KEY_CHARS_MAX))?.index ?? 0;
  const kept = text.slice(0, keyEnd).search(KEY_BEGIN) < 0 ? text.slice(keyEnd) : text;
  const end = kept.indexOf("\n");
  const start = Math.min(end < 0 ? kept.length : end + 1, CUT_LINE_CHARS);
  return kept.slice(isLowHalf(kept.charCodeAt(start)) ? start + 1 : start);
}

/**
 * The line itself where it has at most `charsMax` characters, else that many at most with a mark at the end, and
 * without the word that the cut falls into.
 */
export function shortLine(line: string, charsMax: number): string {
  if (line.length <= charsMax) return line;
  const kept = line.slice(0, charsMax - 1).replace(CUT_WORD, "");
  return `${withoutOpenKey(kept).toWellFormed()}…`;
}

function withoutOpenKey(text: string): string {
  const begin = [...text.matchAll(KEY_BEGIN)].at(-1)?.index ?? text.length;
  const mayBeCut = begin > text.length - KEY_CHARS_MAX && !KEY_END.test(text.slice(begin));
  return mayBeCut ? text.slice(0, begin) : text;
}
