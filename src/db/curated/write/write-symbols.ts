/** Writes the symbols, documentation and comments of a file in the curated index. */
import type { ImportFamily } from "../../../languages/language.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../../../languages/languages.ts";
import type { FileFacts, SymbolFact } from "../../../syntax/facts/facts.ts";
import { inOrder } from "../../../text/order.ts";
import { SYMBOL_KINDS } from "../../../text/terms/segments.ts";
import type { Db } from "../../sqlite/db.ts";
import { list } from "../../sqlite/in-list.ts";
import { type DefinitionIds, listedIds, spacedIds } from "../definition-ids.ts";
import type { SearchRows } from "../full-text/search-rows.ts";

/** The stored files and symbols that links refer to. Paths are in order. */
export type LinkableSymbols = {
  /** The symbol ids of a file, in the order of its facts. */
  symbolIdsOf(fileId: number): DefinitionIds;
  /** The files of a family, except tests, that may define a name as a member, or for `globals` at the top level of a script or as a macro. */
  filesDefining(sort: "methods" | "globals", name: string, family: ImportFamily): readonly string[];
  /** The definitions of a name in a family with an owner that does not enclose it: qualified names and files. */
  definedOutside(
    name: string,
    family: ImportFamily,
  ): readonly { readonly qualifiedName: string; readonly path: string }[];
  /** The names that files of a family define so; most languages have none. */
  namesDefinedOutside(family: ImportFamily): readonly string[];
  /** The names that files of a family define so, with the files. */
  outsideMembers(family: ImportFamily): readonly { readonly name: string; readonly path: string }[];
  /** The files whose texts have all of the terms (`text/terms/search-terms.ts`). */
  filesMentioning(terms: readonly string[]): readonly string[];
  importersOf(path: string): readonly string[];
  /** All imports, as pairs of importer and imported file. */
  imports(): readonly (readonly [importer: string, imported: string])[];
};

/** `beforeSearch` is called before a full-text table is asked. */
export const linkableSymbols = (db: Db, beforeSearch: () => void): LinkableSymbols => ({
  symbolIdsOf: (fileId) => symbolIdsOf(db, fileId),
  filesDefining: (sort, name, family) =>
    pathsOf(db, sort === "methods" ? DEFINING_METHOD : DEFINING_GLOBAL, name, family),
  definedOutside: (name, family) =>
    db.all(
      `select distinct s.qualified_name as qualifiedName, f.path from symbols s cross join files f on f.id = s.file_id
       where s.name = ?1 and ${IS_OUTSIDE} and f.language in (select value from json_each(?2))`,
      name,
      languagesOf(family),
    ),
  namesDefinedOutside: (family) =>
    db
      .all<{ name: string }>(
        `select distinct s.name from files f cross join symbols s on s.file_id = f.id
         where f.language in (select value from json_each(?1)) and ${IS_OUTSIDE}`,
        languagesOf(family),
      )
      .map(({ name }) => name),
  outsideMembers: (family) =>
    db.all(
      `select distinct s.name, f.path from files f cross join symbols s on s.file_id = f.id
       where f.language in (select value from json_each(?1)) and ${IS_OUTSIDE}`,
      languagesOf(family),
    ),
  filesMentioning(terms) {
    beforeSearch();
    return db
      .all<{ path: string }>(
        "select f.path from file_search s cross join files f on f.id = s.rowid where s.file_search match ?1",
        terms.map((term) => `"${term}"`).join(" AND "),
      )
      .map(({ path }) => path)
      .sort(inOrder);
  },
  importersOf: (path) =>
    db
      .all<{ path: string }>(
        `select f.path from files t join dependencies d on d.target_file_id = t.id join files f on f.id = d.source_file_id
         where t.path = ?1`,
        path,
      )
      .map((row) => row.path)
      .sort(inOrder),
  imports: () =>
    db
      .all<{ importer: string; imported: string }>(
        `select s.path as importer, t.path as imported from dependencies d
         join files s on s.id = d.source_file_id join files t on t.id = d.target_file_id`,
      )
      .map(({ importer, imported }) => [importer, imported]),
});

const DEFINING_METHOD =
  "s.name = ?1 and not f.is_test and (s.kind = 'method' or (s.kind = 'function' and s.qualified_name <> s.name))";

const DEFINING_GLOBAL = `s.name = ?1 and not f.is_test and (s.signature like 'macro_rules!%' or (s.parent_id is null
  and not exists (select 1 from symbols e where e.file_id = s.file_id and e.exported)))`;

const IS_OUTSIDE = `s.qualified_name <>
  coalesce((select p.qualified_name || '.' from symbols p where p.id = s.parent_id), '') || s.name`;

type StoredSymbol = {
  readonly id: number;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly signature: string;
  readonly doc: string | null;
};

/** `ids` are in the order of the facts. `areKept`: the file has the symbols that it had, under their ids. */
type PutSymbols = { readonly ids: readonly number[]; readonly areKept: boolean };

/**
 * Stores the symbols of a file, which may be new, in the place of those that it had, whose documentation is still there. Up to the first
 * with another kind or qualified name they keep their ids, so that what refers to them stays as it is. References from other files to the
 * rest go to the symbol of the same kind, qualified name and number.
 */
export function putSymbols(
  db: Db,
  search: SearchRows,
  { fileId, isNew }: { readonly fileId: number; readonly isNew: boolean },
  { symbols }: FileFacts,
): PutSymbols {
  const before = isNew ? [] : db.all<StoredSymbol>(STORED, fileId);
  const differing = symbols.findIndex(
    ({ kind, qualifiedName }, at) => before[at]?.kind !== kind || before[at]?.qualifiedName !== qualifiedName,
  );
  const kept = differing === -1 ? symbols.length : differing;
  const first = db.get<{ id: number }>("select coalesce(max(id), 0) + 1 as id from symbols")?.id ?? 1;
  const ids = symbols.map((_, at) => (at < kept ? (before[at]?.id ?? 0) : first + at - kept));
  const rows = symbols.map((symbol, at) => [
    ids[at] ?? 0,
    symbol.startLine,
    symbol.endLine,
    symbol.docLine,
    symbol.nameLine,
    symbol.signature,
    symbol.signatureTokens,
    symbol.bodyTokens,
    symbol.parent === null ? null : (ids[symbol.parent] ?? null),
    symbol.exported ? 1 : 0,
    ...(at < kept ? [] : [fileId, symbol.name, ...qualifiers(symbol), SYMBOL_KINDS.indexOf(symbol.kind)]),
  ]);
  db.runAll(UPDATE, rows.slice(0, kept));
  db.runAll(INSERT, rows.slice(kept));
  const rest = before.slice(kept);
  if (rest.length > 0) {
    const last = rest[0]?.id ?? 0;
    db.run(MOVE_REFERENCES, fileId, first, last);
    search.remove(rest.map(({ id }) => id));
    db.run("delete from symbols where file_id = ?1 and id between ?3 and ?2 - 1", fileId, first, last);
  }
  for (const [at, { qualifiedName, signature, doc }] of symbols.entries()) {
    const known = at < kept ? before[at] : undefined;
    const line = firstLine(doc?.content ?? "");
    if (known?.signature === signature && firstLine(known.doc ?? "") === line) continue;
    search.put(ids[at] ?? 0, [qualifiedName, signature, line], known === undefined);
  }
  return { ids, areKept: kept === symbols.length && rest.length === 0 };
}

const STORED = `select id, kind, qualified_name as qualifiedName, signature,
    (select content from docstrings d where d.symbol_id = s.id limit 1) as doc
  from symbols s where file_id = ?1 order by id`;

const UPDATE = `update symbols set start_line = ?2, end_line = ?3, doc_line = ?4, name_line = ?5, signature = ?6, signature_tokens = ?7,
  body_tokens = ?8, parent_id = ?9, exported = ?10 where id = ?1`;

const INSERT = `insert into symbols(id, start_line, end_line, doc_line, name_line, signature, signature_tokens, body_tokens, parent_id,
  exported, file_id, name, owner, other_name, kind_number)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)`;

/** The qualified name as it is stored: what comes before the name, or all of it if it ends otherwise. */
const qualifiers = ({ name, qualifiedName }: SymbolFact): readonly [owner: string, otherName: string | null] =>
  qualifiedName.endsWith(name)
    ? [qualifiedName.slice(0, qualifiedName.length - name.length), null]
    : ["", qualifiedName];

/** From the symbols between the third value and the second to those from the second on. */
const MOVE_REFERENCES = `insert into symbol_references(caller_id, callee_id, kind_number, percent)
  with numbered as (
    select id, qualified_name, kind, id >= ?2 as is_new,
      row_number() over (partition by id >= ?2, qualified_name, kind order by id) as number
    from symbols where file_id = ?1 and id >= ?3
  )
  select r.caller_id, n.id, r.kind_number, r.percent
  from numbered o
  join numbered n on n.is_new and n.qualified_name = o.qualified_name and n.kind = o.kind and n.number = o.number
  join symbol_references r on r.callee_id = o.id
  join symbols c on c.id = r.caller_id
  where not o.is_new and c.file_id <> ?1`;

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

function symbolIdsOf(db: Db, fileId: number): DefinitionIds {
  const range = db.get<IdRange>(ID_RANGE, fileId);
  if (range === null || range.first === null || range.last === null) return listedIds([]);
  const { first, last, count } = range;
  if (last - first + 1 === count) return spacedIds(first, 1, count);
  return listedIds(
    db.all<{ id: number }>("select id from symbols where file_id = ?1 order by id", fileId).map(({ id }) => id),
  );
}

type IdRange = { readonly first: number | null; readonly last: number | null; readonly count: number };
const ID_RANGE = "select min(id) as first, max(id) as last, count(*) as count from symbols where file_id = ?1";

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
