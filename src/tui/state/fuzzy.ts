/**
 * Finds names in the way of fzf: `abc` as letters in this order, `'abc` as it stands, `^abc`, `abc$`, `!abc`, `a | b`.
 *
 * Which names match is fzf's answer, and so is the order of the best and what is marked in them; a cheap score chooses
 * which names fzf is asked about, since asking it about tens of thousands takes longer than a key press may. Names and
 * queries outside ASCII are fzf's alone. A query that makes the one before longer looks only where that one matched.
 * Not here: what the names stand for.
 */
import { byLengthAsc, extendedMatch, Fzf } from "fzf";
import { type MatchTerm, termsOf } from "./fuzzy-terms.ts";

/** A name by its place among those searched, and the places in it to mark. */
export type FuzzyMatch = { readonly index: number; readonly at: readonly number[] };

export type Fuzzy = {
  readonly size: number;
  /** The places of all names that match, ascending. */
  matching(query: string): readonly number[];
  /** How many match, and the best of them, the best first. */
  search(query: string, limit: number): { readonly count: number; readonly best: readonly FuzzyMatch[] };
};

/** So many names are put in order by fzf. */
const RANKED_MAX = 400;

const PLAIN = /^[\x20-\x7e]*$/;
/** A query with one of these may match what its beginning does not. */
const NOT_NARROWING = /[$!|\\]/;

export function fuzzyOf(names: readonly string[]): Fuzzy {
  const lower = names.map((name) => (PLAIN.test(name) ? name.toLowerCase() : null));
  const everything = names.map((_, index) => index);
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
    const foreign = terms === null ? among : among.filter((index) => lower[index] === null);
    const asked = new Set(foreign.length === 0 ? [] : askFzf(foreign, query, foreign.length).map(({ index }) => index));
    return among.filter((index) => {
      const text = lower[index] ?? null;
      if (terms === null || text === null) return asked.has(index);
      return terms.every((either) => either.some((term) => holds(term, text, names[index] ?? "") !== term.inverse));
    });
  };

  const askFzf = (among: readonly number[], query: string, limit: number): readonly FuzzyMatch[] =>
    new Fzf(among, {
      match: extendedMatch,
      selector: (index: number) => names[index] ?? "",
      tiebreakers: [byLengthAsc],
      forward: false,
      limit,
    })
      .find(query)
      .map(({ item, positions }) => ({ index: item, at: [...positions].sort((a, b) => a - b) }));

  return {
    size: names.length,
    matching,
    search(query, limit) {
      const found = matching(query);
      const terms = termsOf(query);
      if (terms !== null && terms.length === 0)
        return { count: found.length, best: found.slice(0, limit).map((index) => ({ index, at: [] })) };
      return { count: found.length, best: askFzf(promising(found, terms ?? []), query, limit) };
    },
  };

  /** The names that are worth an exact score, in their own order. */
  function promising(found: readonly number[], terms: readonly (readonly MatchTerm[])[]): readonly number[] {
    if (found.length <= RANKED_MAX) return found;
    const byScore = new Map<number, number[]>();
    for (const index of found) {
      const text = lower[index] ?? "";
      const score = terms.reduce((sum, [first]) => sum + (first === undefined ? 0 : likeness(first, text)), 0);
      const alike = byScore.get(score);
      if (alike === undefined) byScore.set(score, [index]);
      else alike.push(index);
    }
    const likely: number[] = [];
    for (const score of [...byScore.keys()].sort((x, y) => y - x)) {
      const alike = byScore.get(score) ?? [];
      const room = RANKED_MAX - likely.length;
      if (alike.length > room) alike.sort((x, y) => lengthOf(x) - lengthOf(y) || x - y);
      likely.push(...alike.slice(0, room));
      if (likely.length === RANKED_MAX) break;
    }
    return likely.sort((x, y) => x - y);
  }
}

/** Whether a term's text is in a name, apart from `inverse`. */
function holds({ kind, text, caseful }: MatchTerm, lower: string, raw: string): boolean {
  const name = caseful ? raw : lower;
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

/** Grows with what fzf likes: letters together, at the start of a word, near the end of the path. */
function likeness({ text, caseful, inverse }: MatchTerm, lower: string): number {
  if (inverse || text === "") return 0;
  const wanted = caseful ? text.toLowerCase() : text;
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
