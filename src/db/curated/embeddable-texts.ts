/**
 * The texts of an index that may have vectors, by their keys, and which of them are worth having one first.
 *
 * Texts themselves stay here: whoever wants one asks for the definition or the commit. Not here: what the text of one is
 * (`text/embedded-text.ts`), vectors (`vector-cache.ts`).
 */
import { commitText, definitionText, textKey } from "../../text/embedded-text.ts";
import type { Db } from "../sqlite/db.ts";
import type { IndexTexts, TextKey } from "./knowledge-base.ts";
import { OUTLINED } from "./outline-condition.ts";

/** So many are read at once: quicker than one after the other, and not much room. */
const ROWS_AT_ONCE = 5_000;

/** All of a kind, by id. */
export function textKeys(db: Db, of: IndexTexts): readonly TextKey[] {
  const keys: TextKey[] = [];
  for (let after = -1; ; ) {
    const rows = of === "definitions" ? definitionsAfter(db, after) : commitsAfter(db, after);
    keys.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return keys;
    after = last.id;
  }
}

type DefinitionTold = { id: number } & Parameters<typeof definitionText>[0];

const definitionsAfter = (db: Db, after: number): readonly TextKey[] =>
  db
    .all<DefinitionTold>(
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

/** The ids of all of a kind: of definitions what most others use first and tests last, of commits the newest first. */
export function tellingFirst(db: Db, of: IndexTexts): readonly number[] {
  const sql =
    of === "commits"
      ? "select id from commits order by timestamp desc, hash"
      : `select s.id from symbols s join files f on f.id = s.file_id
           left join (select callee_id, count(*) as uses from symbol_references group by callee_id) r on r.callee_id = s.id
         where not ${OUTLINED} order by f.is_test, coalesce(r.uses, 0) desc, f.path, s.id`;
  return db.all<{ id: number }>(sql).map(({ id }) => id);
}
