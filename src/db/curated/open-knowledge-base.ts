/**
 * Answers the knowledge base's questions from a read-only connection.
 *
 * A read transaction stays open, so all answers are about one generation. Rows are ordered by path, then by position in the file,
 * so an index with a history gives the same answers as a new one.
 */
import { lstatSync } from "node:fs";
import { zstdDecompressSync } from "bun";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { NOTHING_WRITTEN, openDatabase } from "../sqlite/open.ts";
import type {
  CoChangeRow,
  CommentRow,
  DefinitionRow,
  DependencyRow,
  DocstringRow,
  FileMetadataRow,
  FileRow,
  KnowledgeBase,
  NamedDefinition,
  SymbolRow,
  TestSourceRow,
} from "./knowledge-base.ts";
import type { IndexMeta } from "./meta.ts";
import { readMeta } from "./meta.ts";
import {
  commitRangeOf,
  commitsById,
  definitionsById,
  findCommits,
  findDefinitions,
  tellingFirst,
  textKeys,
} from "./recall-queries.ts";
import { referencesFrom, referencesTo } from "./references.ts";
import { cachedLists, cachedTexts, cacheTermStats, type RowCache, rowCache } from "./row-cache.ts";
import { CURATED_SCHEMA, OUTLINED } from "./schema.ts";
import { search } from "./search.ts";

/** Opens the index at `path`; `repo` is named in the failure `not-indexed`. */
export function openKnowledgeBase(path: string, repo: string): KnowledgeBase {
  // Taken before reading, so that a later write changes either the key or the generation.
  const fileKey = fileKeyOf(path);
  if (fileKey === null) throw new Failed({ code: "not-indexed", repo });
  const db = openWritten(path, repo);
  try {
    return knowledgeBase(db, repo, (meta) => rowCache(fileKey, meta));
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Identifies the state of the file at `path` and its write-ahead log; null without a file. */
function fileKeyOf(path: string): string | null {
  const stats = [path, `${path}-wal`].map((name) => lstatSync(name, { throwIfNoEntry: false }));
  if (stats[0] === undefined) return null;
  // Readers create an empty log.
  const written = stats.map((stat) =>
    stat?.size ? [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs] : null,
  );
  return JSON.stringify([path, written]);
}

/** An empty file counts as no index: another cra may be creating it. */
function openWritten(path: string, repo: string): Db {
  try {
    return openDatabase(path, "read", CURATED_SCHEMA);
  } catch (error) {
    const isEmpty =
      error instanceof Failed && error.failure.code === "index-damaged" && error.failure.why === NOTHING_WRITTEN;
    throw isEmpty ? new Failed({ code: "not-indexed", repo }, { cause: error }) : error;
  }
}

const IN_LIST = "in (select value from json_each(?1))";
const SYMBOL_COLUMNS = `s.id, s.file_id as fileId, s.name, s.qualified_name as qualifiedName, s.kind, s.start_line as startLine,
  s.end_line as endLine, s.doc_line as docLine, s.name_line as nameLine, s.signature, s.signature_tokens as signatureTokens,
  s.body_tokens as bodyTokens, s.parent_id as parentId, s.exported`;
const BY_PATH = "f.path, s.id";
const TEST_SOURCES = `select l.test_file_id as test, l.source_file_id as source, l.score, l.by from test_sources l
  join files t on t.id = l.test_file_id join files s on s.id = l.source_file_id`;

type Flag<Row, Key extends keyof Row> = Omit<Row, Key> & { readonly [K in Key]: 0 | 1 };

/** Answers from the current generation of the index in `db` until closed. */
function knowledgeBase(db: Db, repo: string, cacheOf: (meta: IndexMeta) => RowCache): KnowledgeBase {
  db.script("begin");
  const meta = readMeta(db);
  if (meta === null) throw new Failed({ code: "not-indexed", repo });
  const cache = cacheOf(meta);
  const bytes = cachedTexts(cache.bytes, (fileIds) => bytesOf(db, list(fileIds)));
  const texts = cachedTexts(
    cache.texts,
    (fileIds) => new Map([...bytes(fileIds)].map(([id, text]) => [id, text.toString()])),
  );
  return {
    meta: () => meta,
    files: () => (cache.files ??= filesOf(db)),
    symbolsIn: cachedLists(cache.symbols, fileOf, (fileIds) =>
      symbols(db, `s.file_id ${IN_LIST} and not ${OUTLINED}`, "s.file_id, s.id", list(fileIds)),
    ),
    definitionsIn: cachedLists(cache.definitions, fileOf, (fileIds) =>
      db.all<DefinitionRow>(
        `select s.id, s.file_id as fileId, s.name, s.kind from symbols s join files f on f.id = s.file_id
         where s.file_id ${IN_LIST} and not ${OUTLINED} order by s.file_id, s.id`,
        list(fileIds),
      ),
    ),
    inlineTests: () => inlineTests(db),
    symbolsById: (ids) => symbols(db, `s.id ${IN_LIST}`, BY_PATH, list(ids)),
    symbolsNamed: (names) => symbols(db, `s.name ${IN_LIST} and not ${OUTLINED}`, BY_PATH, list(names)),
    definitionsNamed: cachedLists(cache.named, nameOf, (names) =>
      db.all<NamedDefinition>(
        `select s.id, s.file_id as fileId, s.name, s.kind, s.parent_id as parentId
         from symbols s join files f on f.id = s.file_id where s.name ${IN_LIST} and not ${OUTLINED} order by s.id`,
        list(names),
      ),
    ),
    outlineNamed: (names) => symbols(db, `s.name ${IN_LIST} and ${OUTLINED}`, BY_PATH, list(names)),
    // All at once, as ranking holds them all anyway: a step for each takes longer than reading it.
    termStats: () =>
      cache.termStats ?? cacheTermStats(cache, db.all("select file_id as fileId, stats from file_terms")),
    texts,
    textsToMatch: texts,
    bytesToMatch: bytes,
    docstringsIn: (fileIds) =>
      db.all<DocstringRow>(
        `select d.file_id as fileId, d.symbol_id as symbolId, d.content, d.format from docstrings d
         join files f on f.id = d.file_id where d.file_id ${IN_LIST} order by f.path, d.rowid`,
        list(fileIds),
      ),
    commentsIn: (fileIds) => comments(db, `c.file_id ${IN_LIST}`, fileIds),
    rationalesIn: (fileIds) => comments(db, `c.file_id ${IN_LIST} and c.is_rationale = 1`, fileIds),
    dependenciesOf: (fileIds) =>
      dependencies(db, `d.source_file_id ${IN_LIST} or d.target_file_id ${IN_LIST}`, fileIds),
    dependenciesBetween: (fileIds) =>
      // The sign keeps it from looking up every pair of files.
      dependencies(db, `d.source_file_id ${IN_LIST} and +d.target_file_id ${IN_LIST}`, fileIds),
    importerCounts: () => (cache.importerCounts ??= importerCountsOf(db)),
    referencesFrom: referencesFrom(db, cache.references),
    referencesTo: (ids) => referencesTo(db, ids),
    testedBy: (ids) =>
      db.all<TestSourceRow>(`${TEST_SOURCES} where t.id ${IN_LIST} order by t.path, l.score desc, s.path`, list(ids)),
    coChangesOf: (fileIds) =>
      db.all<CoChangeRow>(
        `select c.a, c.b, c.count from co_changes c join files a on a.id = c.a join files b on b.id = c.b
         where c.a ${IN_LIST} or c.b ${IN_LIST} order by min(a.path, b.path), max(a.path, b.path)`,
        list(fileIds),
      ),
    fileMetadata: () => metadataOf(db),
    commitRange: () => commitRangeOf(db),
    search: (query, limit) => search(db, query, limit),
    findDefinitions: (query, limit) => findDefinitions(db, query, limit),
    findCommits: (query, limit) => findCommits(db, query, limit),
    definitionsById: (ids) => definitionsById(db, ids),
    commitsById: (ids) => commitsById(db, ids),
    textKeys: (of) => textKeys(db, of),
    tellingFirst: (of) => tellingFirst(db, of),
    close: () => db.close(),
  };
}

const list = (values: readonly (number | string)[]): string => JSON.stringify(values);

const symbols = (db: Db, condition: string, order: string, values: string): readonly SymbolRow[] =>
  db
    .all<Flag<SymbolRow, "exported">>(
      `select ${SYMBOL_COLUMNS} from symbols s join files f on f.id = s.file_id where ${condition} order by ${order}`,
      values,
    )
    .map((row) => Object.assign(row, { exported: row.exported === 1 }));

const comments = (db: Db, condition: string, fileIds: readonly number[]): readonly CommentRow[] =>
  db
    .all<Flag<CommentRow, "isRationale">>(
      `select c.file_id as fileId, c.symbol_id as symbolId, c.line, c.content, c.kind, c.is_rationale as isRationale
         from comments c join files f on f.id = c.file_id where ${condition} order by f.path, c.rowid`,
      list(fileIds),
    )
    .map((row) => ({ ...row, isRationale: row.isRationale === 1 }));

const dependencies = (db: Db, condition: string, fileIds: readonly number[]): readonly DependencyRow[] =>
  db.all<DependencyRow>(
    `select d.source_file_id as source, d.target_file_id as target, d.kind from dependencies d
       join files s on s.id = d.source_file_id join files t on t.id = d.target_file_id
       where ${condition} order by s.path, t.path, d.kind`,
    list(fileIds),
  );

const filesOf = (db: Db): readonly FileRow[] =>
  db
    .all<Flag<FileRow, "isTest">>(
      `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, line_count as lineCount,
         token_count as tokenCount, is_test as isTest, modified_at as modifiedAt from files order by path`,
    )
    .map((row) => Object.assign(row, { isTest: row.isTest === 1 }));

function importerCountsOf(db: Db): ReadonlyMap<number, number> {
  const rows = db.all<{ id: number; count: number }>(
    "select target_file_id as id, count(distinct source_file_id) as count from dependencies group by 1 order by 1",
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const Concepts = z.array(z.string());

function metadataOf(db: Db): readonly FileMetadataRow[] {
  // `cross` makes SQLite start from this table, which is mostly empty.
  const rows = db.all<Omit<FileMetadataRow, "concepts"> & { readonly concepts: string }>(
    `select m.file_id as fileId, m.purpose, m.module, m.domain, m.concepts from file_metadata m
     cross join files f on f.id = m.file_id order by f.path`,
  );
  try {
    return rows.map((row) => ({ ...row, concepts: Concepts.parse(JSON.parse(row.concepts)) }));
  } catch (error) {
    throw new Failed({ code: "index-damaged", path: db.path, why: "its metadata is unreadable" }, { cause: error });
  }
}

const fileOf = ({ fileId }: { readonly fileId: number }): number => fileId;
const nameOf = ({ name }: { readonly name: string }): string => name;

/** Ids of modules named `tests` or `test`, as in Rust, and of all symbols in them. */
const inlineTests = (db: Db): ReadonlySet<number> =>
  new Set(
    db
      .all<{ id: number }>(
        `with recursive inside(id) as (
           select id from symbols where name in ('tests', 'test') and kind = 'namespace'
           union all select s.id from symbols s join inside on s.parent_id = inside.id)
         select id from inside`,
      )
      .map(({ id }) => id),
  );

function bytesOf(db: Db, ids: string): ReadonlyMap<number, Buffer> {
  const rows = db.all<{ id: number; text: Uint8Array }>(
    `select t.file_id as id, t.text from file_texts t join files f on f.id = t.file_id where t.file_id ${IN_LIST} order by f.path`,
    ids,
  );
  try {
    return new Map(rows.map(({ id, text }) => [id, zstdDecompressSync(text)]));
  } catch (error) {
    throw new Failed(
      { code: "index-damaged", path: db.path, why: "a stored text cannot be unpacked" },
      { cause: error },
    );
  }
}
