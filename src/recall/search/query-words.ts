/**
 * The words of a query: what full-text search looks for, and how many of them a text contains.
 *
 * Words are split, folded and stemmed as in the index. A text contains a word whole or by its parts: "parse the url" contains
 * `parseUrl`, "url" half of it. Stop words are dropped unless the query has no others.
 */
import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { fold } from "../../text/terms/normalize.ts";
import { stem } from "../../text/terms/stem.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";

const WORDS = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
const STARTS_WITH_DIGIT = /^\p{N}/u;

/** Longer queries are pasted text, whose first words suffice. */
const QUERY_CHARS_MAX = 2_000;
/** A full-text query takes no more words. */
const WORDS_MAX = 24;
/** Only the beginning of a text is read. */
const TEXT_CHARS_MAX = 20_000;

export type QueryWords = {
  /** The query for a full-text table. */
  readonly text: string;
  /** The share of the query's words that a text contains, 0 to 1. */
  coverage(text: string): number;
};

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

/** The terms of a word: the whole first, then its parts. */
const termsOf = (word: string): readonly string[] =>
  (STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word)).map(stem);

function shareHeld([whole = "", ...parts]: readonly string[], held: ReadonlySet<string>): number {
  if (held.has(whole)) return 1;
  return parts.length === 0 ? 0 : parts.filter((part) => held.has(part)).length / parts.length;
}
