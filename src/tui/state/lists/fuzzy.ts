/**
 * Fuzzy search with fzf's syntax: `abc` as letters in this order, `'abc` exact, `^abc`, `abc$`, `!abc`, `a | b`.
 *
 * Running fzf over tens of thousands of names takes longer than a key press may. So the matches and a cheap score are
 * computed here, and fzf ranks and highlights only the most promising names. Non-ASCII names and queries go to fzf alone.
 */
import { byLengthAsc, extendedMatch, Fzf } from "fzf";

/** The index of a name and the offsets in it to highlight. */
type FuzzyMatch = { readonly index: number; readonly at: readonly number[] };

export type Fuzzy = {
  readonly size: number;
  /** The indexes of all matching names, ascending. */
  matching(query: string): readonly number[];
  /** The number of matches, and the best of them in order. */
  search(query: string, limit: number): { readonly count: number; readonly best: readonly FuzzyMatch[] };
  /** All matches: the best in order, then the others in list order. */
  ordered(query: string): { readonly indexes: readonly number[]; readonly best: readonly FuzzyMatch[] };
};

/** The number of names that fzf ranks. */
const RANKED_MAX = 200;

const PLAIN = /^[\x20-\x7e]*$/;
/** A query with one of these may match names that a prefix of it does not. */
const NOT_NARROWING = /[$!|\\]/;

export function fuzzyOf(names: readonly string[]): Fuzzy {
  const searcher = searcherOf(names);
  /** The last answer of `ordered`, which the same screen asks for again. */
  let last: { readonly query: string; readonly answer: ReturnType<Fuzzy["ordered"]> } | null = null;
  return {
    ...searcher,
    ordered(query) {
      if (last?.query === query) return last.answer;
      const { best } = searcher.search(query, RANKED_MAX);
      const first = best.map(({ index }) => index);
      const ranked = new Set(first);
      const rest = searcher.matching(query).filter((index) => !ranked.has(index));
      const answer = { indexes: [...first, ...rest], best };
      last = { query, answer };
      return answer;
    },
  };
}

function searcherOf(names: readonly string[]): Omit<Fuzzy, "ordered"> {
  const lower = names.map((name) => (PLAIN.test(name) ? name.toLowerCase() : null));
  const everything = names.map((_, index) => index);
  /** The last search: a query that extends it only needs to look at its matches. */
  let before: { readonly query: string; readonly found: readonly number[] } = { query: "", found: everything };

  const lengthOf = (index: number): number => names[index]?.length ?? 0;

  const matching = (query: string): readonly number[] => {
    if (query === before.query) return before.found;
    const narrows = query.startsWith(before.query) && !NOT_NARROWING.test(before.query) && !/[|\\]/.test(query);
    const found = filtered(narrows ? before.found : everything, query);
    before = { query, found };
    return found;
  };

  const filtered = (among: readonly number[], query: string): readonly number[] => {
    const terms = termsOf(query);
    if (terms !== null && terms.length === 0) return everything;
    const unreadable = terms === null ? among : among.filter((index) => lower[index] === null);
    const asked = new Set(
      unreadable.length === 0 ? [] : runFzf(unreadable, query, unreadable.length).map(({ index }) => index),
    );
    return among.filter((index) => {
      const text = lower[index] ?? null;
      if (terms === null || text === null) return asked.has(index);
      return terms.every((either) => either.some((term) => holds(term, text, names[index] ?? "") !== term.inverse));
    });
  };

  const runFzf = (among: readonly number[], query: string, limit: number): readonly FuzzyMatch[] =>
    new Fzf(among, {
      match: extendedMatch,
      selector: (index: number) => names[index] ?? "",
      tiebreakers: [byLengthAsc],
      forward: false,
      limit,
    })
      .find(query)
      .map(({ item, positions }) => ({ index: item, at: [...positions].sort((a, b) => a - b) }));

  const search: Fuzzy["search"] = (query, limit) => {
    const found = matching(query);
    const terms = termsOf(query);
    if (terms !== null && terms.length === 0)
      return { count: found.length, best: found.slice(0, limit).map((index) => ({ index, at: [] })) };
    return { count: found.length, best: runFzf(mostPromising(found, terms ?? []), query, limit) };
  };

  return { size: names.length, matching, search };

  /** The names that fzf should rank, in list order. */
  function mostPromising(found: readonly number[], terms: readonly (readonly MatchTerm[])[]): readonly number[] {
    if (found.length <= RANKED_MAX) return found;
    const byScore = new Map<number, number[]>();
    for (const index of found) {
      const text = lower[index] ?? "";
      const score = terms.reduce((sum, [first]) => sum + (first === undefined ? 0 : estimate(first, text)), 0);
      const sameScore = byScore.get(score);
      if (sameScore === undefined) byScore.set(score, [index]);
      else sameScore.push(index);
    }
    const chosen: number[] = [];
    for (const score of [...byScore.keys()].sort((x, y) => y - x)) {
      const sameScore = byScore.get(score) ?? [];
      const room = RANKED_MAX - chosen.length;
      if (sameScore.length > room) sameScore.sort((x, y) => lengthOf(x) - lengthOf(y) || x - y);
      chosen.push(...sameScore.slice(0, room));
      if (chosen.length === RANKED_MAX) break;
    }
    return chosen.sort((x, y) => x - y);
  }
}

/** Whether a name matches a term, ignoring `inverse`. */
function holds({ kind, text, caseSensitive }: MatchTerm, lower: string, raw: string): boolean {
  const name = caseSensitive ? raw : lower;
  switch (kind) {
    case "exact":
      return name.includes(text);
    case "prefix":
      return (text.startsWith(" ") ? name : name.trimStart()).startsWith(text);
    case "suffix":
      return (text.endsWith(" ") ? name : name.trimEnd()).endsWith(text);
    case "equal":
      return (text.startsWith(" ") || text.endsWith(" ") ? name : name.trim()) === text;
    case "fuzzy": {
      let at = -1;
      for (const letter of text) {
        at = name.indexOf(letter, at + 1);
        if (at < 0) return false;
      }
      return true;
    }
  }
}

/** A cheap estimate of fzf's score: adjacent letters, at the start of a word, near the end of the path. */
function estimate({ text, caseSensitive, inverse }: MatchTerm, lower: string): number {
  if (inverse || text === "") return 0;
  const wanted = caseSensitive ? text.toLowerCase() : text;
  const whole = lower.lastIndexOf(wanted);
  if (whole >= 0) return 24 * wanted.length + (startsWord(lower, whole) ? 16 : 0);
  let score = 0;
  let after = lower.length;
  for (let place = wanted.length - 1; place >= 0; place -= 1) {
    const at = lower.lastIndexOf(wanted.charAt(place), after - 1);
    if (at < 0) return 0;
    const gap = after - at - 1;
    score +=
      16 - (place === wanted.length - 1 ? 0 : gap === 0 ? -4 : Math.min(15, 3 + gap)) + (startsWord(lower, at) ? 8 : 0);
    after = at;
  }
  return score;
}

const startsWord = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1));

/** `text` is in lower case unless the term is `caseSensitive`. */
type MatchTerm = {
  readonly kind: "fuzzy" | "exact" | "prefix" | "suffix" | "equal";
  readonly inverse: boolean;
  readonly caseSensitive: boolean;
  readonly text: string;
};

/** Sets of alternatives, as fzf parses a query: one of each set must match. Null for a query that only fzf parses: non-ASCII or escaped. */
function termsOf(query: string): readonly (readonly MatchTerm[])[] | null {
  if (!/^[\x20-\x7e]*$/.test(query) || query.includes("\\")) return null;
  const sets: MatchTerm[][] = [];
  // A bar adds the next term to the previous set; an empty term does not change that.
  let opens = true;
  let afterBar = false;
  for (const word of query.split(" ").filter((part) => part !== "")) {
    const last = sets.at(-1);
    if (word === "|" && last !== undefined && !afterBar) {
      opens = false;
      afterBar = true;
      continue;
    }
    afterBar = false;
    const term = termOf(word);
    if (term === null) continue;
    if (opens || last === undefined) sets.push([term]);
    else last.push(term);
    opens = true;
  }
  return sets;
}

function termOf(word: string): MatchTerm | null {
  const lower = word.toLowerCase();
  const caseSensitive = lower !== word;
  let text = word;
  const inverse = text.startsWith("!");
  let kind: MatchTerm["kind"] = inverse ? "exact" : "fuzzy";
  if (inverse) text = text.slice(1);
  if (text !== "$" && text.endsWith("$")) {
    kind = "suffix";
    text = text.slice(0, -1);
  }
  if (text.startsWith("'")) {
    kind = inverse ? "fuzzy" : "exact";
    text = text.slice(1);
  } else if (text.startsWith("^")) {
    kind = kind === "suffix" ? "equal" : "prefix";
    text = text.slice(1);
  }
  return text === "" ? null : { kind, inverse, caseSensitive, text };
}
