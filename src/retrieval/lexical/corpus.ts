/**
 * Finds the task's terms in the term statistics of every file.
 *
 * Every blob is read: that costs less than the postings that an index on disk would add to each change. Files are numbered by their position
 * in the given list, never by id, and the order in which the knowledge base returns blobs does not matter.
 */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { longer } from "../../text/terms/columns.ts";
import { lookUp } from "../../text/terms/term-stats.ts";
import { type CorpusFiles, openedStats, searchStems } from "./corpus-files.ts";
import { type Hits, hitCollector, roomForHits } from "./hits.ts";
import { keptAhead } from "./kept-ahead.ts";
import { keepBytes } from "./kept-bytes.ts";
import { pathTerms } from "./path-terms.ts";
import { storedPathTerms } from "./stored-path-terms.ts";
import { type LexicalQuery, termTables } from "./weighted-terms.ts";

/** Where the postings of each entry are in the source of its file; entries are numbered as they are found. */
export type Postings = { readonly from: Int32Array; readonly to: Int32Array; readonly count: number };

export type Corpus = {
  /** By file. */
  readonly stats: CorpusFiles;
  readonly postings: Postings;
  readonly exact: Hits;
  readonly stems: Hits;
};

/** What was found for a query whose terms will be looked up again. */
const KEPT = keptAhead<string, Corpus>((a, b) => a === b);
const termsOf = ({ exact, stems }: LexicalQuery): string => JSON.stringify([exact.terms, stems.terms]);

/** Finds the terms, or takes what was kept of them. Throws `index-damaged` if statistics cannot be read. */
export const findTerms = (kb: Pick<FileQueries, "termStats">, files: readonly FileRow[], query: LexicalQuery): Corpus =>
  KEPT.take(files, termsOf(query)) ?? searchTerms(kb, files, query);

/** Keeps what `findTerms` has found until it is asked for the same terms of the same files. */
export const keepTerms = (files: readonly FileRow[], query: LexicalQuery, found: Corpus): void =>
  KEPT.keep(files, termsOf(query), found);

function searchTerms(kb: Pick<FileQueries, "termStats">, files: readonly FileRow[], query: LexicalQuery): Corpus {
  const stats = kb.termStats();
  const opened = openedStats(stats, files);
  const tables = termTables(query);
  const paths = stats.paths === undefined ? pathTerms(query, files) : storedPathTerms(query, files, stats.paths);
  const exact = hitCollector(query.exact.terms.length, paths.exact);
  const stems = hitCollector(query.stems.terms.length, paths.stems);
  const postings = postingCollector(files.length);
  searchStems(
    opened,
    tables.stems,
    (stemTerm, hash, place, from, to) => {
      const entry = postings.add(from, to);
      stems.add(stemTerm, place, entry);
      const exactTerm = lookUp(tables.exact, hash);
      if (exactTerm >= 0) exact.add(exactTerm, place, entry);
    },
    (positions, block) => {
      exact.endBlock(positions);
      stems.endBlock(positions);
      if (block !== null && opened.passes) keepBytes(opened.files, block, postings.newest());
    },
  );
  return { stats: opened.files, postings: postings.all(), exact: exact.hits(), stems: stems.hits() };
}

/** Collects the postings of entries. */
function postingCollector(files: number) {
  let from = new Int32Array(roomForHits(files));
  let to = new Int32Array(from.length);
  let count = 0;
  let counted = 0;
  return {
    /** The columns, and the entries that were added since this was asked. */
    newest() {
      const since = counted;
      counted = count;
      return { from, to, first: since, end: count };
    },
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
