/**
 * The words of a query: what full-text search looks for, and how many of them a text contains.
 *
 * Words are split and folded as in the index, and compared by their roots. A text contains a word whole or by its parts: "parse the url" contains
 * `parseUrl`, "url" half of it. Stop words are dropped unless the query has no others.
 */
import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { fold } from "../../text/terms/normalize.ts";
import { root } from "../../text/terms/stem.ts";
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
  /** The same for a text in parts: a word counts as much as the weightiest part that contains it. */
  weightedCoverage(parts: readonly WeightedPart[]): number;
  /** The share of a name's parts that are words of the query, 0 to 1. */
  shareOfName(name: string): number;
};

/** `weight` is 0 to 1. */
type WeightedPart = { readonly text: string; readonly weight: number };

export function queryWordsOf(query: string): QueryWords {
  const typed = [...new Set(query.slice(0, QUERY_CHARS_MAX).match(WORDS) ?? [])];
  const telling = typed.filter((word) => !STOP_WORDS.has(fold(word)));
  const words = (telling.length > 0 ? telling : typed).slice(0, WORDS_MAX);
  const terms = cachedTerms();
  const wanted = words.map(terms).filter(({ length }) => length > 0);
  const all = new Set(wanted.flat());
  const termsIn = (text: string): ReadonlySet<string> =>
    new Set((text.slice(0, TEXT_CHARS_MAX).match(WORDS) ?? []).flatMap(terms));
  const weightedCoverage = (parts: readonly WeightedPart[]): number => {
    if (wanted.length === 0) return 0;
    const held = parts.map(({ text, weight }) => ({ terms: termsIn(text), weight }));
    const weightOf = (word: readonly string[]): number =>
      Math.max(...held.map((part) => part.weight * shareHeld(word, part.terms)));
    return wanted.reduce((sum, word) => sum + weightOf(word), 0) / wanted.length;
  };
  return {
    text: words.join(" "),
    coverage: (text) => weightedCoverage([{ text, weight: 1 }]),
    weightedCoverage,
    shareOfName(name) {
      const [whole, ...parts] = terms(name);
      const named = parts.length > 0 ? parts : whole === undefined ? [] : [whole];
      return named.length === 0 ? 0 : named.filter((part) => all.has(part)).length / named.length;
    },
  };
}

/** The terms of a word: the whole first, then its parts. Texts repeat words, so each is split once. */
function cachedTerms(): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (word) => {
    let terms = known.get(word);
    if (terms === undefined) {
      terms = (STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word)).map(root);
      known.set(word, terms);
    }
    return terms;
  };
}

function shareHeld([whole = "", ...parts]: readonly string[], held: ReadonlySet<string>): number {
  if (held.has(whole)) return 1;
  return parts.length === 0 ? 0 : parts.filter((part) => held.has(part)).length / parts.length;
}
