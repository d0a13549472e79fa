/**
 * Finds the task's terms in the term statistics of every file.
 *
 * Every blob is read: that costs less than the postings that an index on disk would add to each change. A process that
 * ranks again looks terms up in an index in memory (`stem-index.ts`). Files are numbered by their position in the given
 * list, never by id, and the order in which the knowledge base returns blobs does not matter.
 */
import type { FileQueries, FileRow, TermStatsRow } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { stem } from "../../text/terms/stem.ts";
import {
  exactHash,
  lookUp,
  readTermStats,
  type TermStats,
  type TermTable,
  termTable,
} from "../../text/terms/term-stats.ts";
import { positionsById } from "./file-positions.ts";
import { type InPath, pathTerms } from "./path-terms.ts";
import { type EntryIndex, entryIndex, listOf } from "./stem-index.ts";
import type { LexicalQuery } from "./weighted-terms.ts";

/** Marks a term that the path contains; it comes last of a term's entries. */
export const PATH_ENTRY = -1;

/**
 * The terms of one space that each file contains. A file's hits are those from `start[position]` to `start[position + 1]`,
 * in order of term: several entries may share a stem. `inPath` is by file and in order of term.
 */
export type Hits = {
  readonly term: Int32Array;
  /** Entries of the file's dictionary. */
  readonly entry: Int32Array;
  readonly start: Int32Array;
  readonly inPath: readonly (readonly InPath[])[];
  /** How many files contain each term. */
  readonly holders: Int32Array;
};

type Corpus = {
  /** By file; null for a file without statistics. */
  readonly stats: readonly (TermStats | null)[];
  readonly exact: Hits;
  readonly stems: Hits;
};

/** Throws `index-damaged` if statistics cannot be read. `isRanking`: a process that ranks twice will rank again. */
export function findTerms(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  query: LexicalQuery,
  isRanking = true,
): Corpus {
  const { stats, index } = statsOf(kb.termStats(), files, isRanking);
  // An entry with a term also has its stem, so only the stem column of a file is scanned.
  const stemTable = termTable([...query.stems.terms, ...query.exact.terms.map(stem)]);
  const exactTable = termTable(query.exact.terms);
  const exact = collector(query.exact.terms.length);
  const stems = collector(query.stems.terms.length);
  if (index === null) scan(stats, stemTable, exactTable, stems, exact);
  else lookUpAll(index, stemTable, exactTable, stems, exact);
  for (const [position, path] of pathTerms(query, files).entries()) {
    exact.addPath(path.exact, position);
    stems.addPath(path.stems, position);
  }
  return { stats, exact: exact.hits(files.length), stems: stems.hits(files.length) };
}

type Stats = Corpus["stats"];
type Cached = {
  readonly files: readonly FileRow[];
  readonly stats: Stats;
  index: EntryIndex | null;
  wasRanked: boolean;
};

/** The statistics read from rows, for one list of files. */
const cache = new WeakMap<readonly TermStatsRow[], Cached>();

/** The statistics by position. The index is built for the second ranking, since few processes rank twice. */
function statsOf(
  rows: readonly TermStatsRow[],
  files: readonly FileRow[],
  isRanking: boolean,
): Pick<Cached, "stats" | "index"> {
  const cached = cache.get(rows);
  if (cached?.files === files) {
    if (isRanking && cached.wasRanked) cached.index ??= entryIndex(cached.stats);
    cached.wasRanked ||= isRanking;
    return cached;
  }
  const positionOf = positionsById(files);
  const stats = files.map((): TermStats | null => null);
  for (const row of rows) {
    const position = positionOf.get(row.fileId);
    if (position === undefined) continue;
    stats[position] = readTermStats(row.stats) ?? unreadable(files[position]?.path ?? "");
  }
  if (cached === undefined) cache.set(rows, { files, stats, index: null, wasRanked: isRanking });
  return { stats, index: null };
}

function unreadable(path: string): never {
  throw new Failed({ code: "index-damaged", path, why: "its term statistics cannot be read" });
}

function scan(stats: Stats, stemTable: TermTable, exactTable: TermTable, stems: Collector, exact: Collector): void {
  for (let position = 0; position < stats.length; position += 1) {
    const file = stats[position] ?? null;
    if (file === null) continue;
    const { words, termCount, stemAt } = file;
    for (let entry = 0; entry < termCount; entry += 1) {
      const stemTerm = lookUp(stemTable, words[stemAt + entry] ?? 0);
      if (stemTerm < 0) continue;
      stems.add(stemTerm, position, entry);
      const exactTerm = lookUp(exactTable, exactHash(file, entry));
      if (exactTerm >= 0) exact.add(exactTerm, position, entry);
    }
  }
}

/** The same result as `scan`, from the index. */
function lookUpAll(
  index: EntryIndex,
  stemTable: TermTable,
  exactTable: TermTable,
  stems: Collector,
  exact: Collector,
): void {
  for (const [hash, stemTerm] of stemTable.indexOf) {
    const list = listOf(hash);
    const end = index.start[list + 1] ?? 0;
    for (let at = index.start[list] ?? 0; at < end; at += 1) {
      if (index.stem[at] !== hash) continue;
      const position = index.position[at] ?? 0;
      const entry = index.entry[at] ?? 0;
      stems.add(stemTerm, position, entry);
      const exactTerm = lookUp(exactTable, index.exact[at] ?? 0);
      if (exactTerm >= 0) exact.add(exactTerm, position, entry);
    }
  }
}

/** One row for each hit, in the order of discovery. */
type Found = { readonly term: Int32Array; readonly position: Int32Array; readonly entry: Int32Array };

/** Rows to reuse, because new memory for a hundred thousand rows costs more than filling it. */
const spare: Found[] = [];
const SPARE_MAX = 2;
const SPARE_ROWS_MAX = 1 << 20;

const foundRows = (room: number): Found => ({
  term: new Int32Array(room),
  position: new Int32Array(room),
  entry: new Int32Array(room),
});

function enlarged(found: Found): Found {
  const larger = foundRows(2 * found.term.length);
  larger.term.set(found.term);
  larger.position.set(found.position);
  larger.entry.set(found.entry);
  return larger;
}

type Collector = ReturnType<typeof collector>;

/** Collects the hits of a space of `terms` terms. Add paths last. */
function collector(terms: number) {
  let found = spare.pop() ?? foundRows(1 << 14);
  let count = 0;
  const inPath: (readonly InPath[])[] = [];

  /** Ignores a term that is not in the space. */
  function add(term: number, position: number, entry: number): void {
    if (term >= terms) return;
    if (count === found.term.length) found = enlarged(found);
    found.term[count] = term;
    found.position[count] = position;
    found.entry[count] = entry;
    count += 1;
  }

  function addPath(path: readonly InPath[], position: number): void {
    for (const { term } of path) add(term, position, PATH_ENTRY);
    inPath.push(path.length > 1 ? path.toSorted((a, b) => a.term - b.term) : path);
  }

  /** The hits by term, then by file. Call once. */
  function hits(files: number): Hits {
    const { term: rowTerm, position: rowPosition, entry: rowEntry } = found;
    const next = startsOf(rowTerm, count, terms);
    const position = new Int32Array(count);
    const entry = new Int32Array(count);
    for (let row = 0; row < count; row += 1) {
      const term = rowTerm[row] ?? 0;
      const at = next[term] ?? 0;
      next[term] = at + 1;
      position[at] = rowPosition[row] ?? 0;
      entry[at] = rowEntry[row] ?? 0;
    }
    const start = startsOf(rowPosition, count, files);
    const nextOf = start.slice();
    const sorted = { term: new Int32Array(count), entry: new Int32Array(count) };
    const holders = new Int32Array(terms);
    for (let term = 0, from = 0; term < terms; term += 1) {
      // By now, `next[term]` is the first row of the following term.
      const to = next[term] ?? 0;
      for (; from < to; from += 1) {
        const file = position[from] ?? 0;
        const at = nextOf[file] ?? 0;
        nextOf[file] = at + 1;
        if (at === start[file] || sorted.term[at - 1] !== term) holders[term] = (holders[term] ?? 0) + 1;
        sorted.term[at] = term;
        sorted.entry[at] = entry[from] ?? 0;
      }
    }
    if (spare.length < SPARE_MAX && rowTerm.length <= SPARE_ROWS_MAX) spare.push(found);
    found = foundRows(0);
    return { ...sorted, start, inPath, holders };
  }

  return { add, addPath, hits };
}

/** The first row of each value below `values` if the first `count` rows are sorted by it, and the number of rows at the end. */
function startsOf(column: Int32Array, count: number, values: number): Int32Array {
  const start = new Int32Array(values + 1);
  for (let row = 0; row < count; row += 1) {
    const next = (column[row] ?? 0) + 1;
    start[next] = (start[next] ?? 0) + 1;
  }
  for (let value = 1; value <= values; value += 1) start[value] = (start[value] ?? 0) + (start[value - 1] ?? 0);
  return start;
}
