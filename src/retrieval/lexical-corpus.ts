/**
 * Finds the task's terms in the term statistics of every file, in one pass.
 *
 * Every blob is read: a scan of all of them costs less than the pages that an index of postings would add to each
 * change, and what a common word is worth hangs on all files that hold it. Files are numbered by their place in the
 * list they are given in, never by id, and nothing here depends on the order in which the knowledge base hands out
 * blobs. Not here: what a term gives to a file (`lexical-space.ts`).
 */
import type { FileRow, KnowledgeBase } from "../db/curated.ts";
import { Failed } from "../failure.ts";
import { stem } from "../text/stem.ts";
import { lookUp, readTermStats, type TermStats, type TermTable, termTable } from "../text/term-stats.ts";
import { type InPath, pathReader } from "./lexical-paths.ts";
import type { LexicalQuery } from "./lexical-query.ts";

/** Keys of hits of one term are this far apart. */
export const TERM_SPAN = 2 ** 32;
/** Stands for a dictionary entry where it is the path that holds the term; it comes last of a term's entries. */
export const PATH_ENTRY = TERM_SPAN - 1;

/**
 * The terms of one space that each file holds. A file's hits are those from `start[place]` to `start[place + 1]`, in
 * order of term, then of entry (several entries may share a stem): term × `TERM_SPAN` + dictionary entry. `inPath` is
 * by file and in order of term.
 */
export type Hits = {
  readonly keys: Float64Array;
  readonly start: Int32Array;
  readonly inPath: readonly (readonly InPath[])[];
  /** How many files hold each term. */
  readonly holders: Int32Array;
};

export type Corpus = {
  /** By file; null for a file without statistics. */
  readonly stats: readonly (TermStats | null)[];
  readonly exact: Hits;
  readonly stems: Hits;
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
  const exact = collector(query.exact.terms.length, files.length);
  const stems = collector(query.stems.terms.length, files.length);
  const inPath = pathReader(query);
  // Whatever holds a term holds its stem, so that one column of a file's two is read through.
  const stemTable = termTable([...query.stems.terms, ...query.exact.terms.map(stem)]);
  const exactTable = termTable(query.exact.terms);
  for (let place = 0; place < files.length; place += 1) {
    const file = stats[place] ?? null;
    if (file !== null) matchTerms(file, stemTable, exactTable, stems, exact);
    const path = inPath(files[place]?.path ?? "");
    exact.endFile(path.exact);
    stems.endFile(path.stems);
  }
  return { stats, exact: exact.hits(), stems: stems.hits() };
}

function unreadable(path: string): never {
  throw new Failed({ code: "index-damaged", path, why: "its term statistics cannot be read" });
}

function matchTerms(
  { words, termCount, stemAt, exactAt }: TermStats,
  stemTable: TermTable,
  exactTable: TermTable,
  stems: Collector,
  exact: Collector,
): void {
  for (let entry = 0; entry < termCount; entry += 1) {
    const stemTerm = lookUp(stemTable, words[stemAt + entry] ?? 0);
    if (stemTerm < 0) continue;
    stems.add(stemTerm, entry);
    const exactTerm = lookUp(exactTable, words[exactAt + entry] ?? 0);
    if (exactTerm >= 0) exact.add(exactTerm, entry);
  }
}

type Collector = ReturnType<typeof collector>;

/** Collects the hits of a space of so many terms, file by file. */
function collector(terms: number, files: number) {
  let keys = new Float64Array(1 << 14);
  let count = 0;
  let from = 0;
  let file = 0;
  const start = new Int32Array(files + 1);
  const holders = new Int32Array(terms);
  const inPath: (readonly InPath[])[] = [];

  /** A term that is none of the space's is passed over. */
  function add(term: number, entry: number): void {
    if (term >= terms) return;
    if (count === keys.length) {
      const larger = new Float64Array(2 * count);
      larger.set(keys);
      keys = larger;
    }
    keys[count] = term * TERM_SPAN + entry;
    count += 1;
  }

  function endFile(path: readonly InPath[]): void {
    for (const { term } of path) add(term, PATH_ENTRY);
    inPath.push(path.length > 1 ? path.toSorted((a, b) => a.term - b.term) : path);
    sortPart(keys, from, count);
    let last = -1;
    for (let at = from; at < count; at += 1) {
      const term = Math.floor((keys[at] ?? 0) / TERM_SPAN);
      if (term !== last) holders[term] = (holders[term] ?? 0) + 1;
      last = term;
    }
    file += 1;
    start[file] = count;
    from = count;
  }

  const hits = (): Hits => ({ keys: keys.subarray(0, count), start, inPath, holders });
  return { add, endFile, hits };
}

/** Shorter lists are sorted sooner by hand. */
const INSERTED_MAX = 24;

function sortPart(keys: Float64Array, from: number, to: number): void {
  if (to - from > INSERTED_MAX) {
    keys.subarray(from, to).sort();
    return;
  }
  for (let next = from + 1; next < to; next += 1) {
    const key = keys[next] ?? 0;
    let at = next;
    for (; at > from && (keys[at - 1] ?? 0) > key; at -= 1) keys[at] = keys[at - 1] ?? 0;
    keys[at] = key;
  }
}
