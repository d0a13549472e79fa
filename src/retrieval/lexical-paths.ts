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
  const mayBegin = beginningsOf([...exact.terms, ...stems.terms]);
  const folders = new Map<readonly Identifier[], Words>();
  asked += 1;
  const asking = asked;

  function wordsOf(identifier: Identifier): Words {
    let found = NO_WORDS;
    identifier.terms ??= expandIdentifier(identifier.name);
    for (const term of identifier.terms) {
      if (!mayBegin(term)) continue;
      const whole = exactAt.get(term);
      const cut = stemAt.get(stemOf(term));
      if (whole === undefined && cut === undefined) continue;
      if (found === NO_WORDS) found = { exact: [], stems: [] };
      if (whole !== undefined) found.exact.push(whole);
      if (cut !== undefined) found.stems.push(cut);
    }
    identifier.asked = asking;
    identifier.words = found;
    return found;
  }

  function wordsIn(part: readonly Identifier[]): Words {
    let all = NO_WORDS;
    for (const identifier of part) {
      const words = identifier.asked === asking ? identifier.words : wordsOf(identifier);
      if (words === NO_WORDS) continue;
      all = all === NO_WORDS ? words : { exact: [...all.exact, ...words.exact], stems: [...all.stems, ...words.stems] };
    }
    return all;
  }

  return (path) => {
    const { folder, own, name } = partsOf(path);
    const above = folders.get(folder) ?? wordsIn(folder);
    folders.set(folder, above);
    const here = wordsIn(own);
    const called = wordsIn(name);
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

/** Answers false only for a term that neither is one of these nor has one of them as its stem: a stem keeps two characters. */
function beginningsOf(terms: readonly string[]): (term: string) => boolean {
  const begun = new Uint8Array(1 << 14);
  for (const term of terms) begun[beginning(term)] = 1;
  return (term) => begun[beginning(term)] === 1;
}

const beginning = (term: string): number => ((term.charCodeAt(0) & 127) << 7) | (term.charCodeAt(1) & 127);

/** An identifier of a path, with its terms once they were asked for, and what it holds of the query that was `asked` last. */
type Identifier = { readonly name: string; terms: readonly string[] | null; asked: number; words: Words };
let asked = 0;

/** The identifiers of a path: of its folder (one list for all files in it), of what follows, and of the file's own name. */
type Parts = {
  readonly folder: readonly Identifier[];
  readonly own: readonly Identifier[];
  readonly name: readonly Identifier[];
};

/** What a path says hangs on no task, and the next task of a process asks for the same ones. */
const KNOWN_MAX = 50_000;
const knownPaths = new Map<string, Parts>();
const knownFolders = new Map<string, readonly Identifier[]>();
const knownIdentifiers = new Map<string, Identifier>();
const knownStems = new Map<string, string>();

function partsOf(path: string): Parts {
  const known = knownPaths.get(path);
  if (known !== undefined) return known;
  if (knownPaths.size >= KNOWN_MAX)
    for (const all of [knownPaths, knownFolders, knownIdentifiers, knownStems]) all.clear();
  const slash = path.lastIndexOf("/");
  const base = path.slice(slash + 1);
  const above = path.slice(0, Math.max(0, slash));
  const folder = knownFolders.get(above) ?? knownAs(identifiersIn(above));
  knownFolders.set(above, folder);
  const own = identifiersIn(base);
  const parts = { folder, own: knownAs(own), name: knownAs(nameOf(path, base, slash, own)) };
  knownPaths.set(path, parts);
  return parts;
}

const knownAs = (names: readonly string[]): readonly Identifier[] =>
  names.map((name) => {
    const found = knownIdentifiers.get(name) ?? { name, terms: null, asked: 0, words: NO_WORDS };
    knownIdentifiers.set(name, found);
    return found;
  });

function stemOf(term: string): string {
  const found = knownStems.get(term) ?? stem(term);
  knownStems.set(term, found);
  return found;
}

/** The identifiers of a file's own name; `own` are those of all that follows its folder. */
function nameOf(path: string, base: string, slash: number, own: readonly string[]): readonly string[] {
  const dot = base.indexOf(".");
  const written = dot > 0 ? base.slice(0, dot) : base;
  if (BLANK_NAMES.has(written)) return namesIn(path.slice(path.lastIndexOf("/", slash - 1) + 1, Math.max(0, slash)));
  // Most names are one identifier, which is the first of those that are known already.
  return own[0] === written && !written.includes("$") ? own.slice(0, 1) : namesIn(written);
}

const namesIn = (name: string): readonly string[] =>
  identifiersIn(NOT_IN_NAME.test(name) ? name.replaceAll(NOT_IN_NAME_ALL, " ") : name);

const NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_]/u;
const NOT_IN_NAME_ALL = /[^\p{L}\p{M}\p{N}_]/gu;

/** A handful at most, so a list is searched faster than a map is made. */
function counted(folder: readonly number[], own: readonly number[], name: readonly number[]): readonly PathTerm[] {
  const found: PathTerm[] = [];
  for (const term of folder) rowOf(found, term).path += 1;
  for (const term of own) rowOf(found, term).path += 1;
  for (const term of name) rowOf(found, term).name += 1;
  return found;
}

function rowOf(found: PathTerm[], term: number): PathTerm {
  for (const row of found) if (row.term === term) return row;
  const row = { term, path: 0, name: 0 };
  found.push(row);
  return row;
}
