/** Counts the terms of one file by segment: its distinct terms, and a posting for each place. */
import { type IdentifierTable, identifierTable, isFull, visitIdentifiers } from "./identifier-table.ts";

/** The low bits of a posting hold its capped count; the field is above them. */
export const COUNT_BITS = 12;
export const COUNT_MAX = (1 << COUNT_BITS) - 1;

let table: IdentifierTable = identifierTable();
/** By place of a term: the file that it was last found in, and its index in that file's terms. */
let fileOf: number[] = [];
let indexOf: number[] = [];
/** By identifier: the call that it was last found by, and how often. */
let callOf: number[] = [];
let times: number[] = [];
let files = 0;
let calls = 0;

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
    fileOf = [];
    indexOf = [];
    callOf = [];
    times = [];
  }
  files += 1;
  const file = files;

  function count(text: string, segment: number, field: number): number {
    calls += 1;
    const call = calls;
    const met: number[] = [];
    visitIdentifiers(table, text, (identifier) => {
      if (callOf[identifier] === call) {
        times[identifier] = (times[identifier] ?? 0) + 1;
        return;
      }
      callOf[identifier] = call;
      times[identifier] = 1;
      met.push(identifier);
    });
    const touched: number[] = [];
    let total = 0;
    const { firstTerm, termsOf, terms } = table;
    for (let index = 0; index < met.length; index += 1) {
      const identifier = met[index] ?? 0;
      const found = times[identifier] ?? 0;
      const end = firstTerm[identifier + 1] ?? 0;
      for (let at = firstTerm[identifier] ?? 0; at < end; at += 1) {
        total += found;
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
        counts[entry] = before + found;
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
