/**
 * Finds the task's terms in the term statistics of every file.
 *
 * Every blob is read: that costs less than the postings that an index on disk would add to each change. Files are numbered by their position
 * in the given list, never by id, and the order in which the knowledge base returns blobs does not matter.
 */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { longer } from "../../text/terms/columns.ts";
import { stem } from "../../text/terms/stem.ts";
import { lookUp, termTable } from "../../text/terms/term-stats.ts";
import { type CorpusFiles, openedStats, searchStems } from "./corpus-files.ts";
import { type InPath, pathTerms } from "./path-terms.ts";
import type { LexicalQuery } from "./weighted-terms.ts";

/** Marks a term that the path contains; it comes last of a term's entries. */
export const PATH_ENTRY = -1;

/**
 * The terms of one space that each file contains. A file's hits are those from `start[position]` to `start[position + 1]`,
 * in order of term: several entries may share a stem. `inPath` is by file and in order of term.
 */
export type Hits = {
  readonly term: Int32Array;
  /** By their number in `Postings`. */
  readonly entry: Int32Array;
  readonly start: Int32Array;
  readonly inPath: readonly (readonly InPath[])[];
  /** How many files contain each term. */
  readonly holders: Int32Array;
};

/** Where the postings of each entry are in the source of its file; entries are numbered as they are found. */
export type Postings = { readonly from: Int32Array; readonly to: Int32Array; readonly count: number };

type Corpus = {
  /** By file. */
  readonly stats: CorpusFiles;
  readonly postings: Postings;
  readonly exact: Hits;
  readonly stems: Hits;
};

/** Throws `index-damaged` if statistics cannot be read. */
export function findTerms(kb: Pick<FileQueries, "termStats">, files: readonly FileRow[], query: LexicalQuery): Corpus {
  const opened = openedStats(kb.termStats(), files);
  // An entry with a term also has its stem, so only the stems are searched.
  const stemTable = termTable([...query.stems.terms, ...query.exact.terms.map(stem)]);
  const exactTable = termTable(query.exact.terms);
  const exact = collector(query.exact.terms.length);
  const stems = collector(query.stems.terms.length);
  const postings = postingCollector();
  searchStems(opened, stemTable, (stemTerm, hash, position, from, to) => {
    const entry = postings.add(from, to);
    stems.add(stemTerm, position, entry);
    const exactTerm = lookUp(exactTable, hash);
    if (exactTerm >= 0) exact.add(exactTerm, position, entry);
  });
  for (const [position, path] of pathTerms(query, files).entries()) {
    exact.addPath(path.exact, position);
    stems.addPath(path.stems, position);
  }
  return {
    stats: opened.files,
    postings: postings.all(),
    exact: exact.hits(files.length),
    stems: stems.hits(files.length),
  };
}

/** Collects the postings of entries. */
function postingCollector() {
  let from = new Int32Array(1 << 14);
  let to = new Int32Array(1 << 14);
  let count = 0;
  return {
    /** Returns the number of the entry. */
    add(first: number, end: number): number {
      if (count === from.length) {
        from = longer(from, 2 * count);
        to = longer(to, 2 * count);
      }
      from[count] = first;
      to[count] = end;
      count += 1;
      return count - 1;
    },
    all: (): Postings => ({ from, to, count }),
  };
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
