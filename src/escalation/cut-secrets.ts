/**
 * Removes what may be half of a secret at a cut: a partial secret is not recognized, and would be shown.
 *
 * No character is split.
 */
import { isLowSurrogate } from "../text/tokens/tokens.ts";

/** Characters removed of a cut line: a secret and its identifying text are shorter and on one line. */
const CUT_LINE_CHARS = 4_096;
/** A private key has many lines, and at most this many characters up to its end marker. */
const KEY_CHARS_MAX = 20_000;
const KEY_BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY/g;
const KEY_END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY/;
/** The characters of keys, paths and names, at the end of a text. */
const CUT_WORD = /(?<![\w\-./+=:@%~])[\w\-./+=:@%~]+$/;

/** The text before a cut, without its last line and without a private key that does not end in it. */
export function withoutCutLast(text: string): string {
  const kept = withoutUnfinishedKey(text);
  const end = Math.max(kept.lastIndexOf("\n") + 1, kept.length - CUT_LINE_CHARS);
  return kept.slice(0, isLowSurrogate(kept.charCodeAt(end)) ? end - 1 : end);
}

/** The text after a cut, without its first line and without the lines of a private key that began before the cut. */
export function withoutCutFirst(text: string): string {
  const keyEnd = KEY_END.exec(text.slice(0, KEY_CHARS_MAX))?.index ?? 0;
  const kept = text.slice(0, keyEnd).search(KEY_BEGIN) < 0 ? text.slice(keyEnd) : text;
  const end = kept.indexOf("\n");
  const start = Math.min(end < 0 ? kept.length : end + 1, CUT_LINE_CHARS);
  return kept.slice(isLowSurrogate(kept.charCodeAt(start)) ? start + 1 : start);
}

/** The line, cut to at most `charsMax` characters with an ellipsis and without the word at the cut. */
export function shortLine(line: string, charsMax: number): string {
  if (line.length <= charsMax) return line;
  const kept = line.slice(0, charsMax - 1).replace(CUT_WORD, "");
  return `${withoutUnfinishedKey(kept).toWellFormed()}…`;
}

function withoutUnfinishedKey(text: string): string {
  const begin = [...text.matchAll(KEY_BEGIN)].at(-1)?.index ?? text.length;
  const mayBeCut = begin > text.length - KEY_CHARS_MAX && !KEY_END.test(text.slice(begin));
  return mayBeCut ? text.slice(0, begin) : text;
}
