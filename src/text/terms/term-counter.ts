/** Counts the terms of one file by segment: its distinct terms, and a posting for each place. */
import { longer } from "./columns.ts";
import { countIdentifiers, type IdentifierTable, identifierTable, isFull, ROW } from "./identifier-table.ts";
import { TERM, TERM_WORDS } from "./term-numbers.ts";

/** The low bits of a posting hold its capped count; the field is above them. */
const COUNT_BITS = 12;
export const COUNT_MAX = (1 << COUNT_BITS) - 1;

export const segmentOf = (posting: number): number => posting >>> (COUNT_BITS + 2);
export const fieldOf = (posting: number): number => (posting >>> COUNT_BITS) & 3;
export const countOf = (posting: number): number => posting & COUNT_MAX;

const COLUMN_FIRST = 1 << 12;

let table: IdentifierTable = identifierTable();
/** By place of a term: the file that it was last found in, and its index in that file's terms. */
let fileOf: Int32Array = new Int32Array(0);
let indexOf: Int32Array = new Int32Array(0);
let files = 0;

type ColumnName = "exact" | "stems" | "counts" | "touched" | "postingTerm" | "posting";

/** Columns by number of the term of the file, and by posting. They are used again for the next file. */
const columns: Record<ColumnName, Int32Array> = {
  exact: new Int32Array(COLUMN_FIRST),
  stems: new Int32Array(COLUMN_FIRST),
  /** How often the text that is being counted has the term. */
  counts: new Int32Array(COLUMN_FIRST),
  touched: new Int32Array(COLUMN_FIRST),
  postingTerm: new Int32Array(COLUMN_FIRST),
  posting: new Int32Array(COLUMN_FIRST),
};

export type TermCounter = {
  /** Counts the terms of a text; returns how many it has. Bytes are its UTF-8. */
  count(text: string | Buffer, segment: number, field: number): number;
  /** What was counted, until the next counter. Hashes are signed. Only the first `terms` and `postings` rows count. */
  found(): TermColumns;
};

export type TermColumns = Pick<typeof columns, "exact" | "stems" | "postingTerm" | "posting"> & {
  readonly terms: number;
  readonly postings: number;
};

/** Collects the distinct terms of a file and its postings. Only one may be in use at a time. */
export function termCounter(): TermCounter {
  // Never within a file, or its terms would count as new.
  if (isFull(table)) {
    table = identifierTable();
    fileOf = new Int32Array(0);
    indexOf = new Int32Array(0);
  }
  files += 1;
  const file = files;
  let terms = 0;
  let postings = 0;

  function count(text: string | Buffer, segment: number, field: number): number {
    const identifiers = countIdentifiers(table, text);
    const { termsOf, terms: known, found, rows } = table;
    if (fileOf.length < known.count) {
      fileOf = longer(fileOf, 2 * known.count);
      indexOf = longer(indexOf, 2 * known.count);
    }
    let total = 0;
    let touched = 0;
    for (let index = 0; index < identifiers; index += 1) {
      const row = found[index] ?? 0;
      const repeats = rows[row + ROW.times] ?? 0;
      const end = rows[row + ROW.termsEnd] ?? 0;
      for (let at = rows[row + ROW.terms] ?? 0; at < end; at += 1) {
        total += repeats;
        const term = TERM_WORDS * (termsOf[at] ?? 0);
        const own = known.rows[term + TERM.place] ?? 0;
        if (fileOf[own] !== file) {
          fileOf[own] = file;
          indexOf[own] = terms;
          if (terms === columns.exact.length) lengthen("exact", "stems", "counts", "touched");
          columns.exact[terms] = known.rows[term + TERM.exact] ?? 0;
          columns.stems[terms] = known.rows[term + TERM.stem] ?? 0;
          columns.counts[terms] = 0;
          terms += 1;
        }
        const entry = indexOf[own] ?? 0;
        const before = columns.counts[entry] ?? 0;
        if (before === 0) columns.touched[touched++] = entry;
        columns.counts[entry] = before + repeats;
      }
    }
    while (postings + touched > columns.posting.length) lengthen("postingTerm", "posting");
    const place = (segment << (COUNT_BITS + 2)) | (field << COUNT_BITS);
    for (let index = 0; index < touched; index += 1) {
      const entry = columns.touched[index] ?? 0;
      columns.postingTerm[postings] = entry;
      columns.posting[postings] = place | Math.min(columns.counts[entry] ?? 0, COUNT_MAX);
      columns.counts[entry] = 0;
      postings += 1;
    }
    return total;
  }

  return { count, found: () => ({ ...columns, terms, postings }) };
}

function lengthen(...names: readonly ColumnName[]): void {
  for (const name of names) columns[name] = longer(columns[name], 2 * columns[name].length);
}
