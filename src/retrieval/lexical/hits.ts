/**
 * The hits of a task's terms, by file.
 *
 * The statistics of a block of files give the hits of one stem in all its files before those of the next. Hits are put in order block by
 * block: those of one block fit into the processor's cache, those of all files do not.
 */
import { longer } from "../../text/terms/columns.ts";
import type { InPath } from "./path-words.ts";

/** Marks a term that the path contains; it comes last of a term's entries. */
export const PATH_ENTRY = -1;

/**
 * The terms of one space that each file contains. A file's hits are those from `from[position]` to `to[position]`, in order of term: several
 * entries may share a stem. `inPath` is by file and in order of term.
 */
export type Hits = {
  readonly term: Int32Array;
  /** By their number in `Postings`. */
  readonly entry: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly inPath: readonly (readonly InPath[])[];
  /** How many files contain each term. */
  readonly holders: Int32Array;
};

/** The number of rows of a block to make room for at first. */
const ROOM = 1 << 14;
/** A long issue has some 20 hits in a file. Memory that is not used takes neither time nor room the first time. */
const HITS_A_FILE = 24;
/** The most hits of a question so far, for which the next one makes room; 0 before the first. */
let mostHits = 0;
const MOST_HITS_MAX = 1 << 20;

/** How many hits in this many files to make room for. */
export const roomForHits = (files: number): number => Math.max(ROOM, mostHits > 0 ? mostHits : HITS_A_FILE * files);

/** Collects the hits of a space of `terms` terms in files with these terms in their paths, in order. */
export function hitCollector(terms: number, inPath: readonly (readonly InPath[])[]) {
  const rows = blockRows(terms);
  const [from, to] = [new Int32Array(inPath.length), new Int32Array(inPath.length)];
  const isAdded = new Uint8Array(inPath.length);
  const holders = new Int32Array(terms);
  let term = new Int32Array(roomForHits(inPath.length));
  let entry = new Int32Array(term.length);
  let count = 0;

  /** Adds an entry of the file at a place of the block. Ignores a term that is not in the space. */
  function add(ofTerm: number, place: number, ofEntry: number): void {
    if (ofTerm < terms) rows.add(ofTerm, place, ofEntry);
  }

  /** Ends a block, whose files have these positions by place, -1 for none. */
  function endBlock(positions: Int32Array): void {
    // `hits` adds its files, as those of no block.
    if (rows.isEmpty()) return;
    const order = rows.inOrder(positions.length);
    let next = 0;
    for (let place = 0; place < positions.length; place += 1) {
      const first = next;
      while (next < order.length && rows.place(order[next] ?? 0) === place) next += 1;
      const position = positions[place] ?? -1;
      if (position >= 0) addFile(position, order, first, next);
    }
    rows.clear();
  }

  /** Adds the file at a position, whose rows are those from `first` to `end` of an order. */
  function addFile(position: number, order: Int32Array, first: number, end: number): void {
    const paths = inPath[position] ?? [];
    const added = end - first + paths.length;
    if (count + added > term.length) {
      term = longer(term, 2 * term.length + added);
      entry = longer(entry, term.length);
    }
    from[position] = count;
    isAdded[position] = 1;
    let nextPath = 0;
    let before = -1;
    for (let at = first; at < end; at += 1) {
      const row = order[at] ?? 0;
      const own = rows.term(row);
      for (; (paths[nextPath]?.term ?? terms) < own; nextPath += 1)
        before = put(paths[nextPath]?.term ?? 0, before, PATH_ENTRY);
      before = put(own, before, rows.entry(row));
    }
    for (; nextPath < paths.length; nextPath += 1) before = put(paths[nextPath]?.term ?? 0, before, PATH_ENTRY);
    to[position] = count;
  }

  /** Adds a hit after one of the term `before` in the same file; returns its term. */
  function put(own: number, before: number, ofEntry: number): number {
    if (own !== before) holders[own] = (holders[own] ?? 0) + 1;
    term[count] = own;
    entry[count] = ofEntry;
    count += 1;
    return own;
  }

  /** The hits of all files, also of those in no block, and in one without hits. Call once. */
  function hits(): Hits {
    for (let position = 0; position < inPath.length; position += 1)
      if (isAdded[position] === 0) addFile(position, NO_ROWS, 0, 0);
    mostHits = Math.min(MOST_HITS_MAX, Math.max(mostHits, count));
    return { term, entry, from, to, inPath, holders };
  }

  return { add, endBlock, hits };
}

const NO_ROWS = new Int32Array(0);
/** So few rows are sorted one by one, which takes less than looking at every term. */
const FEW_ROWS = 32;

/** The hits of a block, in the order in which they were found. */
function blockRows(terms: number) {
  let [term, place, entry] = [new Int32Array(ROOM), new Int32Array(ROOM), new Int32Array(ROOM)];
  let [byTerm, order] = [new Int32Array(ROOM), new Int32Array(ROOM)];
  let count = 0;

  function add(ofTerm: number, atPlace: number, ofEntry: number): void {
    if (count === term.length) {
      const size = 2 * count;
      [term, place, entry] = [longer(term, size), longer(place, size), longer(entry, size)];
      [byTerm, order] = [new Int32Array(size), new Int32Array(size)];
    }
    term[count] = ofTerm;
    place[count] = atPlace;
    entry[count] = ofEntry;
    count += 1;
  }

  /** The rows by place, of a place by term, of a term in the order in which they were found. */
  function inOrder(places: number): Int32Array {
    if (count <= FEW_ROWS) sortFew();
    else {
      for (let row = 0; row < count; row += 1) order[row] = row;
      sortBy(term, terms, order, byTerm);
      sortBy(place, places, byTerm, order);
    }
    return order.subarray(0, count);
  }

  function sortFew(): void {
    for (let row = 0; row < count; row += 1) {
      const key = keyOf(row);
      let at = row;
      for (; at > 0 && keyOf(order[at - 1] ?? 0) > key; at -= 1) order[at] = order[at - 1] ?? 0;
      order[at] = row;
    }
  }

  const keyOf = (row: number): number => (place[row] ?? 0) * terms + (term[row] ?? 0);

  /** Sorts rows by a column with values below `values`, and keeps the order of equal ones. */
  function sortBy(column: Int32Array, values: number, rows: Int32Array, sorted: Int32Array): void {
    const next = new Int32Array(values + 1);
    for (let row = 0; row < count; row += 1) {
      const above = (column[row] ?? 0) + 1;
      next[above] = (next[above] ?? 0) + 1;
    }
    for (let value = 1; value <= values; value += 1) next[value] = (next[value] ?? 0) + (next[value - 1] ?? 0);
    for (let at = 0; at < count; at += 1) {
      const row = rows[at] ?? 0;
      const value = column[row] ?? 0;
      const to = next[value] ?? 0;
      next[value] = to + 1;
      sorted[to] = row;
    }
  }

  return {
    add,
    inOrder,
    isEmpty: (): boolean => count === 0,
    term: (row: number): number => term[row] ?? 0,
    place: (row: number): number => place[row] ?? 0,
    entry: (row: number): number => entry[row] ?? 0,
    clear(): void {
      count = 0;
    },
  };
}
