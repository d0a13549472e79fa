/** Counts the terms of one file by segment: its distinct terms, and a posting for each place. */
import { longer } from "./columns.ts";
import { countIdentifiers, emptyIfFull, identifierTable, RECORD, RECORD_WORDS } from "./identifier-table.ts";

/** The low bits of a posting hold its capped count; the field is above them. */
const COUNT_BITS = 12;
export const COUNT_MAX = (1 << COUNT_BITS) - 1;

export const segmentOf = (posting: number): number => posting >>> (COUNT_BITS + 2);
export const fieldOf = (posting: number): number => (posting >>> COUNT_BITS) & 3;
export const countOf = (posting: number): number => posting & COUNT_MAX;

export type TermCounter = {
  /** Counts the terms of a text; returns how many it has. Bytes are its UTF-8. */
  count(text: string | Buffer, segment: number, field: number): number;
  /** What was counted, until the next counter. */
  found(): TermColumns;
};

/** The first `terms` and `postings` rows of columns. Hashes are signed; `postingTerm` is the row of a posting's term. */
export type TermColumns = {
  readonly terms: number;
  readonly exact: Int32Array;
  readonly stems: Int32Array;
  readonly postings: number;
  readonly postingTerm: Int32Array;
  readonly posting: Int32Array;
};

/** Collects the distinct terms of a file and its postings. Only one may be in use at a time. */
export function termCounter(): TermCounter {
  emptyIfFull(table);
  stamp += 1;
  file.terms = 0;
  file.postings = 0;
  file.last = 2 * SLOTS_FIRST - 1;
  return COUNTER;
}

const COUNTER: TermCounter = { count, found: () => file };

const table = identifierTable();

const ROWS_FIRST = 1 << 12;
const SLOTS_FIRST = 1 << 11;

/** Of the file that is counted. The columns are used again for the next. */
const file = {
  terms: 0,
  exact: new Int32Array(ROWS_FIRST),
  stems: new Int32Array(ROWS_FIRST),
  /** How often the text that is being counted has the term, and the terms that it has. */
  counts: new Int32Array(ROWS_FIRST),
  touched: new Int32Array(ROWS_FIRST),
  postings: 0,
  postingTerm: new Int32Array(ROWS_FIRST),
  posting: new Int32Array(ROWS_FIRST),
  /**
   * Two words: a stamp and the row of a term, in the slot that the low bits of its hash name, or the next free one. A slot with another
   * stamp is free, so nothing is cleared for the next file.
   */
  slots: new Int32Array(2 * SLOTS_FIRST),
  /** The last word of the slots that the file uses, since fewer are nearer to the processor. */
  last: 0,
};
let stamp = 0;

function count(text: string | Buffer, segment: number, field: number): number {
  const identifiers = countIdentifiers(table, text);
  const { found, words } = table;
  let total = 0;
  let touched = 0;
  for (let index = 0; index < identifiers; index += 1) {
    const place = found[index] ?? 0;
    const times = words[place + RECORD.times] ?? 0;
    const end = place + RECORD_WORDS + (words[place + RECORD.terms] ?? 0);
    for (let at = place + RECORD_WORDS; at < end; at += 2) {
      total += times;
      const row = rowOf(words[at] ?? 0, words[at + 1] ?? 0);
      const before = file.counts[row] ?? 0;
      if (before === 0) file.touched[touched++] = row;
      file.counts[row] = before + times;
    }
  }
  while (file.postings + touched > file.posting.length) lengthen("postingTerm", "posting");
  const place = (segment << (COUNT_BITS + 2)) | (field << COUNT_BITS);
  for (let index = 0; index < touched; index += 1) {
    const row = file.touched[index] ?? 0;
    file.postingTerm[file.postings] = row;
    file.posting[file.postings] = place | Math.min(file.counts[row] ?? 0, COUNT_MAX);
    file.counts[row] = 0;
    file.postings += 1;
  }
  return total;
}

/** The row of a term. Of terms with the same hash, the first says what their stem is. */
function rowOf(exact: number, stem: number): number {
  const { slots, last, terms } = file;
  let slot = (2 * exact) & last;
  for (; slots[slot] === stamp; slot = (slot + 2) & last) {
    const row = slots[slot + 1] ?? 0;
    if (file.exact[row] === exact) return row;
  }
  if (terms === file.exact.length) lengthen("exact", "stems", "counts", "touched");
  file.exact[terms] = exact;
  file.stems[terms] = stem;
  file.counts[terms] = 0;
  file.terms = terms + 1;
  slots[slot] = stamp;
  slots[slot + 1] = terms;
  if (4 * terms > last) placeAgain(2 * (last + 1));
  return terms;
}

/** Places the terms of the file again, in `size` slots. */
function placeAgain(size: number): void {
  if (file.slots.length < size) file.slots = new Int32Array(size);
  const { slots, exact, terms } = file;
  const last = size - 1;
  file.last = last;
  stamp += 1;
  for (let row = 0; row < terms; row += 1) {
    let slot = (2 * (exact[row] ?? 0)) & last;
    while (slots[slot] === stamp) slot = (slot + 2) & last;
    slots[slot] = stamp;
    slots[slot + 1] = row;
  }
}

function lengthen(...names: readonly ("exact" | "stems" | "counts" | "touched" | "postingTerm" | "posting")[]): void {
  for (const name of names) file[name] = longer(file[name], 2 * file[name].length);
}
