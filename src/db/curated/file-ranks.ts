/**
 * Finds files by the words in their path and text, and ranks them by BM25.
 *
 * The full-text table says which files have a term. How often is counted in their term statistics, where a term is a hash; what these leave
 * out, such as numbers, counts once.
 */
import {
  exactHash,
  FIELD,
  lookUp,
  packedCount,
  packedField,
  readPostingStarts,
  readTermStats,
  type TermStats,
  termTable,
} from "../../text/terms/term-stats.ts";
import { nextVarint, type VarintReader } from "../../text/terms/varints.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText, matchExpression, type QueryTerm, termExpression, termsOfQuery } from "../sqlite/full-text.ts";

/** A higher score is better. */
export type RankedFile = { readonly id: number; readonly path: string; readonly score: number };

/** The parameters of BM25 that SQLite's full-text search has, too. */
const K1 = 1.2;
const B = 0.75;
/** A term in a path counts as often. */
const PATH_WEIGHT = 4;
/** A term that more than half of the files have is worth hardly anything. */
const IDF_MIN = 1e-6;
/** A prefix stands for so many terms at most when they are counted. */
const EXPANDED_MAX = 10_000;

type CandidateRow = { readonly id: number; readonly path: string; readonly length: number; readonly stats: Uint8Array };

/** The files with all, or any, of the words, in no order. The last word may be unfinished. */
export function filesMatching(db: Db, words: readonly string[], want: "all" | "any"): readonly RankedFile[] {
  const match = matchExpression(words, want, "begins", false);
  const all = db.get<{ files: number; terms: number | null }>(
    "select count(*) as files, avg(term_count) as terms from files where term_count > 0",
  );
  if (match === null || all === null || all.files === 0) return [];
  const terms = termsOfQuery(words);
  const found = terms.map((term) => filesWith(db, term));
  const idf = found.map(({ size }) => Math.max(IDF_MIN, Math.log((all.files - size + 0.5) / (size + 0.5))));
  const countIn = counter(terms.map((term) => spellings(db, term)));
  const ranked: RankedFile[] = [];
  for (const { id, path, length, stats } of db.each<CandidateRow>(CANDIDATES, match)) {
    const counts = countIn(stats);
    const inPath = indexedText(path).split(" ");
    const norm = 1 - B + (B * length) / (all.terms ?? 1);
    const score = terms.reduce((sum, term, at) => {
      if (found[at]?.has(id) !== true) return sum;
      const ofPath = inPath.filter((word) => (term.begins ? word.startsWith(term.term) : word === term.term)).length;
      const count = Math.max(1, PATH_WEIGHT * ofPath + (counts[at] ?? 0));
      return sum + ((idf[at] ?? 0) * count * (K1 + 1)) / (count + K1 * norm);
    }, 0);
    ranked.push({ id, path, score });
  }
  return ranked;
}

const CANDIDATES = `select f.id, f.path, f.term_count as length, t.stats
  from file_search s join files f on f.id = s.rowid join file_terms t on t.file_id = f.id where s.file_search match ?1`;

const filesWith = (db: Db, term: QueryTerm): ReadonlySet<number> =>
  new Set(
    db
      .all<{ id: number }>("select rowid as id from file_search where file_search match ?1", termExpression(term))
      .map(({ id }) => id),
  );

/** The terms of the table that a term of a query stands for. */
function spellings(db: Db, { term, begins }: QueryTerm): readonly string[] {
  if (!begins) return [term];
  // The view of the table's terms is temporary, so nothing is written.
  db.script("create virtual table if not exists temp.file_search_terms using fts5vocab('main', 'file_search', 'row')");
  return db
    .all<{ term: string }>(
      `select term from temp.file_search_terms where term >= ?1 and term < ?1 || ?2 limit ${EXPANDED_MAX}`,
      term,
      LAST_CHARACTER,
    )
    .map(({ term }) => term);
}

const LAST_CHARACTER = "\u{10ffff}";

/** Counts in the statistics of one file after another, for each list of terms, how often its terms occur in code and comments. */
function counter(lists: readonly (readonly string[])[]): (blob: Uint8Array) => readonly number[] {
  const listsOfTerm = new Map<string, number[]>();
  for (const [at, list] of lists.entries())
    for (const term of list) listsOfTerm.getOrInsertComputed(term, () => []).push(at);
  const table = termTable([...listsOfTerm.keys()]);
  const listsOf = [...listsOfTerm.values()];
  return (blob) => {
    const counts = lists.map(() => 0);
    const stats = readTermStats(blob);
    if (stats === null) return counts;
    let starts: Int32Array | null = null;
    for (let entry = 0; entry < stats.termCount; entry += 1) {
      const term = lookUp(table, exactHash(stats, entry));
      if (term < 0) continue;
      starts ??= postingStarts(stats);
      const count = countAt(stats, starts, entry);
      for (const list of listsOf[term] ?? []) counts[list] = (counts[list] ?? 0) + count;
    }
    return counts;
  };
}

function postingStarts(stats: TermStats): Int32Array {
  const starts = new Int32Array(stats.termCount + 1);
  readPostingStarts(stats, starts);
  return starts;
}

function countAt({ bytes }: TermStats, starts: Int32Array, entry: number): number {
  const reader: VarintReader = { bytes, at: starts[entry] ?? 0 };
  let count = 0;
  for (const end = starts[entry + 1] ?? 0; reader.at < end; ) {
    const head = nextVarint(reader);
    const times = packedCount(head, reader);
    // Names and signatures stand in the code, too.
    if (packedField(head) <= FIELD.comment) count += times;
  }
  return count;
}
