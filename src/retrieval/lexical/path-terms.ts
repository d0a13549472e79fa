/**
 * The terms of a query in paths, in both term spaces, where no words of paths are stored (`stored-path-terms.ts`).
 *
 * The first tasks on a list of files look into the names that can hold a term, and find the terms of each identifier once. A later one asks
 * which files hold a word (`path-words.ts`), which takes a tenth of the time.
 */
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { fileStem, isBlankName, ownName } from "../../text/terms/path-names.ts";
import { stem } from "../../text/terms/stem.ts";
import { hasSamePaths } from "./file-positions.ts";
import {
  type Counted,
  type InPath,
  indexPathWords,
  NO_TERMS,
  type PathTerms,
  type PathWords,
  termsInPaths,
} from "./path-words.ts";
import { termPrefilter } from "./term-prefilter.ts";
import type { LexicalQuery } from "./weighted-terms.ts";

type WithPath = { readonly path: string };

/** A file's own name ends at the first dot; for a generic name it is its folder's. Fast for files in order of path. */
export function pathTerms(query: LexicalQuery, files: readonly WithPath[]): PathTerms {
  const asked = JSON.stringify([query.exact.terms, query.stems.terms]);
  const before = newest.find((each) => each.asked === asked && hasSamePaths(each.files, files));
  if (before !== undefined) return before.found;
  const words = wordsFor(files);
  const found = words === null ? findTerms(query, files) : termsInPaths(words, query);
  newest = [{ asked, files, found }, ...newest.slice(0, ASKED_MAX - 1)];
  return found;
}

/** What was asked last. A first answer ranks twice, with other rows of the same paths, and looks for other words in between. */
let newest: readonly { readonly asked: string; readonly files: readonly WithPath[]; readonly found: PathTerms }[] = [];
const ASKED_MAX = 2;

/** How often a list was searched, and its words once they are indexed. */
const searched = new WeakMap<readonly WithPath[], { times: number; words: PathWords | null }>();
/** A process that answers one task searches twice at most. */
const SEARCHES_BEFORE_INDEX = 2;

/** Null while an index of the words would take longer than it saves. */
function wordsFor(files: readonly WithPath[]): PathWords | null {
  const known = searched.get(files) ?? { times: 0, words: null };
  searched.set(files, known);
  known.times += 1;
  if (known.times > SEARCHES_BEFORE_INDEX) known.words ??= indexPathWords(files);
  return known.words;
}

function findTerms(query: LexicalQuery, files: readonly WithPath[]): PathTerms {
  const terms = [...query.exact.terms, ...query.stems.terms];
  const canHold = termPrefilter(terms);
  const termsOf = identifierTerms(query, beginningsOf(terms));
  const termsIn = (name: string): Terms => allTerms(identifiersOf(name), termsOf);
  const foldersOf = folderTerms((name) => (canHold(name, 0, name.length) ? termsIn(name) : NONE));
  const found = { exact: [] as (readonly InPath[])[], stems: [] as (readonly InPath[])[] };
  for (const { path } of files) {
    const slash = path.lastIndexOf("/");
    const above = foldersOf(path, slash + 1);
    const isHeld = canHold(path, slash + 1, path.length);
    if (above === NONE && !isHeld) {
      found.exact.push(NO_TERMS);
      found.stems.push(NO_TERMS);
      continue;
    }
    const base = path.slice(slash + 1);
    const identifiers = isHeld ? identifiersOf(base) : [];
    const own = allTerms(identifiers, termsOf);
    const nameStem = fileStem(base);
    let name = NONE;
    // Most names are one identifier, which is known already.
    if (identifiers[0] === nameStem && !nameStem.includes("$") && !isBlankName(nameStem)) name = termsOf(nameStem);
    else if (isHeld || isBlankName(nameStem)) name = termsIn(ownName(path, slash));
    found.exact.push(counted(above.exact, own.exact, name.exact));
    found.stems.push(counted(above.stems, own.stems, name.stems));
  }
  return found;
}

/** Indices of terms and of stems in the query, with repeats. */
type Terms = { readonly exact: readonly number[]; readonly stems: readonly number[] };

/** Names without a term have this value. */
const NONE: Terms = { exact: [], stems: [] };

/** The terms in an identifier. `begun` are the beginnings of all terms. */
function identifierTerms({ exact, stems }: LexicalQuery, begun: Uint8Array): (identifier: string) => Terms {
  const [termAt, stemAt] = [indexOf(exact.terms), indexOf(stems.terms)];
  const find = (identifier: string): Terms => {
    const found = { exact: [] as number[], stems: [] as number[] };
    for (const word of wordsOf(identifier)) {
      if (begun[beginning(word)] !== 1) continue;
      const term = termAt.get(word);
      if (term !== undefined) found.exact.push(term);
      const stemmed = stemAt.get(stemOf(word));
      if (stemmed !== undefined) found.stems.push(stemmed);
    }
    return found.exact.length + found.stems.length === 0 ? NONE : found;
  };
  const known = new Map<string, Terms>();
  return (identifier) => known.getOrInsertComputed(identifier, find);
}

function allTerms(identifiers: readonly string[], termsOf: (identifier: string) => Terms): Terms {
  let all = NONE;
  for (const identifier of identifiers) all = joined(all, termsOf(identifier));
  return all;
}

/** The terms in all folders of a path, which end before `end`. */
function folderTerms(termsOf: (name: string) => Terms): (path: string, end: number) => Terms {
  // The folders around the path before, from the top down: each with the slash at its end, and the terms in it and above.
  const around: { readonly folder: string; readonly terms: Terms }[] = [];
  return (path, end) => {
    let inner = around.at(-1);
    while (inner !== undefined && !(inner.folder.length <= end && path.startsWith(inner.folder))) {
      around.pop();
      inner = around.at(-1);
    }
    for (let start = inner?.folder.length ?? 0; start < end; start = inner?.folder.length ?? end) {
      const slash = path.indexOf("/", start);
      const terms: Terms = joined(inner?.terms ?? NONE, termsOf(path.slice(start, slash)));
      inner = { folder: path.slice(0, slash + 1), terms };
      around.push(inner);
    }
    return inner?.terms ?? NONE;
  };
}

function joined(above: Terms, own: Terms): Terms {
  if (own === NONE) return above;
  return above === NONE ? own : { exact: [...above.exact, ...own.exact], stems: [...above.stems, ...own.stems] };
}

/** What a name holds does not depend on the task, so later tasks in the process reuse it. */
const KNOWN_MAX = 50_000;

function remembered<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= KNOWN_MAX) known.clear();
    const found = find(text);
    known.set(text, found);
    return found;
  };
}

const identifiersOf = remembered(identifiersIn);
const wordsOf = remembered(expandIdentifier);
const stemOf = remembered(stem);

const indexOf = (terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(terms.map((term, index) => [term, index]));

/** A word with another beginning than all terms matches none, not even by stem: stems keep two characters. */
function beginningsOf(terms: readonly string[]): Uint8Array {
  const begun = new Uint8Array(1 << 14);
  for (const term of terms) begun[beginning(term)] = 1;
  return begun;
}

const beginning = (term: string): number => ((term.charCodeAt(0) & 127) << 7) | (term.charCodeAt(1) & 127);

/** The terms among those of the folders, of the whole name, and of the file's own name. There are few, so a list is faster than a map. */
function counted(folders: readonly number[], own: readonly number[], name: readonly number[]): readonly InPath[] {
  if (folders.length + own.length + name.length === 0) return NO_TERMS;
  const found: Counted[] = [];
  for (const term of folders) rowOf(found, term).path += 1;
  for (const term of own) rowOf(found, term).path += 1;
  for (const term of name) rowOf(found, term).name += 1;
  return found.length > 1 ? found.sort((a, b) => a.term - b.term) : found;
}

function rowOf(found: Counted[], term: number): Counted {
  for (const row of found) if (row.term === term) return row;
  const row = { term, path: 0, name: 0 };
  found.push(row);
  return row;
}
