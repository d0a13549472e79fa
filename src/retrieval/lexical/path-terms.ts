/** The terms of a query in paths, in both term spaces. For one task, words are extracted only of paths that can hold a term. */
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { stem } from "../../text/terms/stem.ts";
import { pathPrefilter } from "./path-prefilter.ts";
import type { LexicalQuery } from "./weighted-terms.ts";

/** How often a term, by its index in the query, occurs in a file's path, and in its own name. */
export type InPath = { readonly term: number; readonly path: number; readonly name: number };

type PathTerm = { readonly term: number; path: number; name: number };

/** The terms of a query in a path, exact and by stem. */
type PathTerms = { readonly exact: readonly InPath[]; readonly stems: readonly InPath[] };

/** Generic names; the folder's name is used instead. */
const BLANK_NAMES: ReadonlySet<string> = new Set(["index", "__init__", "mod", "lib", "main"]);

/**
 * By file. A file's own name ends at the first dot; for a generic name it is its folder's. `isRepeated`: more tasks on these files follow, so the
 * words of all paths are extracted once.
 */
export function pathTerms(
  { exact, stems }: LexicalQuery,
  files: readonly WithPath[],
  isRepeated = false,
): readonly PathTerms[] {
  const { vocabulary, parts } = isRepeated
    ? partsOfAll(files)
    : partsOfSome(files, pathPrefilter([...exact.terms, ...stems.terms]));
  const held = heldOf(vocabulary, exact.terms, stems.terms);
  const isHeld = (words: readonly number[]): boolean => {
    for (let at = 0; at < words.length; at += 1) if (held.any[words[at] ?? 0] === 1) return true;
    return false;
  };
  const folders = vocabulary.folders.map(isHeld);
  return parts.map((part) => {
    if (part === null) return NO_TERMS;
    const { folder, own, name } = part;
    if (folders[folder] !== true && !isHeld(own) && !isHeld(name)) return NO_TERMS;
    const above = vocabulary.folders[folder] ?? [];
    return { exact: counted(held.exact, above, own, name), stems: counted(held.stems, above, own, name) };
  });
}

type WithPath = { readonly path: string };

const NO_TERMS: PathTerms = { exact: [], stems: [] };

/** The words of paths, by number. `beginnings` has the first two characters of each word as one number. */
type Vocabulary = {
  readonly words: string[];
  readonly stems: (string | null)[];
  readonly beginnings: number[];
  readonly numbers: Map<string, number>;
  readonly identifiers: Map<string, readonly number[]>;
  readonly folders: (readonly number[])[];
  readonly folderNumbers: Map<string, number>;
  readonly paths: Map<string, Parts>;
};

/** The words of a path: its folder by number, the words after it, and the words of the file's own name. */
type Parts = { readonly folder: number; readonly own: readonly number[]; readonly name: readonly number[] };

const emptyVocabulary = (): Vocabulary => ({
  words: [],
  stems: [],
  beginnings: [],
  numbers: new Map(),
  identifiers: new Map(),
  folders: [],
  folderNumbers: new Map(),
  paths: new Map(),
});

/** The words of a path do not depend on the task, so later tasks in the process reuse them. */
const KNOWN_MAX = 50_000;
let newest = emptyVocabulary();

type PathParts = { readonly vocabulary: Vocabulary; readonly parts: readonly (Parts | null)[] };
const knownLists = new WeakMap<readonly WithPath[], PathParts>();

function partsOfAll(files: readonly WithPath[]): PathParts {
  const before = knownLists.get(files);
  if (before !== undefined) return before;
  const found = partsOfSome(files, () => true);
  knownLists.set(files, found);
  return found;
}

/** The words of the paths that can hold a term; null for all others. */
function partsOfSome(files: readonly WithPath[], canHold: ReturnType<typeof pathPrefilter>): PathParts {
  if (newest.paths.size >= KNOWN_MAX) newest = emptyVocabulary();
  const vocabulary = newest;
  // Files of one folder follow each other.
  let folder = "";
  let isFolderHeld = false;
  const parts = files.map(({ path }) => {
    const end = path.lastIndexOf("/") + 1;
    if (end !== folder.length || !path.startsWith(folder)) {
      folder = path.slice(0, end);
      isFolderHeld = canHold(path, 0, end);
    }
    return isFolderHeld || canHold(path, end, path.length) ? partsOf(vocabulary, path) : null;
  });
  return { vocabulary, parts };
}

/** By word: its index among the query's terms and stems, -1 for none; and whether it is one of them. */
type Held = { readonly exact: Int32Array; readonly stems: Int32Array; readonly any: Uint8Array };

function heldOf(
  { words, stems, beginnings }: Vocabulary,
  terms: readonly string[],
  stemTerms: readonly string[],
): Held {
  const termAt = indexOf(terms);
  const stemAt = indexOf(stemTerms);
  const begun = beginningsOf([...terms, ...stemTerms]);
  const held: Held = {
    exact: new Int32Array(words.length).fill(-1),
    stems: new Int32Array(words.length).fill(-1),
    any: new Uint8Array(words.length),
  };
  for (let number = 0; number < words.length; number += 1) {
    if (begun[beginnings[number] ?? 0] !== 1) continue;
    const word = words[number] ?? "";
    const cut = stems[number] ?? stem(word);
    stems[number] = cut;
    const term = termAt.get(word) ?? -1;
    const stemTerm = stemAt.get(cut) ?? -1;
    held.exact[number] = term;
    held.stems[number] = stemTerm;
    if (term >= 0 || stemTerm >= 0) held.any[number] = 1;
  }
  return held;
}

const indexOf = (terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(terms.map((term, index) => [term, index]));

/** A word with another beginning than all terms matches none, not even by stem: stems keep two characters. */
function beginningsOf(terms: readonly string[]): Uint8Array {
  const begun = new Uint8Array(1 << 14);
  for (const term of terms) begun[beginning(term)] = 1;
  return begun;
}

const beginning = (term: string): number => ((term.charCodeAt(0) & 127) << 7) | (term.charCodeAt(1) & 127);

function partsOf(vocabulary: Vocabulary, path: string): Parts {
  const known = vocabulary.paths.get(path);
  if (known !== undefined) return known;
  const slash = path.lastIndexOf("/");
  const base = path.slice(slash + 1);
  const own = identifiersIn(base);
  const parts = {
    folder: folderOf(vocabulary, path.slice(0, Math.max(0, slash))),
    own: wordsOf(vocabulary, own),
    name: wordsOf(vocabulary, nameOf(path, base, slash, own)),
  };
  vocabulary.paths.set(path, parts);
  return parts;
}

function folderOf(vocabulary: Vocabulary, folder: string): number {
  const known = vocabulary.folderNumbers.get(folder);
  if (known !== undefined) return known;
  const number = vocabulary.folders.push(wordsOf(vocabulary, identifiersIn(folder))) - 1;
  vocabulary.folderNumbers.set(folder, number);
  return number;
}

/** The words of identifiers, with repeats. */
function wordsOf(vocabulary: Vocabulary, names: readonly string[]): readonly number[] {
  const [first] = names;
  if (first === undefined) return [];
  return names.length === 1 ? wordsOfOne(vocabulary, first) : names.flatMap((name) => wordsOfOne(vocabulary, name));
}

function wordsOfOne(vocabulary: Vocabulary, name: string): readonly number[] {
  const known = vocabulary.identifiers.get(name);
  if (known !== undefined) return known;
  const numbers = expandIdentifier(name).map((word) => numberOf(vocabulary, word));
  vocabulary.identifiers.set(name, numbers);
  return numbers;
}

function numberOf({ words, stems, beginnings, numbers }: Vocabulary, word: string): number {
  const known = numbers.get(word);
  if (known !== undefined) return known;
  const number = words.push(word) - 1;
  stems.push(null);
  beginnings.push(beginning(word));
  numbers.set(word, number);
  return number;
}

/** The identifiers in a file's own name; `own` are all identifiers after its folder. */
function nameOf(path: string, base: string, slash: number, own: readonly string[]): readonly string[] {
  const dot = base.indexOf(".");
  const written = dot > 0 ? base.slice(0, dot) : base;
  if (BLANK_NAMES.has(written)) return namesIn(path.slice(path.lastIndexOf("/", slash - 1) + 1, Math.max(0, slash)));
  // Most names are one identifier, the first of `own`.
  return own[0] === written && !written.includes("$") ? own.slice(0, 1) : namesIn(written);
}

const namesIn = (name: string): readonly string[] =>
  identifiersIn(NOT_IN_NAME.test(name) ? name.replaceAll(NOT_IN_NAME_ALL, " ") : name);

const NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_]/u;
const NOT_IN_NAME_ALL = /[^\p{L}\p{M}\p{N}_]/gu;

/** The terms among some words. There are few, so a list is faster than a map. */
function counted(
  termOf: Int32Array,
  folder: readonly number[],
  own: readonly number[],
  name: readonly number[],
): readonly PathTerm[] {
  const found: PathTerm[] = [];
  for (let at = 0; at < folder.length; at += 1) {
    const term = termOf[folder[at] ?? 0] ?? -1;
    if (term >= 0) rowOf(found, term).path += 1;
  }
  for (let at = 0; at < own.length; at += 1) {
    const term = termOf[own[at] ?? 0] ?? -1;
    if (term >= 0) rowOf(found, term).path += 1;
  }
  for (let at = 0; at < name.length; at += 1) {
    const term = termOf[name[at] ?? 0] ?? -1;
    if (term >= 0) rowOf(found, term).name += 1;
  }
  return found;
}

function rowOf(found: PathTerm[], term: number): PathTerm {
  for (const row of found) if (row.term === term) return row;
  const row = { term, path: 0, name: 0 };
  found.push(row);
  return row;
}
