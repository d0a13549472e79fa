/**
 * Finds identifiers in text and splits them into terms.
 *
 * `handleLoginRequest` gives handleloginrequest, handle, login, request; `parse_http_url` gives
 * parse_http_url, parse, http, url; `НайтиТовар` gives найтитовар, найти, товар; 检索词 gives 检索, 索词. An
 * identifier is a run of letters, marks, digits, `_` and `$` of any script that begins with no digit. Terms are
 * folded (`normalize.ts`) and at least two characters long, but for a single character of a script without blanks
 * (`scripts.ts`). The same rules serve code, paths and task texts, so that both sides of a comparison agree.
 * Invariant: ASCII text gives ASCII terms, and other text in it changes nothing about those.
 * Not here: stems (`stem.ts`), counting (`term-stats.ts`).
 */
import { compose, fold, isAscii } from "./normalize.ts";
import { pairsIn, startsUnspaced, UNSPACED } from "./scripts.ts";

/** What an identifier looks like, as the source of a regular expression with the flag `u`. */
export const IDENTIFIER = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;

const IDENTIFIERS = new RegExp(IDENTIFIER, "gu");
/** The same for text without other letters, a little faster. */
const ASCII_IDENTIFIERS = /[A-Za-z_$][A-Za-z0-9_$]*/g;
/** Where all letters, marks and digits outside of ASCII are; quotation marks, arrows and boxes are not, which are common. */
const OTHER_WORDS =
  /[\xaa\xb2-\xb5\xb9-\xbe\xc0-\u1fff\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2dff\u2e2f\u3005-\uffff]/;

const PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const OTHER_PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const STRETCHES = new RegExp(String.raw`[${UNSPACED}][${UNSPACED}\p{M}]*|[^${UNSPACED}]+`, "gu");
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}_$]+/gu;
const NO_START = /^[^\p{L}_$]+/u;

/**
 * The terms of one identifier: its whole form without `_` and `$` at the ends, then its camelCase,
 * snake_case and digit-run parts when they say something else. Repeats are kept. Of a script without blanks
 * the pairs of characters alone.
 */
export function expandIdentifier(name: string): readonly string[] {
  if (isAscii(name)) return expandAscii(name);
  return piecesOf(name).flatMap((piece) => (startsUnspaced(piece) ? piece : expandOther(piece)));
}

function expandAscii(name: string): readonly string[] {
  const whole = trimmed(name.toLowerCase());
  const parts = (name.match(PARTS) ?? []).filter((part) => part.length > 1).map((part) => part.toLowerCase());
  return wholeAndParts(whole, parts);
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
 * Every identifier of a text, in order, as written. Where a script without blanks is in one, its pairs of
 * characters stand for it, in normal form, and what is written in another script before or after is one of its own.
 */
export function identifiersIn(text: string): readonly string[] {
  if (!OTHER_WORDS.test(text)) return text.match(ASCII_IDENTIFIERS) ?? [];
  const found = text.match(IDENTIFIERS) ?? [];
  return found.flatMap((name) => (isAscii(name) ? name : piecesOf(name)));
}

/** A word in normal form (NFKC), cut where it changes to or from a script without blanks. */
export const stretchesOf = (word: string): readonly string[] =>
  compose(word).replace(NOT_IN_WORDS, "").match(STRETCHES) ?? [];

/** The identifiers that an identifier of other letters counts as. */
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

/** Without `_` and `$` at its ends. A loop, since a pattern takes quadratic time on long inner runs. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(name[start])) start += 1;
  while (end > start && isEdge(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

const isEdge = (char: string | undefined): boolean => char === "_" || char === "$";
