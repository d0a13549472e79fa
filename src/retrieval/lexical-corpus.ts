/**
 * Finds the task's terms in the term statistics of every file, in one pass.
 *
 * Every blob is read: a scan of all of them costs less than the pages that an index of postings would add to each
 * change, and what a common word is worth hangs on all files that hold it. Files are numbered by their place in the
 * list they are given in, never by id, and nothing here depends on the order in which the knowledge base hands out
 * blobs. Not here: what a term gives to a file (`lexical-space.ts`).
 */
import type { FileRow, KnowledgeBase, TermStatsRow } from "../db/curated.ts";
import { Failed } from "../failure.ts";
import { stem } from "../text/stem.ts";
import { lookUp, readTermStats, type TermStats, type TermTable, termTable } from "../text/term-stats.ts";
import { placesById } from "./file-places.ts";
import { type InPath, pathReader } from "./lexical-paths.ts";
import type { LexicalQuery } from "./lexical-query.ts";

/** Stands for a dictionary entry where it is the path that holds the term; it comes last of a term's entries. */
export const PATH_ENTRY = -1;

/**
 * The terms of one space that each file holds. A file's hits are those from `start[place]` to `start[place + 1]`, in
 * order of term, then of entry: several entries may share a stem. `inPath` is by file and in order of term.
 */
export type Hits = {
  readonly term: Int32Array;
  /** Entries of the file's dictionary. */
  readonly entry: Int32Array;
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
  const stats = statsOf(kb.termStats(), files);
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

/** What was made of the rows of statistics, for one list of files; as long as the rows are kept. */
const known = new WeakMap<readonly TermStatsRow[], { readonly files: readonly FileRow[]; readonly stats: Stats }>();
type Stats = Corpus["stats"];

function statsOf(rows: readonly TermStatsRow[], files: readonly FileRow[]): Stats {
  const before = known.get(rows);
  if (before?.files === files) return before.stats;
  const placeOf = placesById(files);
  const stats = files.map((): TermStats | null => null);
  for (const row of rows) {
    const place = placeOf.get(row.fileId);
    if (place === undefined) continue;
    stats[place] = readTermStats(row.stats) ?? unreadable(files[place]?.path ?? "");
  }
  if (before === undefined) known.set(rows, { files, stats });
  return stats;
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

/** Collects the hits of a space of so many terms, file by file. A file's entries come in their order, so a list of them for each term sorts them. */
function collector(terms: number, files: number) {
  let found = { term: new Int32Array(1 << 14), entry: new Int32Array(1 << 14) };
  let count = 0;
  let file = 0;
  const start = new Int32Array(files + 1);
  const holders = new Int32Array(terms);
  const inPath: (readonly InPath[])[] = [];
  /** The terms of the file so far, a bit each. */
  const held = new Int32Array((terms + 31) >>> 5);
  /** Of the file's entries: the first and the last of each term, and the next one of the same term. */
  const first = new Int32Array(terms);
  const last = new Int32Array(terms);
  let entries = new Int32Array(1 << 10);
  let following = new Int32Array(1 << 10);
  let entryCount = 0;

  /** A term that is none of the space's is passed over. */
  function add(term: number, entry: number): void {
    if (term >= terms) return;
    if (entryCount === entries.length) [entries, following] = [enlarged(entries), enlarged(following)];
    const at = entryCount;
    entryCount += 1;
    entries[at] = entry;
    const bits = held[term >>> 5] ?? 0;
    if (((bits >>> (term & 31)) & 1) === 0) {
      held[term >>> 5] = bits | (1 << (term & 31));
      first[term] = at;
    } else following[last[term] ?? 0] = at;
    last[term] = at;
    following[at] = NO_MORE;
  }

  function endFile(path: readonly InPath[]): void {
    for (const { term } of path) add(term, PATH_ENTRY);
    inPath.push(path.length > 1 ? path.toSorted((a, b) => a.term - b.term) : path);
    while (count + entryCount > found.term.length) found = { term: enlarged(found.term), entry: enlarged(found.entry) };
    for (let word = 0; word < held.length; word += 1) {
      for (let bits = held[word] ?? 0; bits !== 0; bits &= bits - 1) {
        const term = 32 * word + (31 - Math.clz32(bits & -bits));
        holders[term] = (holders[term] ?? 0) + 1;
        for (let at = first[term] ?? NO_MORE; at !== NO_MORE; at = following[at] ?? NO_MORE) {
          found.term[count] = term;
          found.entry[count] = entries[at] ?? 0;
          count += 1;
        }
      }
      held[word] = 0;
    }
    entryCount = 0;
    file += 1;
    start[file] = count;
  }

  const hits = (): Hits => ({
    term: found.term.subarray(0, count),
    entry: found.entry.subarray(0, count),
    start,
    inPath,
    holders,
  });
  return { add, endFile, hits };
}

const NO_MORE = -1;

function enlarged(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length);
  larger.set(list);
  return larger;
}
