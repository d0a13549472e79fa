/** Counts the terms of one file by segment: its distinct terms, and a posting for each place. */
import {
  countAscii,
  countIdentifiers,
  type IdentifierTable,
  identifierTable,
  isFull,
  longer,
  ROW,
} from "./identifier-table.ts";

/** The low bits of a posting hold its capped count; the field is above them. */
const COUNT_BITS = 12;
const COUNT_MAX = (1 << COUNT_BITS) - 1;

export const segmentOf = (posting: number): number => posting >>> (COUNT_BITS + 2);
export const fieldOf = (posting: number): number => (posting >>> COUNT_BITS) & 3;
export const countOf = (posting: number): number => posting & COUNT_MAX;

let table: IdentifierTable = identifierTable();
/** By place of a term: the file that it was last found in, and its index in that file's terms. */
let fileOf: Int32Array = new Int32Array(0);
let indexOf: Int32Array = new Int32Array(0);
let files = 0;

export type TermCounter = ReturnType<typeof termCounter>;

/** Collects the distinct terms of a file and its postings. Only one may be in use at a time. */
export function termCounter() {
  const exact: number[] = [];
  const stems: number[] = [];
  const postingTerm: number[] = [];
  const posting: number[] = [];
  const counts: number[] = [];
  // Never within a file, or its terms would count as new.
  if (isFull(table)) {
    table = identifierTable();
    fileOf = new Int32Array(0);
    indexOf = new Int32Array(0);
  }
  files += 1;
  const file = files;

  /** Bytes are the UTF-8 of a text in which all words are ASCII. */
  function count(text: string | Buffer, segment: number, field: number): number {
    const count = typeof text === "string" ? countIdentifiers(table, text) : countAscii(table, text);
    const { termsOf, terms, found, rows } = table;
    if (fileOf.length < terms.exact.length) {
      fileOf = longer(fileOf, 2 * terms.exact.length);
      indexOf = longer(indexOf, 2 * terms.exact.length);
    }
    const touched: number[] = [];
    let total = 0;
    for (let index = 0; index < count; index += 1) {
      const row = found[index] ?? 0;
      const repeats = rows[row + ROW.times] ?? 0;
      const end = rows[row + ROW.termsEnd] ?? 0;
      for (let at = rows[row + ROW.terms] ?? 0; at < end; at += 1) {
        total += repeats;
        const term = termsOf[at] ?? 0;
        const own = terms.place[term] ?? 0;
        if (fileOf[own] !== file) {
          fileOf[own] = file;
          indexOf[own] = exact.length;
          exact.push(terms.exact[term] ?? 0);
          stems.push(terms.stem[term] ?? 0);
          counts.push(0);
        }
        const entry = indexOf[own] ?? 0;
        const before = counts[entry] ?? 0;
        if (before === 0) touched.push(entry);
        counts[entry] = before + repeats;
      }
    }
    for (let index = 0; index < touched.length; index += 1) {
      const entry = touched[index] ?? 0;
      postingTerm.push(entry);
      posting.push(
        ((segment << (COUNT_BITS + 2)) | (field << COUNT_BITS) | Math.min(counts[entry] ?? 0, COUNT_MAX)) >>> 0,
      );
      counts[entry] = 0;
    }
    return total;
  }

  return { exact, stems, postingTerm, posting, count };
}
