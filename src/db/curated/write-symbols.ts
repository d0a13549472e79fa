/** Writes the symbols, documentation and comments of a file in the curated index. */
import type { ImportFamily } from "../../languages/language.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../../languages/languages.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { inOrder } from "../../text/order.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText, type TermCache } from "../sqlite/full-text.ts";
import { list } from "../sqlite/in-list.ts";

/** The stored files and symbols that links refer to. Paths are in order. */
export type LinkableSymbols = {
  /** The symbol ids of a file, in the order of its facts. */
  symbolIdsOf(fileId: number): readonly number[];
  /** The files of a family, except tests, that may define a name as a member, or for `globals` at the top level of a script or as a macro. */
  filesDefining(sort: "methods" | "globals", name: string, family: ImportFamily): readonly string[];
  /** The files of a family that define a name with an owner that does not enclose it. */
  filesDefiningOutside(name: string, family: ImportFamily): readonly string[];
  /** The names that files of a family define so; most languages have none. */
  namesDefinedOutside(family: ImportFamily): readonly string[];
  /** The files whose texts have all of the terms (`text/terms/search-terms.ts`). */
  filesMentioning(terms: readonly string[]): readonly string[];
  importersOf(path: string): readonly string[];
};

export const linkableSymbols = (db: Db): LinkableSymbols => ({
  symbolIdsOf: (fileId) => symbolIdsOf(db, fileId),
  filesDefining: (sort, name, family) =>
    pathsOf(db, sort === "methods" ? DEFINING_METHOD : DEFINING_GLOBAL, name, family),
  filesDefiningOutside: (name, family) => pathsOf(db, `s.name = ?1 and ${IS_OUTSIDE}`, name, family),
  namesDefinedOutside: (family) =>
    db
      .all<{ name: string }>(
        `select distinct s.name from files f join symbols s on s.file_id = f.id
         where f.language in (select value from json_each(?1)) and ${IS_OUTSIDE}`,
        languagesOf(family),
      )
      .map(({ name }) => name),
  filesMentioning: (terms) =>
    db
      .all<{ path: string }>(
        "select f.path from file_search s cross join files f on f.id = s.rowid where s.file_search match ?1",
        terms.map((term) => `"${term}"`).join(" AND "),
      )
      .map(({ path }) => path)
      .sort(inOrder),
  importersOf: (path) =>
    db
      .all<{ path: string }>(
        `select f.path from files t join dependencies d on d.target_file_id = t.id join files f on f.id = d.source_file_id
         where t.path = ?1`,
        path,
      )
      .map((row) => row.path)
      .sort(inOrder),
});

const DEFINING_METHOD =
  "s.name = ?1 and not f.is_test and (s.kind = 'method' or (s.kind = 'function' and s.qualified_name <> s.name))";

const DEFINING_GLOBAL = `s.name = ?1 and not f.is_test and (s.signature like 'macro_rules!%' or (s.parent_id is null
  and not exists (select 1 from symbols e where e.file_id = s.file_id and e.exported)))`;

const IS_OUTSIDE = `s.qualified_name <>
  coalesce((select p.qualified_name || '.' from symbols p where p.id = s.parent_id), '') || s.name`;

/**
 * Replaces the symbols of a file. Returns their ids, in the order of the facts. References from other files stay with the symbol of the
 * same kind, qualified name and number.
 */
export function replaceSymbols(db: Db, terms: TermCache, fileId: number, facts: FileFacts): readonly number[] {
  const first = db.get<{ id: number }>("select coalesce(max(id), 0) + 1 as id from symbols")?.id ?? 1;
  const isNew = db.get("select 1 from symbols where file_id = ?1 limit 1", fileId) === null;
  const ids = putSymbols(db, terms, fileId, facts, first);
  if (isNew) return ids;
  db.run(
    `insert into symbol_references(caller_id, callee_id, kind, confidence)
     with numbered as (
       select id, qualified_name, kind, id >= ?2 as is_new,
         row_number() over (partition by id >= ?2, qualified_name, kind order by id) as number
       from symbols where file_id = ?1
     )
     select r.caller_id, n.id, r.kind, r.confidence
     from numbered o
     join numbered n on n.is_new and n.qualified_name = o.qualified_name and n.kind = o.kind and n.number = o.number
     join symbol_references r on r.callee_id = o.id
     join symbols c on c.id = r.caller_id
     where not o.is_new and c.file_id <> ?1`,
    fileId,
    first,
  );
  db.run(
    "delete from symbol_search where rowid in (select id from symbols where file_id = ?1 and id < ?2)",
    fileId,
    first,
  );
  db.run("delete from symbols where file_id = ?1 and id < ?2", fileId, first);
  return ids;
}

function putSymbols(
  db: Db,
  terms: TermCache,
  fileId: number,
  { symbols }: FileFacts,
  first: number,
): readonly number[] {
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

function pathsOf(db: Db, condition: string, name: string, family: ImportFamily): readonly string[] {
  const rows = db.all<{ path: string }>(
    `select distinct f.path from symbols s cross join files f on f.id = s.file_id
     where ${condition} and f.language in (select value from json_each(?2))`,
    name,
    languagesOf(family),
  );
  return rows.map(({ path }) => path).sort(inOrder);
}

/** The languages of each family, as JSON. */
const LANGUAGES_BY_FAMILY = Map.groupBy(LANGUAGE_NAMES, (name) => LANGUAGES.get(name)?.imports);
const languagesOf = (family: ImportFamily): string => list(LANGUAGES_BY_FAMILY.get(family) ?? []);

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";
