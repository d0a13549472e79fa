/**
 * Finds the task's terms in the term statistics of every file, in one pass.
 *
 * Files are numbered by their place in the list they are given in, never by id, and nothing here
 * depends on the order in which the knowledge base hands out blobs.
 */
import type { FileRow, KnowledgeBase } from "../db/curated.ts";
import { Failed } from "../failure.ts";
import { expandIdentifier, identifiersIn } from "../text/identifiers.ts";
import { stem } from "../text/stem.ts";
import { lookUp, readTermStats, type TermStats, type TermTable, termTable } from "../text/term-stats.ts";
import type { LexicalQuery } from "./lexical-query.ts";

/** How often a term stands in a file's path, and in its own name. */
type PathTerm = { readonly term: number; path: number; name: number };

/**
 * Where the terms of one space are. Pairs `pairStart[file] .. pairStart[file + 1]` are those of one file,
 * by term: the term's index in the query, and its entry in the file's dictionary, or -1 for "in the path".
 */
export type TermSpace = {
  readonly termCount: number;
  readonly pairStart: Int32Array;
  readonly pairTerm: readonly number[];
  readonly pairEntry: readonly number[];
  readonly pathTerms: readonly (readonly PathTerm[])[];
};

export type Corpus = {
  /** By file; null for a file without statistics. */
  readonly stats: readonly (TermStats | null)[];
  readonly exact: TermSpace;
  readonly stems: TermSpace;
};

/** Gathers what scoring needs. Fails when statistics cannot be read. */
export function gatherCorpus(kb: KnowledgeBase, files: readonly FileRow[], query: LexicalQuery): Corpus {
  const placeOf = new Map(files.map((file, place) => [file.id, place]));
  const stats = files.map((): TermStats | null => null);
  for (const row of kb.termStats()) {
    const place = placeOf.get(row.fileId);
    if (place === undefined) continue;
    stats[place] = readTermStats(row.stats) ?? unreadable(files[place]?.path ?? "");
  }
  const paths = files.map((file) => pathWords(file.path));
  return {
    stats,
    exact: findTerms(
      stats,
      query.exact.terms,
      (file) => file.exactAt,
      paths,
      (word) => word,
    ),
    stems: findTerms(stats, query.stems.terms, (file) => file.stemAt, paths, stem),
  };
}

function unreadable(path: string): never {
  throw new Failed({ code: "index-damaged", path, why: "its term statistics cannot be read" });
}

function findTerms(
  stats: readonly (TermStats | null)[],
  terms: readonly string[],
  columnOf: (file: TermStats) => number,
  paths: readonly PathWords[],
  toTerm: (word: string) => string,
): TermSpace {
  const table = termTable(terms);
  const indexOf = new Map(terms.map((term, index) => [term, index]));
  const pairStart = new Int32Array(stats.length + 1);
  const pairTerm: number[] = [];
  const pairEntry: number[] = [];
  const pathTerms = paths.map((words) => pathTermsOf(words, indexOf, toTerm));
  // per file, a linked list of entries for each term, so that pairs come out by term
  const head = new Int32Array(terms.length).fill(-1);
  const next: number[] = [];
  const entries: number[] = [];
  stats.forEach((file, place) => {
    next.length = 0;
    entries.length = 0;
    const note = (term: number, entry: number): void => {
      next.push(head[term] ?? -1);
      head[term] = entries.length;
      entries.push(entry);
    };
    if (file !== null) matchColumn(file, columnOf(file), table, note);
    for (const { term } of pathTerms[place] ?? []) note(term, -1);
    if (entries.length > 0) {
      for (let term = 0; term < terms.length; term += 1) {
        for (let at = head[term] ?? -1; at >= 0; at = next[at] ?? -1) {
          pairTerm.push(term);
          pairEntry.push(entries[at] ?? -1);
        }
        head[term] = -1;
      }
    }
    pairStart[place + 1] = pairTerm.length;
  });
  return { termCount: terms.length, pairStart, pairTerm, pairEntry, pathTerms };
}

function matchColumn(
  file: TermStats,
  from: number,
  table: TermTable,
  note: (term: number, entry: number) => void,
): void {
  for (let entry = 0; entry < file.termCount; entry += 1) {
    const term = lookUp(table, file.words[from + entry] ?? 0);
    if (term >= 0) note(term, entry);
  }
}

type PathWords = { readonly path: readonly string[]; readonly name: readonly string[] };

/** Names that say nothing; their folder names them. */
const BLANK_NAMES: ReadonlySet<string> = new Set(["index", "__init__", "mod", "lib", "main"]);

/** The terms of a path, and of the file's own name: up to its first dot, or its folder's name when it says nothing. */
function pathWords(path: string): PathWords {
  const parts = path.split("/");
  const base = parts.at(-1) ?? "";
  const own = base.startsWith(".") ? base : (base.split(".")[0] ?? "");
  const name = BLANK_NAMES.has(own) ? (parts.at(-2) ?? "") : own;
  return { path: wordsOf(path), name: wordsOf(name.replaceAll(/[^A-Za-z0-9_]/g, " ")) };
}

const wordsOf = (text: string): readonly string[] => identifiersIn(text).flatMap(expandIdentifier);

const NO_PATH_TERMS: readonly PathTerm[] = [];

function pathTermsOf(
  words: PathWords,
  indexOf: ReadonlyMap<string, number>,
  toTerm: (word: string) => string,
): readonly PathTerm[] {
  const found = new Map<number, PathTerm>();
  for (const key of ["path", "name"] as const) {
    for (const word of words[key]) {
      const term = indexOf.get(toTerm(word));
      if (term === undefined) continue;
      const entry = found.get(term) ?? { term, path: 0, name: 0 };
      entry[key] += 1;
      found.set(term, entry);
    }
  }
  return found.size === 0 ? NO_PATH_TERMS : [...found.values()];
}
