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
export type InPath = { readonly path: number; readonly name: number };

/**
 * The files that hold a term, in order of place. A file comes once for each of its dictionary entries
 * that are the term (several may share a stem), then once with entry -1 when its path holds the term.
 */
export type Holders = { readonly places: number[]; readonly entries: number[]; readonly inPath: InPath[] };

export type Corpus = {
  /** By file; null for a file without statistics. */
  readonly stats: readonly (TermStats | null)[];
  /** By index of the term in the query. */
  readonly exact: readonly Holders[];
  readonly stems: readonly Holders[];
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
): readonly Holders[] {
  const table = termTable(terms);
  const indexOf = new Map(terms.map((term, index) => [term, index]));
  // paths share most of their words, and stems are not free
  const termOfWord = new Map<string, number>();
  const termOf = (word: string): number | undefined => {
    let term = termOfWord.get(word);
    if (term === undefined) {
      term = indexOf.get(toTerm(word)) ?? -1;
      termOfWord.set(word, term);
    }
    return term < 0 ? undefined : term;
  };
  const holders = terms.map((): Holders => ({ places: [], entries: [], inPath: [] }));
  stats.forEach((file, place) => {
    if (file !== null) matchColumn(file, columnOf(file), table, place, holders);
    for (const counts of pathTermsOf(paths[place] ?? NO_WORDS, termOf)) {
      const held = holders[counts.term];
      held?.places.push(place);
      held?.entries.push(-1);
      held?.inPath.push(counts);
    }
  });
  return holders;
}

function matchColumn(
  { words, termCount }: TermStats,
  from: number,
  table: TermTable,
  place: number,
  holders: readonly Holders[],
): void {
  for (let entry = 0; entry < termCount; entry += 1) {
    const term = lookUp(table, words[from + entry] ?? 0);
    if (term < 0) continue;
    const held = holders[term];
    held?.places.push(place);
    held?.entries.push(entry);
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

const NO_WORDS: PathWords = { path: [], name: [] };

type PathTerm = { readonly term: number; path: number; name: number };

/** The terms of a query in a path: a handful at most, so a list is searched faster than a map is made. */
function pathTermsOf(words: PathWords, termOf: (word: string) => number | undefined): readonly PathTerm[] {
  const found: PathTerm[] = [];
  const count = (word: string, field: "path" | "name"): void => {
    const term = termOf(word);
    if (term === undefined) return;
    let row = found.find((known) => known.term === term);
    if (row === undefined) {
      row = { term, path: 0, name: 0 };
      found.push(row);
    }
    row[field] += 1;
  };
  for (const word of words.path) count(word, "path");
  for (const word of words.name) count(word, "name");
  return found;
}
