/**
 * The terms of a query in paths, in both term spaces.
 *
 * Paths share most of their words, so what a word or a folder says is found once for all files that have it.
 * Not here: what a term in a path is worth (`lexical.ts`).
 */
import { expandIdentifier, identifiersIn } from "../text/identifiers.ts";
import { stem } from "../text/stem.ts";
import type { LexicalQuery } from "./lexical-query.ts";

/** How often a term stands in a file's path, and in its own name. */
export type InPath = { readonly path: number; readonly name: number };

/** A term by its index in the query. */
type PathTerm = { readonly term: number; path: number; name: number };

/** What a path holds of a query. */
export type PathTerms = { readonly exact: readonly PathTerm[]; readonly stems: readonly PathTerm[] };

/** Names that say nothing; their folder names them. */
const BLANK_NAMES: ReadonlySet<string> = new Set(["index", "__init__", "mod", "lib", "main"]);

/** Answers for a path. The file's own name goes up to its first dot, or is its folder's when it says nothing. */
export function pathReader({ exact, stems }: LexicalQuery): (path: string) => PathTerms {
  const exactAt = indexOf(exact.terms);
  const stemAt = indexOf(stems.terms);
  const ofIdentifier = remembering((name): Words => {
    const terms = expandIdentifier(name);
    const found = { exact: placesIn(exactAt, terms), stems: placesIn(stemAt, terms.map(stem)) };
    return found.exact.length + found.stems.length === 0 ? NO_WORDS : found;
  });
  const wordsOf = (text: string): Words => joined(identifiersIn(text).map(ofIdentifier));
  const ofFolder = remembering(wordsOf);
  return (path) => {
    const slash = path.lastIndexOf("/");
    const base = path.slice(slash + 1);
    const folder = ofFolder(path.slice(0, Math.max(0, slash)));
    const own = wordsOf(base);
    const name = wordsOf(nameOf(path, base, slash));
    if (folder === NO_WORDS && own === NO_WORDS && name === NO_WORDS) return NO_TERMS;
    return {
      exact: counted(folder.exact, own.exact, name.exact),
      stems: counted(folder.stems, own.stems, name.stems),
    };
  };
}

/** The terms of some words, by their index in the query, with repeats. */
type Words = { readonly exact: readonly number[]; readonly stems: readonly number[] };

const NO_WORDS: Words = { exact: [], stems: [] };
const NO_TERMS: PathTerms = { exact: [], stems: [] };

const indexOf = (terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(terms.map((term, index) => [term, index]));

const placesIn = (places: ReadonlyMap<string, number>, terms: readonly string[]): readonly number[] =>
  terms.flatMap((term) => places.get(term) ?? []);

function joined(parts: readonly Words[]): Words {
  const some = parts.filter((part) => part !== NO_WORDS);
  if (some.length <= 1) return some[0] ?? NO_WORDS;
  return { exact: some.flatMap(({ exact }) => exact), stems: some.flatMap(({ stems }) => stems) };
}

function remembering<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = answer(text);
    known.set(text, found);
    return found;
  };
}

function nameOf(path: string, base: string, slash: number): string {
  const dot = base.indexOf(".");
  const own = dot > 0 ? base.slice(0, dot) : base;
  const name = BLANK_NAMES.has(own) ? path.slice(path.lastIndexOf("/", slash - 1) + 1, Math.max(0, slash)) : own;
  return NOT_IN_NAME.test(name) ? name.replaceAll(/[^A-Za-z0-9_]/g, " ") : name;
}

const NOT_IN_NAME = /[^A-Za-z0-9_]/;

/** A handful at most, so a list is searched faster than a map is made. */
function counted(folder: readonly number[], own: readonly number[], name: readonly number[]): readonly PathTerm[] {
  const found: PathTerm[] = [];
  const rowOf = (term: number): PathTerm => {
    const known = found.find((row) => row.term === term);
    if (known !== undefined) return known;
    const row = { term, path: 0, name: 0 };
    found.push(row);
    return row;
  };
  for (const term of folder) rowOf(term).path += 1;
  for (const term of own) rowOf(term).path += 1;
  for (const term of name) rowOf(term).name += 1;
  return found;
}
