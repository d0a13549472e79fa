/**
 * Finds identifiers in text and splits them into terms.
 *
 * `handleLoginRequest` gives handleloginrequest, handle, login, request; `parse_http_url` gives parse_http_url, parse,
 * http, url; `НайтиТовар` gives найтитовар, найти, товар; 检索词 gives 检索, 索词. An identifier is a run of letters,
 * marks, digits, `_` and `$` of any script that does not start with a digit. Terms are folded (`normalize.ts`) and have
 * at least two characters, except a single character of a script without blanks (`scripts.ts`). Code, paths and task
 * texts use the same rules, so that they can be compared.
 * Invariant: ASCII text gives ASCII terms, whatever other text is around it.
 */
import { compose, fold, isAscii } from "./normalize.ts";
import { pairsIn, startsUnspaced, UNSPACED } from "./scripts.ts";

/** The pattern of an identifier, for a regular expression with the flag `u`. */
export const IDENTIFIER = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;

/** What divides the parts of a qualified name: `a.b`, `a::b`, `A#b` and PHP's `A\B`. */
export const NAME_SEPARATOR = /\.|::|#|\\/;

const IDENTIFIERS = new RegExp(IDENTIFIER, "gu");
/** A slightly faster pattern for text without other letters. */
const ASCII_IDENTIFIERS = /[A-Za-z_$][A-Za-z0-9_$]*/g;
/** Ranges that contain all letters, marks and digits beyond ASCII, without common signs: quotation marks, arrows, boxes. */
const OTHER_WORDS =
  /[\xaa\xb2-\xb5\xb9-\xbe\xc0-\u1fff\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2dff\u2e2f\u3005-\uffff]/;

const OTHER_PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const STRETCHES = new RegExp(String.raw`[${UNSPACED}][${UNSPACED}\p{M}]*|[^${UNSPACED}]+`, "gu");
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}_$]+/gu;
const NO_START = /^[^\p{L}_$]+/u;

/**
 * The terms of one identifier: the whole without `_` and `$` at its ends, then its camelCase, snake_case and digit parts
 * if they differ from it. Repeats are kept. For a script without blanks, only the pairs of characters.
 */
export function expandIdentifier(name: string): readonly string[] {
  if (isAscii(name)) return expandAscii(name);
  return piecesOf(name).flatMap((piece) => (startsUnspaced(piece) ? piece : expandOther(piece)));
}

function expandAscii(name: string): readonly string[] {
  const lower = name.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < name.length; ) {
    const end = partEnd(name, at);
    if (end - at > 1) parts.push(lower.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return wholeAndParts(trimmed(lower), parts);
}

/** Where the part of an ASCII name ends that begins here; here if it is a sign. As `OTHER_PARTS`, but characters are faster to test. */
function partEnd(name: string, start: number): number {
  const kind = kindAt(name, start);
  if (kind === SIGN) return start;
  let at = start + 1;
  while (kindAt(name, at) === kind) at += 1;
  if (kind !== UPPER || kindAt(name, at) !== LOWER) return at;
  // The last capital begins the next part.
  if (at - start > 1) return at - 1;
  while (kindAt(name, at) === LOWER) at += 1;
  return at;
}

const SIGN = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindAt(name: string, at: number): number {
  const unit = at < name.length ? name.charCodeAt(at) : 0;
  if (unit >= 0x61) return unit <= 0x7a ? LOWER : SIGN;
  if (unit >= 0x41) return unit <= 0x5a ? UPPER : SIGN;
  return unit >= 0x30 && unit <= 0x39 ? DIGIT : SIGN;
}

function expandOther(name: string): readonly string[] {
  if (isAscii(name)) return expandAscii(name);
  const whole = trimmed(fold(name));
  const parts = (name.match(OTHER_PARTS) ?? []).map(fold).filter((part) => part.length > 1);
  return wholeAndParts(whole, parts);
}

function wholeAndParts(whole: string, parts: readonly string[]): readonly string[] {
  const terms = whole.length > 1 ? [whole] : [];
  if (parts.length > 1 || (parts.length === 1 && parts[0] !== whole)) terms.push(...parts);
  return terms;
}

/**
 * Every identifier of a text, in order, as written. A part in a script without blanks is replaced by its pairs of
 * characters in normal form; the parts in other scripts around it become identifiers of their own.
 */
export function identifiersIn(text: string): readonly string[] {
  if (hasOnlyAsciiWords(text)) return text.match(ASCII_IDENTIFIERS) ?? [];
  const found = text.match(IDENTIFIERS) ?? [];
  return found.flatMap((name) => (isAscii(name) ? name : piecesOf(name)));
}

/** Whether all identifiers of a text are runs of `[A-Za-z_$][A-Za-z0-9_$]*`. */
const hasOnlyAsciiWords = (text: string): boolean => !OTHER_WORDS.test(text);

/** A word in normal form (NFKC), cut where it changes to or from a script without blanks. */
export const stretchesOf = (word: string): readonly string[] =>
  compose(word).replace(NOT_IN_WORDS, "").match(STRETCHES) ?? [];

/** Splits an identifier with letters beyond ASCII into the identifiers that it counts as. */
function piecesOf(name: string): readonly string[] {
  return stretchesOf(name).flatMap((stretch) => {
    if (startsUnspaced(stretch)) return pairsIn(stretch);
    const bare = stretch.replace(NO_START, "");
    return bare === "" ? [] : [bare];
  });
}

/** The terms of every identifier of a text, in order, with repeats. */
export function termsIn(text: string): readonly string[] {
  return identifiersIn(text).flatMap(expandIdentifier);
}

/** Removes `_` and `$` at both ends. A loop, because a pattern takes quadratic time on long inner runs. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(name[start])) start += 1;
  while (end > start && isEdge(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

const isEdge = (char: string | undefined): boolean => char === "_" || char === "$";
