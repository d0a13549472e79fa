/**
 * Finds files by the words in their path and text, and ranks them by BM25.
 *
 * The full-text table says which files have a term. How often is counted in their term statistics, where a term is a hash; what these leave
 * out, such as numbers, counts once.
 */

import { readStatsBlock, stemsIn, visitStem } from "../../../text/terms/stats-block.ts";
import { stem } from "../../../text/terms/stem.ts";
import { FIELD, lookUp, packedCount, packedField, termTable } from "../../../text/terms/term-stats.ts";
import { nextVarint, type VarintReader } from "../../../text/terms/varints.ts";
import type { Db } from "../../sqlite/db.ts";
import { indexedText, matchExpression, type QueryTerm, termExpression, termsOfQuery } from "../../sqlite/full-text.ts";
import { blockOf, eachTermBlock } from "../term-blocks.ts";

/** A higher score is better. */
export type RankedFile = { readonly id: number; readonly path: string; readonly score: number };

/** The parameters of BM25 that SQLite's full-text search has, too. */
const K1 = 1.2;
const B = 0.75;
/** A term in a path counts as often. */
const PATH_WEIGHT = 4;
/** A term that more than half of the files have is worth hardly anything. */
const IDF_MIN = 1e-6;
/** The most terms that a prefix stands for when they are counted. */
const EXPANDED_MAX = 10_000;

type CandidateRow = { readonly id: number; readonly path: string; readonly length: number };

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
  const candidates = db.all<CandidateRow>(CANDIDATES, match);
  const countsOf = countsByFile(
    db,
    candidates.map(({ id }) => id),
    terms.map((term) => spellings(db, term)),
  );
  return candidates.map(({ id, path, length }) => {
    const counts = countsOf.get(id) ?? [];
    const inPath = indexedText(path).split(" ");
    const norm = 1 - B + (B * length) / (all.terms ?? 1);
    const score = terms.reduce((sum, term, at) => {
      if (found[at]?.has(id) !== true) return sum;
      const ofPath = inPath.filter((word) => (term.begins ? word.startsWith(term.term) : word === term.term)).length;
      const count = Math.max(1, PATH_WEIGHT * ofPath + (counts[at] ?? 0));
      return sum + ((idf[at] ?? 0) * count * (K1 + 1)) / (count + K1 * norm);
    }, 0);
    return { id, path, score };
  });
}

const CANDIDATES = `select f.id, f.path, f.term_count as length
  from file_search s join files f on f.id = s.rowid where s.file_search match ?1`;

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

/** How often the terms of each list occur in the code and comments of each file, by the id of the file. */
function countsByFile(
  db: Db,
  fileIds: readonly number[],
  lists: readonly (readonly string[])[],
): ReadonlyMap<number, readonly number[]> {
  const listsOfTerm = new Map<string, number[]>();
  for (const [at, list] of lists.entries())
    for (const term of list) listsOfTerm.getOrInsertComputed(term, () => []).push(at);
  const table = termTable([...listsOfTerm.keys()]);
  const stems = termTable([...listsOfTerm.keys()].map(stem));
  const listsOf = [...listsOfTerm.values()];
  const counts = new Map(fileIds.map((id) => [id, lists.map(() => 0)]));
  for (const { firstId, stats } of eachTermBlock(db, [...new Set(fileIds.map(blockOf))])) {
    const block = readStatsBlock(stats);
    if (block === null) continue;
    let end = block.listsAt;
    for (const { own } of stemsIn(block, stems)) {
      end = visitStem(block, own, end, (exact, place, from, to) => {
        const term = lookUp(table, exact);
        const ofFile = term < 0 ? undefined : counts.get(firstId + place);
        if (ofFile === undefined) return;
        const count = countAt(block.bytes, from, to);
        for (const list of listsOf[term] ?? []) ofFile[list] = (ofFile[list] ?? 0) + count;
      });
      if (end < 0) break;
    }
  }
  return counts;
}

function countAt(bytes: Uint8Array, from: number, to: number): number {
  const reader: VarintReader = { bytes, at: from };
  let count = 0;
  while (reader.at < to) {
    const head = nextVarint(reader);
    const times = packedCount(head, reader);
    // Names and signatures stand in the code, too.
    if (packedField(head) <= FIELD.comment) count += times;
  }
  return count;
}
