/**
 * The questions that recall asks of the index: definitions and commits by words or by id, and the texts to embed.
 *
 * Word searches rank by BM25 in one statement; a word in a name counts four times. Ties end on path and line, or on time and
 * hash, so the order is total. Parts of outlines are left out.
 */
import { z } from "zod";
import { Failed } from "../../../failure.ts";
import { commitText, definitionText, textKey } from "../../../text/embedded-text.ts";
import type { Db, Flagged } from "../../sqlite/db.ts";
import { matchExpression, queryWords } from "../../sqlite/full-text.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import type { FoundCommitRow, FoundDefinition, IndexTexts, RecallQueries, TextKey } from "../knowledge-base.ts";
import { OUTLINED } from "../schema.ts";

export const recallQueries = (db: Db): RecallQueries => ({
  findDefinitions: (query, limit) => findDefinitions(db, query, limit),
  findCommits: (query, limit) => findCommits(db, query, limit),
  definitionsById: (ids) => definitionsById(db, ids),
  commitsById: (ids) => commitsById(db, ids),
  textKeys: (of) => textKeys(db, of),
  tellingFirst: (of) => tellingFirst(db, of),
});

type DefinitionRow = Flagged<FoundDefinition, "isTest">;

const DEFINITION_COLUMNS = `s.id, f.path, f.language, f.is_test as isTest, s.kind, s.name, s.qualified_name as qualifiedName,
  s.start_line as startLine, s.end_line as endLine, s.signature,
  (select d.content from docstrings d where d.symbol_id = s.id order by d.rowid limit 1) as docstring`;

/** At most `limit` definitions. */
function findDefinitions(db: Db, query: string, limit: number): readonly FoundDefinition[] {
  const match = matchExpression(queryWords(query), "any", "inflected");
  if (match === null || limit < 1) return [];
  return db
    .all<DefinitionRow>(
      `select ${DEFINITION_COLUMNS}, m.rank
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

/** The definitions with these ids, by path and line; their rank is 0. */
const definitionsById = (db: Db, ids: readonly number[]): readonly FoundDefinition[] =>
  db
    .all<DefinitionRow>(
      `select ${DEFINITION_COLUMNS}, 0 as rank from symbols s join files f on f.id = s.file_id
       where s.id ${IN_LIST} and not ${OUTLINED}
       order by f.path, s.start_line, s.qualified_name`,
      list(ids),
    )
    .map(asFound);

const asFound = (row: DefinitionRow): FoundDefinition => ({ ...row, isTest: row.isTest === 1 });

/** Only the first paths of a commit that touched more. */
const PATHS_MAX = 100;

const Paths = z.array(z.string());

type CommitRow = Omit<FoundCommitRow, "paths"> & { readonly paths: string };

const COMMIT_COLUMNS = `c.id, c.hash, c.author, c.message, c.timestamp, c.insertions, c.deletions,
  (select json_group_array(path) from
    (select f.path from file_commits t join files f on f.id = t.file_id where t.commit_id = c.id
     order by f.path limit ${PATHS_MAX})) as paths`;

/** At most `limit` commits. */
function findCommits(db: Db, query: string, limit: number): readonly FoundCommitRow[] {
  const match = matchExpression(queryWords(query), "any", "whole");
  if (match === null || limit < 1) return [];
  const rows = db.all<CommitRow>(
    `select ${COMMIT_COLUMNS}, m.rank
     from (select rowid, round(-bm25(commit_search), 6) as rank from commit_search where commit_search match ?1) m
       join commits c on c.id = m.rowid
     order by m.rank desc, c.timestamp desc, c.hash limit ?2`,
    match,
    limit,
  );
  return withPaths(db, rows);
}

/** The commits with these ids, newest first; their rank is 0. */
const commitsById = (db: Db, ids: readonly number[]): readonly FoundCommitRow[] =>
  withPaths(
    db,
    db.all<CommitRow>(
      `select ${COMMIT_COLUMNS}, 0 as rank from commits c where c.id ${IN_LIST}
       order by c.timestamp desc, c.hash`,
      list(ids),
    ),
  );

function withPaths(db: Db, rows: readonly CommitRow[]): readonly FoundCommitRow[] {
  try {
    return rows.map((row) => ({ ...row, paths: Paths.parse(JSON.parse(row.paths)) }));
  } catch (error) {
    throw new Failed({ code: "index-damaged", path: db.path, why: "its commits are unreadable" }, { cause: error });
  }
}

/** Rows read at a time: faster than one by one, in little memory. */
const ROWS_AT_ONCE = 5_000;

/** The keys of all texts of a kind, by id. */
function textKeys(db: Db, of: IndexTexts): readonly TextKey[] {
  const keys: TextKey[] = [];
  for (let after = -1; ; ) {
    const rows = of === "definitions" ? definitionsAfter(db, after) : commitsAfter(db, after);
    keys.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return keys;
    after = last.id;
  }
}

type DefinitionTextRow = { id: number } & Parameters<typeof definitionText>[0];

const definitionsAfter = (db: Db, after: number): readonly TextKey[] =>
  db
    .all<DefinitionTextRow>(
      `select s.id, f.path, s.kind, s.qualified_name as qualifiedName, s.signature,
         (select d.content from docstrings d where d.symbol_id = s.id order by d.rowid limit 1) as docstring
       from symbols s join files f on f.id = s.file_id
       where s.id > ? and not ${OUTLINED} order by s.id limit ${ROWS_AT_ONCE}`,
      after,
    )
    .map((row) => ({ id: row.id, key: textKey(definitionText(row)) }));

const commitsAfter = (db: Db, after: number): readonly TextKey[] =>
  db
    .all<{ id: number; message: string }>(
      `select id, message from commits where id > ? order by id limit ${ROWS_AT_ONCE}`,
      after,
    )
    .map(({ id, message }) => ({ id, key: textKey(commitText(message)) }));

/** All ids in the order in which texts are worth embedding: most used definitions first and tests last; newest commits first. */
function tellingFirst(db: Db, of: IndexTexts): readonly number[] {
  const sql =
    of === "commits"
      ? "select id from commits order by timestamp desc, hash"
      : `select s.id from symbols s join files f on f.id = s.file_id
           left join (select callee_id, count(*) as uses from symbol_references group by callee_id) r on r.callee_id = s.id
         where not ${OUTLINED} order by f.is_test, coalesce(r.uses, 0) desc, f.path, s.id`;
  return db.all<{ id: number }>(sql).map(({ id }) => id);
}
