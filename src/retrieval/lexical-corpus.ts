/**
 * Finds the task's terms in the term statistics of every file, in one pass.
 *
 * Every blob is read: a scan of all of them costs less than the pages that an index of postings would add to each
 * change, and what a common word is worth hangs on all files that hold it. Files are numbered by their place in the
 * list they are given in, never by id, and nothing here depends on the order in which the knowledge base hands out
 * blobs.
 */
import type { FileRow, KnowledgeBase } from "../db/curated.ts";
import { Failed } from "../failure.ts";
import { lookUp, readTermStats, type TermStats, type TermTable, termTable } from "../text/term-stats.ts";
import { type InPath, type PathTerms, pathReader } from "./lexical-paths.ts";
import type { LexicalQuery } from "./lexical-query.ts";

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
  const exact = spaceOf(query.exact.terms);
  const stems = spaceOf(query.stems.terms);
  const inPath = pathReader(query);
  for (let place = 0; place < files.length; place += 1) {
    const file = stats[place] ?? null;
    const path = inPath(files[place]?.path ?? "");
    look(exact, file, file?.exactAt ?? 0, path.exact, place);
    look(stems, file, file?.stemAt ?? 0, path.stems, place);
  }
  return { stats, exact: exact.holders, stems: stems.holders };
}

function unreadable(path: string): never {
  throw new Failed({ code: "index-damaged", path, why: "its term statistics cannot be read" });
}

/** The terms that are looked for in one space. */
type Space = { readonly table: TermTable; readonly holders: readonly Holders[] };

const spaceOf = (terms: readonly string[]): Space => ({
  table: termTable(terms),
  holders: terms.map((): Holders => ({ places: [], entries: [], inPath: [] })),
});

function look(
  space: Space,
  file: TermStats | null,
  columnAt: number,
  inPath: PathTerms[keyof PathTerms],
  place: number,
): void {
  if (file !== null) matchColumn(space, file, columnAt, place);
  for (const counts of inPath) {
    const held = space.holders[counts.term];
    held?.places.push(place);
    held?.entries.push(-1);
    held?.inPath.push(counts);
  }
}

function matchColumn({ table, holders }: Space, { words, termCount }: TermStats, from: number, place: number): void {
  for (let entry = 0; entry < termCount; entry += 1) {
    const term = lookUp(table, words[from + entry] ?? 0);
    if (term < 0) continue;
    const held = holders[term];
    held?.places.push(place);
    held?.entries.push(entry);
  }
}
