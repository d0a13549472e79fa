/**
 * The terms of a query in paths, in both term spaces.
 *
 * Paths share most of their words, so what a word or a folder says is found once for all files that have it.
 * Not here: what a term in a path is worth (`lexical.ts`).
 */
import { expandIdentifier, identifiersIn } from "../text/identifiers.ts";
import { stem } from "../text/stem.ts";
import type { LexicalQuery } from "./lexical-query.ts";

/** How often a term, by its index in the query, stands in a file's path, and in its own name. */
export type InPath = { readonly term: number; readonly path: number; readonly name: number };

type PathTerm = { readonly term: number; path: number; name: number };

/** What a path holds of a query. */
export type PathTerms = { readonly exact: readonly InPath[]; readonly stems: readonly InPath[] };

/** Names that say nothing; their folder names them. */
const BLANK_NAMES: ReadonlySet<string> = new Set(["index", "__init__", "mod", "lib", "main"]);

/** Answers for a path. The file's own name goes up to its first dot, or is its folder's when it says nothing. */
export function pathReader({ exact, stems }: LexicalQuery): (path: string) => PathTerms {
  const exactAt = indexOf(exact.terms);
  const stemAt = indexOf(stems.terms);
  const wordsOf = (identifiers: readonly Expanded[]): Words => {
    let found = NO_WORDS;
    for (const { terms, stems: cut } of identifiers) {
      for (let at = 0; at < terms.length; at += 1) {
        const term = exactAt.get(terms[at] ?? "");
        const termStem = stemAt.get(cut[at] ?? "");
        if (term === undefined && termStem === undefined) continue;
        if (found === NO_WORDS) found = { exact: [], stems: [] };
        if (term !== undefined) found.exact.push(term);
        if (termStem !== undefined) found.stems.push(termStem);
      }
    }
    return found;
  };
  const folders = new Map<readonly Expanded[], Words>();
  return (path) => {
    const { folder, own, name } = partsOf(path);
    const above = folders.get(folder) ?? wordsOf(folder);
    folders.set(folder, above);
    const here = wordsOf(own);
    const called = wordsOf(name);
    if (above === NO_WORDS && here === NO_WORDS && called === NO_WORDS) return NO_TERMS;
    return {
      exact: counted(above.exact, here.exact, called.exact),
      stems: counted(above.stems, here.stems, called.stems),
    };
  };
}

/** The terms of some words, by their index in the query, with repeats. */
type Words = { readonly exact: number[]; readonly stems: number[] };

const NO_WORDS: Words = { exact: [], stems: [] };
const NO_TERMS: PathTerms = { exact: [], stems: [] };

const indexOf = (terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(terms.map((term, index) => [term, index]));

/** The terms of an identifier, and the stem of each. */
type Expanded = { readonly terms: readonly string[]; readonly stems: readonly string[] };
/** The identifiers of a path: of its folder (one list for all files in it), of what follows, and of the file's own name. */
type Parts = {
  readonly folder: readonly Expanded[];
  readonly own: readonly Expanded[];
  readonly name: readonly Expanded[];
};

/** What a path says hangs on no task, and the next task of a process asks for the same ones. */
const KNOWN_MAX = 50_000;
const knownPaths = new Map<string, Parts>();
const knownFolders = new Map<string, readonly Expanded[]>();
const knownIdentifiers = new Map<string, Expanded>();
const knownStems = new Map<string, string>();

function partsOf(path: string): Parts {
  const known = knownPaths.get(path);
  if (known !== undefined) return known;
  if (knownPaths.size >= KNOWN_MAX)
    for (const all of [knownPaths, knownFolders, knownIdentifiers, knownStems]) all.clear();
  const slash = path.lastIndexOf("/");
  const base = path.slice(slash + 1);
  const above = path.slice(0, Math.max(0, slash));
  const folder = knownFolders.get(above) ?? expandAll(above);
  knownFolders.set(above, folder);
  const parts = { folder, own: expandAll(base), name: expandAll(nameOf(path, base, slash)) };
  knownPaths.set(path, parts);
  return parts;
}

const expandAll = (text: string): readonly Expanded[] =>
  identifiersIn(text).map((identifier) => {
    const known = knownIdentifiers.get(identifier);
    if (known !== undefined) return known;
    const terms = expandIdentifier(identifier);
    const found = { terms, stems: terms.map(stemOf) };
    knownIdentifiers.set(identifier, found);
    return found;
  });

function stemOf(term: string): string {
  const found = knownStems.get(term) ?? stem(term);
  knownStems.set(term, found);
  return found;
}

function nameOf(path: string, base: string, slash: number): string {
  const dot = base.indexOf(".");
  const own = dot > 0 ? base.slice(0, dot) : base;
  const name = BLANK_NAMES.has(own) ? path.slice(path.lastIndexOf("/", slash - 1) + 1, Math.max(0, slash)) : own;
  return NOT_IN_NAME.test(name) ? name.replaceAll(NOT_IN_NAME_ALL, " ") : name;
}

const NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_]/u;
const NOT_IN_NAME_ALL = /[^\p{L}\p{M}\p{N}_]/gu;

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
