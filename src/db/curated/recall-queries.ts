/**
 * Finds definitions that hold any word of a query, for who has a question and no name.
 *
 * One statement, best match first (BM25, a word in the name counts four times); ties end on path and line, so the order
 * is total. Parts of outlines are left out. Not here: search by names (`search.ts`), how relevant that makes a hit.
 */

import type { Db } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import type { FoundDefinition } from "./knowledge-base.ts";
import { OUTLINED } from "./outline-condition.ts";

type Row = Omit<FoundDefinition, "isTest"> & { readonly isTest: 0 | 1 };

const COLUMNS = `s.id, f.path, f.language, f.is_test as isTest, s.kind, s.name, s.qualified_name as qualifiedName,
  s.start_line as startLine, s.end_line as endLine, s.signature,
  (select d.content from docstrings d where d.symbol_id = s.id order by d.rowid limit 1) as docstring`;

/** At most `limit` definitions. */
export function findDefinitions(db: Db, query: string, limit: number): readonly FoundDefinition[] {
  const match = matchExpression(queryWords(query), "any", "whole");
  if (match === null || limit < 1) return [];
  return db
    .all<Row>(
      `select ${COLUMNS}, m.rank
       from (select rowid, round(-bm25(symbol_search, 4.0, 1.0, 1.0), 6) as rank from symbol_search
             where symbol_search match ?1) m
         join symbols s on s.id = m.rowid join files f on f.id = s.file_id
       where not ${OUTLINED}
       order by m.rank desc, f.path, s.start_line, s.qualified_name limit ?2`,
      match,
      limit,
    )
    .map(asFound);
}

/** Those of these ids that are definitions, by path and line; rank 0. */
export const definitionsById = (db: Db, ids: readonly number[]): readonly FoundDefinition[] =>
  db
    .all<Row>(
      `select ${COLUMNS}, 0 as rank from symbols s join files f on f.id = s.file_id
       where s.id in (select value from json_each(?1)) and not ${OUTLINED}
       order by f.path, s.start_line, s.qualified_name`,
      JSON.stringify(ids),
    )
    .map(asFound);

const asFound = (row: Row): FoundDefinition => ({ ...row, isTest: row.isTest === 1 });
