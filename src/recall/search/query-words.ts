/**
 * The words of a query: which are looked for, and how many of them a text holds.
 *
 * Words are split and folded as the index does it, and stemmed. A word is held whole, or by its parts: `parseUrl` by a
 * text that says "parse the url", and half by one that says "url". Words that every text is full of are left out,
 * unless there are no others. Pure. Not here: looking (`store-searcher.ts`).
 */

import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { fold } from "../../text/terms/normalize.ts";
import { stem } from "../../text/terms/stem.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";

const WORDS = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
const STARTS_WITH_DIGIT = /^\p{N}/u;

/** A longer query is pasted text, and its first words say enough. */
const QUERY_CHARS_MAX = 2_000;
/** More words than a full-text query takes. */
const WORDS_MAX = 24;
/** A text is read up to here. */
const TEXT_CHARS_MAX = 20_000;

export type QueryWords = {
  /** What to look for in a full-text table. */
  readonly text: string;
  /** How much of the query a text holds, 0 to 1. */
  coverage(text: string): number;
};

/** Reads a query. */
export function queryWordsOf(query: string): QueryWords {
  const typed = [...new Set(query.slice(0, QUERY_CHARS_MAX).match(WORDS) ?? [])];
  const telling = typed.filter((word) => !STOP_WORDS.has(fold(word)));
  const words = (telling.length > 0 ? telling : typed).slice(0, WORDS_MAX);
  const wanted = words.map(termsOf).filter(({ length }) => length > 0);
  return {
    text: words.join(" "),
    coverage(text) {
      if (wanted.length === 0) return 0;
      const held = new Set((text.slice(0, TEXT_CHARS_MAX).match(WORDS) ?? []).flatMap(termsOf));
      return wanted.reduce((sum, terms) => sum + shareHeld(terms, held), 0) / wanted.length;
    },
  };
}

/** A word as terms: whole first, then its parts. */
const termsOf = (word: string): readonly string[] =>
  (STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word)).map(stem);

function shareHeld([whole = "", ...parts]: readonly string[], held: ReadonlySet<string>): number {
  if (held.has(whole)) return 1;
  return parts.length === 0 ? 0 : parts.filter((part) => held.has(part)).length / parts.length;
}
