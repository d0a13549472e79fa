/** Writes the symbols, documentation and comments of a file in the curated index. */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { inOrder } from "../../text/order.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText, type TermCache } from "../sqlite/full-text.ts";

/** The stored symbols that links refer to. */
export type LinkableSymbols = {
  /** The symbol ids of every file, in the order of its facts. */
  symbolIds(): ReadonlyMap<number, readonly number[]>;
  symbolIdsOf(fileId: number): readonly number[];
  /** The sorted paths of files that define a name as a method, as a function or at the top level. */
  filesDefining(name: string): readonly string[];
  /** The sorted paths of files that define a name with an owner that does not enclose it. */
  filesDefiningOutside(name: string): readonly string[];
};

export const linkableSymbols = (db: Db): LinkableSymbols => ({
  symbolIds: () => symbolIds(db),
  symbolIdsOf: (fileId) => symbolIdsOf(db, fileId),
  filesDefining: (name) =>
    pathsOf(
      db,
      `select file_id from symbols
       where name = ?1 and (kind in ('method', 'function') or parent_id is null)`,
      name,
    ),
  filesDefiningOutside: (name) =>
    pathsOf(
      db,
      `select s.file_id from symbols s left join symbols p on p.id = s.parent_id
       where s.name = ?1 and s.qualified_name <> coalesce(p.qualified_name || '.', '') || s.name`,
      name,
    ),
});

/** Inserts the symbols of a file that has none. Returns their ids, in the order of the facts. */
export function putSymbols(db: Db, terms: TermCache, fileId: number, { symbols }: FileFacts): readonly number[] {
  const first = db.get<{ id: number }>("select coalesce(max(id), 0) + 1 as id from symbols")?.id ?? 1;
  const idOf = (index: number): number => first + index;
  db.runAll(
    `insert into symbols(id, file_id, name, qualified_name, kind, start_line, end_line, doc_line, name_line, signature,
       signature_tokens, body_tokens, parent_id, exported) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)`,
    symbols.map((symbol, index) => [
      idOf(index),
      fileId,
      symbol.name,
      symbol.qualifiedName,
      symbol.kind,
      symbol.startLine,
      symbol.endLine,
      symbol.docLine,
      symbol.nameLine,
      symbol.signature,
      symbol.signatureTokens,
      symbol.bodyTokens,
      symbol.parent === null ? null : idOf(symbol.parent),
      symbol.exported ? 1 : 0,
    ]),
  );
  const ids = symbols.map((_, index) => idOf(index));
  putSearchRows(db, terms, symbols, ids);
  return ids;
}

/**
 * Updates the lines of a file's symbols, which are the same as before in the same order, so that ids and references stay.
 * Returns the ids, or null when the number of symbols differs.
 */
export function moveSymbols(
  db: Db,
  terms: TermCache,
  fileId: number,
  { symbols }: FileFacts,
): readonly number[] | null {
  const ids = symbolIdsOf(db, fileId);
  if (ids.length !== symbols.length) return null;
  db.runAll(
    "update symbols set start_line = ?2, end_line = ?3, doc_line = ?4, name_line = ?5, body_tokens = ?6 where id = ?1",
    symbols.map(({ startLine, endLine, docLine, nameLine, bodyTokens }, index) => [
      ids[index] ?? 0,
      startLine,
      endLine,
      docLine,
      nameLine,
      bodyTokens,
    ]),
  );
  db.run("delete from symbol_search where rowid in (select id from symbols where file_id = ?1)", fileId);
  putSearchRows(db, terms, symbols, ids);
  return ids;
}

function putSearchRows(db: Db, terms: TermCache, symbols: FileFacts["symbols"], ids: readonly number[]): void {
  db.runAll(
    "insert into symbol_search(rowid, name, signature, doc) values (?1, ?2, ?3, ?4)",
    symbols.map(({ qualifiedName, signature, doc }, index) => [
      ids[index] ?? 0,
      indexedText(qualifiedName, terms),
      indexedText(signature, terms),
      indexedText(firstLine(doc?.content ?? ""), terms),
    ]),
  );
}

/** Inserts the documentation and comments of a file that has none. `ids` are its symbol ids. */
export function putProse(db: Db, fileId: number, facts: FileFacts, ids: readonly number[]): void {
  const idAt = (index: number | null): number | null => (index === null ? null : (ids[index] ?? null));
  const docs = facts.symbols.flatMap(({ doc }, index) => (doc ? [{ symbol: idAt(index), ...doc }] : []));
  const all = facts.doc ? [{ symbol: null, ...facts.doc }, ...docs] : docs;
  db.runAll(
    "insert into docstrings(file_id, symbol_id, content, format) values (?1, ?2, ?3, ?4)",
    all.map(({ symbol, content, format }) => [fileId, symbol, content, format]),
  );
  db.runAll(
    "insert into comments(file_id, symbol_id, line, content, kind, is_rationale) values (?1, ?2, ?3, ?4, ?5, ?6)",
    facts.comments.map(({ symbol, line, content, kind, isRationale }) => [
      fileId,
      idAt(symbol),
      line,
      content,
      kind,
      isRationale ? 1 : 0,
    ]),
  );
}

const symbolIdsOf = (db: Db, fileId: number): readonly number[] =>
  db.all<{ id: number }>("select id from symbols where file_id = ?1 order by id", fileId).map(({ id }) => id);

const pathsOf = (db: Db, fileIds: string, name: string): readonly string[] =>
  db
    .all<{ path: string }>(`select path from files where id in (${fileIds})`, name)
    .map(({ path }) => path)
    .sort(inOrder);

function symbolIds(db: Db): ReadonlyMap<number, readonly number[]> {
  const byFile = new Map<number, number[]>();
  for (const { id, fileId } of db.each<{ id: number; fileId: number }>(
    "select id, file_id as fileId from symbols order by id",
  )) {
    const ids = byFile.get(fileId);
    if (ids) ids.push(id);
    else byFile.set(fileId, [id]);
  }
  return byFile;
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";
