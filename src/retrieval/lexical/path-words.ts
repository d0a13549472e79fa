/**
 * The words in the paths of a list of files, inverted: which files hold a word, and how often.
 *
 * It is for processes that answer several tasks on one list, and is built from all names at once.
 */
import { longer } from "../../text/terms/columns.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { ownName } from "../../text/terms/path-names.ts";
import { stem } from "../../text/terms/stem.ts";
import type { LexicalQuery } from "./weighted-terms.ts";

/** How often a term, by its index in the query, occurs in a file's path, and in its own name. */
export type InPath = { readonly term: number; readonly path: number; readonly name: number };

/** A term that is being counted. */
export type Counted = { readonly term: number; path: number; name: number };

export const NO_TERMS: readonly InPath[] = [];

/** The terms of a query in paths, exact and by stem: by file, and in order of term. */
export type PathTerms = {
  readonly exact: readonly (readonly InPath[])[];
  readonly stems: readonly (readonly InPath[])[];
};

/** The rows of the word with a number are those from `from[word]` to `from[word + 1]`, in order of file. */
export type PathWords = {
  readonly files: number;
  readonly numbers: ReadonlyMap<string, number>;
  readonly byStem: ReadonlyMap<string, readonly number[]>;
  readonly from: Int32Array;
  readonly position: Int32Array;
  /** How often the file's path holds the word, and, times `NAME_UNIT`, its own name. */
  readonly counts: Int32Array;
};

/** A path has fewer words. */
const NAME_UNIT = 1 << 16;

/** Takes about twice as long as a search for the terms of one query in all names. */
export function indexPathWords(files: readonly { readonly path: string }[]): PathWords {
  const numbers = new Map<string, number>();
  const ofIdentifier = new Map<string, readonly number[]>();
  const numbered = (identifier: string): readonly number[] =>
    expandIdentifier(identifier).map((word) => numbers.getOrInsertComputed(word, () => numbers.size));
  const numbersIn = (text: string): readonly number[] =>
    identifiersIn(text).flatMap((identifier) => ofIdentifier.getOrInsertComputed(identifier, numbered));
  const rows = rowCollector();
  let [folders, above]: [string, readonly number[]] = ["", []];
  files.forEach(({ path }, position) => {
    const slash = path.lastIndexOf("/");
    if (folders.length !== slash + 1 || !path.startsWith(folders)) {
      folders = path.slice(0, slash + 1);
      above = numbersIn(folders);
    }
    rows.begin(position);
    for (const word of above) rows.count(word, 1);
    for (const word of numbersIn(path.slice(slash + 1))) rows.count(word, 1);
    for (const word of numbersIn(ownName(path, slash))) rows.count(word, NAME_UNIT);
  });
  const byStem = new Map<string, number[]>();
  for (const [word, number] of numbers) byStem.getOrInsertComputed(stem(word), () => []).push(number);
  return { files: files.length, numbers, byStem, ...rows.byWord(numbers.size) };
}

/** Collects one row for each word of each file. */
function rowCollector() {
  let word = new Int32Array(ROOM);
  let position = new Int32Array(ROOM);
  let counts = new Int32Array(ROOM);
  let count = 0;
  let first = 0;
  let file = 0;
  return {
    begin(ofFile: number): void {
      file = ofFile;
      first = count;
    },
    count(ofWord: number, times: number): void {
      // A file has few words, so its rows are searched one by one.
      let row = first;
      while (row < count && word[row] !== ofWord) row += 1;
      if (row === word.length) {
        word = longer(word, 2 * count);
        position = longer(position, 2 * count);
        counts = longer(counts, 2 * count);
      }
      if (row === count) {
        word[row] = ofWord;
        position[row] = file;
        count += 1;
      }
      counts[row] = (counts[row] ?? 0) + times;
    },
    byWord(words: number): Pick<PathWords, "from" | "position" | "counts"> {
      const from = new Int32Array(words + 1);
      for (let row = 0; row < count; row += 1) from[(word[row] ?? 0) + 1] = (from[(word[row] ?? 0) + 1] ?? 0) + 1;
      for (let number = 1; number <= words; number += 1) from[number] = (from[number] ?? 0) + (from[number - 1] ?? 0);
      const next = from.slice();
      const sorted = { position: new Int32Array(count), counts: new Int32Array(count) };
      for (let row = 0; row < count; row += 1) {
        const at = next[word[row] ?? 0] ?? 0;
        next[word[row] ?? 0] = at + 1;
        sorted.position[at] = position[row] ?? 0;
        sorted.counts[at] = counts[row] ?? 0;
      }
      return { from, ...sorted };
    },
  };
}

const ROOM = 1 << 12;

/** The terms of a query in the paths. */
export function termsInPaths(words: PathWords, { exact, stems }: LexicalQuery): PathTerms {
  return {
    exact: inFiles(words, exact.terms, (term) => [words.numbers.get(term)].filter((number) => number !== undefined)),
    stems: inFiles(words, stems.terms, (term) => words.byStem.get(term) ?? []),
  };
}

/** By file, the terms in it, in order; `numbersOf` gives the words that count for a term. */
function inFiles(
  { files, from, position, counts }: PathWords,
  terms: readonly string[],
  numbersOf: (term: string) => readonly number[],
): readonly (readonly InPath[])[] {
  const found = new Array<Counted[] | undefined>(files).fill(undefined);
  terms.forEach((text, term) => {
    for (const number of numbersOf(text)) {
      const end = from[number + 1] ?? 0;
      for (let row = from[number] ?? end; row < end; row += 1) {
        const counted = rowOf(found, position[row] ?? 0, term);
        const times = counts[row] ?? 0;
        counted.path += times % NAME_UNIT;
        counted.name += Math.floor(times / NAME_UNIT);
      }
    }
  });
  return found.map((terms) => terms ?? NO_TERMS);
}

/** The row of a term in a file's list, to which terms are added in order. */
function rowOf(found: (Counted[] | undefined)[], file: number, term: number): Counted {
  const own = found[file] ?? [];
  found[file] = own;
  const last = own.at(-1);
  if (last?.term === term) return last;
  const row = { term, path: 0, name: 0 };
  own.push(row);
  return row;
}
