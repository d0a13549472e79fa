/** Reads symbols from the curated index. Definitions of a file and of a name are cached. */
import { Failed } from "../../../failure.ts";
import { STORED_BYTES_MAX } from "../../../text/zstd.ts";
import type { Db, Flagged } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import { listedIds, spacedIds } from "../definition-ids.ts";
import type { DefinitionRow, FileDefinitions, NamedDefinition, SymbolQueries, SymbolRow } from "../knowledge-base.ts";
import { OUTLINED } from "../schema.ts";
import { cachedLists, type RowCache } from "./row-cache.ts";

export const symbolQueries = (db: Db, cache: RowCache): SymbolQueries => ({
  symbolsIn: cachedLists(cache.symbols, fileOf, (fileIds) =>
    symbols(db, `s.file_id ${IN_LIST} and not ${OUTLINED}`, "s.file_id, s.id", fileIds),
  ),
  definitionsIn: cachedLists(cache.definitions, fileOf, (fileIds) =>
    db.all<DefinitionRow>(
      `select s.id, s.file_id as fileId, s.name, s.kind from symbols s join files f on f.id = s.file_id
       where s.file_id ${IN_LIST} and not ${OUTLINED} order by s.file_id, s.id`,
      list(fileIds),
    ),
  ),
  definitionIdsIn: cachedLists(cache.definitionIds, fileOf, (fileIds) => definitionIds(db, fileIds)),
  definitionRows: cachedLists(
    cache.definitionRows,
    ({ id }) => id,
    (ids) =>
      db.all<DefinitionRow>(
        `select id, file_id as fileId, name, kind from symbols where id ${IN_LIST} order by id`,
        list(ids),
      ),
  ),
  inlineTests: (ids) => new Set(db.all<{ id: number }>(INLINE_TESTS, list(ids)).map(({ id }) => id)),
  symbolsById: (ids) => symbols(db, `s.id ${IN_LIST}`, BY_PATH, ids),
  symbolsNamed: (names) => symbols(db, `s.name ${IN_LIST} and not ${OUTLINED}`, BY_PATH, names),
  definitionsNamed: cachedLists(
    cache.named,
    ({ name }) => name,
    (names) =>
      db.all<NamedDefinition>(
        `select s.id, s.file_id as fileId, s.name, s.kind, s.qualified_name as qualifiedName, s.parent_id as parentId
         from symbols s join files f on f.id = s.file_id where s.name ${IN_LIST} and not ${OUTLINED} order by s.id`,
        list(names),
      ),
  ),
  outlineNamed: (names) => symbols(db, `s.name ${IN_LIST} and ${OUTLINED}`, BY_PATH, names),
});

type IdRange = { readonly fileId: number; readonly first: number; readonly last: number; readonly count: number };

function definitionIds(db: Db, fileIds: readonly number[]): readonly FileDefinitions[] {
  const ranges = db.all<IdRange>(
    `select s.file_id as fileId, min(s.id) as first, max(s.id) as last, count(*) as count
     from symbols s join files f on f.id = s.file_id where s.file_id ${IN_LIST} and not ${OUTLINED} group by s.file_id`,
    list(fileIds),
  );
  // A change may give what follows it in its file other ids.
  const changed = ranges.filter(({ first, last, count }) => last - first + 1 !== count).map(fileOf);
  const listed = Map.groupBy(
    db.all<Pick<SymbolRow, "id" | "fileId">>(
      `select id, file_id as fileId from symbols where file_id ${IN_LIST} order by id`,
      list(changed),
    ),
    fileOf,
  );
  return ranges.map(({ fileId, first, count }) => {
    const rows = listed.get(fileId);
    return { fileId, ids: rows === undefined ? spacedIds(first, 1, count) : listedIds(rows.map(({ id }) => id)) };
  });
}

const COLUMNS = `s.id, s.file_id as fileId, s.name, s.qualified_name as qualifiedName, s.kind, s.start_line as startLine,
  s.end_line as endLine, s.doc_line as docLine, s.name_line as nameLine, s.signature, s.signature_tokens as signatureTokens,
  s.body_tokens as bodyTokens, s.parent_id as parentId, s.exported`;
const BY_PATH = "f.path, s.id";

const symbols = (
  db: Db,
  condition: string,
  order: string,
  values: readonly (number | string)[],
): readonly SymbolRow[] =>
  db
    .all<Flagged<SymbolRow, "exported">>(
      `select ${COLUMNS} from symbols s join files f on f.id = s.file_id where ${condition} order by ${order}`,
      list(values),
    )
    .map((row) => {
      // A loop over the lines of a planted one would not end.
      if (!isPlaced(row))
        throw new Failed({ code: "index-damaged", path: db.path, why: "a definition is on lines that no text has" });
      return Object.assign(row, { exported: row.exported === 1 });
    });

/** Whether the lines of a definition can be those of a text. */
const isPlaced = ({ startLine, endLine, docLine, nameLine }: Flagged<SymbolRow, "exported">): boolean =>
  docLine >= 1 && startLine >= 1 && nameLine >= 1 && startLine <= endLine && endLine <= STORED_BYTES_MAX;

const fileOf = ({ fileId }: { readonly fileId: number }): number => fileId;

/** Of these symbols, modules named `tests` or `test`, as in Rust, and what is in them. */
const INLINE_TESTS = `with recursive around(id, outer_id) as (
  select id, id from symbols where id ${IN_LIST}
  union select a.id, s.parent_id from around a join symbols s on s.id = a.outer_id where s.parent_id is not null)
select distinct a.id from around a join symbols s on s.id = a.outer_id where s.name in ('tests', 'test') and s.kind = 'namespace'`;
