/** Reads documentation and comments from the curated index. */
import type { Db, Flagged } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import type { CommentRow, DocstringRow, ProseQueries } from "../knowledge-base.ts";

export const proseQueries = (db: Db): ProseQueries => ({
  docstringsIn: (fileIds) =>
    db.all<DocstringRow>(
      `select d.file_id as fileId, d.symbol_id as symbolId, d.content from docstrings d
       join files f on f.id = d.file_id where d.file_id ${IN_LIST} order by f.path, d.rowid`,
      list(fileIds),
    ),
  commentsIn: (fileIds) => comments(db, `c.file_id ${IN_LIST}`, fileIds),
  rationalesIn: (fileIds) => comments(db, `c.file_id ${IN_LIST} and c.is_rationale = 1`, fileIds),
});

const comments = (db: Db, condition: string, fileIds: readonly number[]): readonly CommentRow[] =>
  db
    .all<Flagged<CommentRow, "isRationale">>(
      `select c.file_id as fileId, c.symbol_id as symbolId, c.line, c.content, c.kind, c.is_rationale as isRationale
         from comments c join files f on f.id = c.file_id where ${condition} order by f.path, c.rowid`,
      list(fileIds),
    )
    .map((row) => ({ ...row, isRationale: row.isRationale === 1 }));
