/**
 * Writes the curated index: rows of one file at a time, relations as whole wanted sets.
 *
 * A file keeps its id as long as its path is indexed. Full-text rows stay in step with the rows they index. `set...` methods
 * write only what differs.
 */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText } from "../sqlite/full-text.ts";
import { openDatabase } from "../sqlite/open.ts";
import type { DependencyRow, ReferenceRow, TestSourceRow } from "./knowledge-base.ts";
import {
  readConfigPaths,
  readStoredMeta,
  type StoredMeta,
  summaryOf,
  writeConfigPaths,
  writeStoredMeta,
} from "./meta.ts";
import { CURATED_SCHEMA } from "./schema.ts";
import {
  type CoChangeRecord,
  type CommitRow,
  setCoChanges,
  setCommits,
  setDependencies,
  setFileCommits,
  setReferences,
  setSkips,
  setTestSources,
} from "./write-relations.ts";
import {
  filesDefining,
  filesDefiningOutside,
  moveSymbols,
  putProse,
  putSymbols,
  symbolIds,
  symbolIdsOf,
} from "./write-symbols.ts";

/** A stored file. */
export type StoredFile = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
};

/** A file to store. `packedText` is `text` compressed with zstd; `interfaceHash` covers what other files can see of it. */
type FileRecord = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly interfaceHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
  readonly text: string;
  readonly packedText: Uint8Array;
};

/** `looksSame`: other files see the same interface, and the file's symbols keep their ids. */
type PutFile = { readonly id: number; readonly looksSame: boolean };

export type RepoRecord = {
  readonly path: string;
  readonly remoteUrl: string | null;
  readonly head: string | null;
  readonly indexedAt: string;
};

export type CuratedWriter = {
  meta(): StoredMeta | null;
  files(): readonly StoredFile[];
  /** Files that could not be parsed, with the reason, by path. */
  problems(): readonly { readonly path: string; readonly why: string }[];
  skips(): readonly { readonly path: string; readonly reason: string }[];
  /** Begins the one transaction of a generation. */
  begin(): void;
  commit(): void;
  rollback(): void;
  setRepo(repo: RepoRecord): void;
  setMeta(meta: Omit<StoredMeta, "counts" | "languages" | "skipped">): StoredMeta;
  removeFiles(ids: readonly number[]): void;
  /** Stores a file under a new id, or replaces the file with `id`. */
  putFile(file: FileRecord, id: number | null): PutFile;
  /** The symbol ids of every file, in the order of its facts. */
  symbolIds(): ReadonlyMap<number, readonly number[]>;
  symbolIdsOf(fileId: number): readonly number[];
  /** The sorted paths of files that define a name as a method, as a function or at the top level. */
  filesDefining(name: string): readonly string[];
  /** The sorted paths of files that define a name with an owner that does not enclose it. */
  filesDefiningOutside(name: string): readonly string[];
  /** Sets the newest commit time of each file; files without a row get null. */
  setModified(rows: readonly { readonly fileId: number; readonly at: number }[]): void;
  setCommits(rows: readonly CommitRow[]): void;
  setFileCommits(rows: readonly { readonly fileId: number; readonly hash: string }[]): void;
  /** `rows` are all dependencies of the files `sources`; null means all files. */
  setDependencies(rows: readonly DependencyRow[], sources: readonly number[] | null): void;
  /** `rows` are all references from the files `callers`; null means all files. */
  setReferences(rows: Iterable<ReferenceRow>, callers: readonly number[] | null): void;
  /** `rows` are all links of the files `tests`; null means all files. */
  setTestSources(rows: Iterable<TestSourceRow>, tests: readonly number[] | null): void;
  /** The configuration paths that import resolution looked for, existing or not. */
  configPaths(): readonly string[];
  setConfigPaths(paths: readonly string[]): void;
  setCoChanges(rows: readonly CoChangeRecord[]): void;
  setSkips(rows: readonly { readonly path: string; readonly reason: string }[]): void;
  close(): void;
};

/** Opens the index at `path` for writing, creating it if needed. */
export const openCuratedWriter = (path: string): CuratedWriter =>
  curatedWriter(openDatabase(path, "write", CURATED_SCHEMA));

export function curatedWriter(db: Db): CuratedWriter {
  return {
    meta: () => readStoredMeta(db),
    files: () =>
      db
        .all<Omit<StoredFile, "isTest"> & { readonly isTest: 0 | 1 }>(
          "select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, is_test as isTest from files order by path",
        )
        .map((row) => ({ ...row, isTest: row.isTest === 1 })),
    problems: () =>
      db.all("select path, parse_problem as why from files where parse_problem is not null order by path"),
    skips: () => db.all("select path, reason from index_skips order by path"),
    begin: () => {
      db.begin();
      // Files refer to this row; `setRepo` fills it at the end.
      db.run("insert into repos(id, path, indexed_at) values (1, '', '') on conflict(id) do nothing");
    },
    commit: () => db.commit(),
    rollback: () => db.rollback(),
    setRepo: ({ path, remoteUrl, head, indexedAt }) => {
      db.run(
        `insert into repos(id, path, remote_url, head, indexed_at) values (1, ?1, ?2, ?3, ?4)
         on conflict(id) do update set path = excluded.path, remote_url = excluded.remote_url,
           head = excluded.head, indexed_at = excluded.indexed_at`,
        path,
        remoteUrl,
        head,
        indexedAt,
      );
    },
    setMeta: (meta) => {
      const stored = { ...meta, ...summaryOf(db) };
      writeStoredMeta(db, stored);
      return stored;
    },
    removeFiles: (ids) => {
      const list = JSON.stringify(ids);
      clearFiles(db, list, OF_CONTENT);
      db.run(`delete from file_search where rowid ${IN_LIST}`, list);
      db.run(`delete from files where id ${IN_LIST}`, list);
    },
    putFile: (file, id) => putFile(db, file, id),
    symbolIds: () => symbolIds(db),
    symbolIdsOf: (fileId) => symbolIdsOf(db, fileId),
    filesDefining: (name) => filesDefining(db, name),
    filesDefiningOutside: (name) => filesDefiningOutside(db, name),
    setModified: (rows) => setModified(db, rows),
    setCommits: (rows) => setCommits(db, rows, (message) => indexedText(message)),
    setFileCommits: (rows) => setFileCommits(db, rows),
    setDependencies: (rows, sources) => setDependencies(db, rows, sources),
    setReferences: (rows, callers) => setReferences(db, rows, callers),
    setTestSources: (rows, tests) => setTestSources(db, rows, tests),
    configPaths: () => readConfigPaths(db),
    setConfigPaths: (paths) => writeConfigPaths(db, paths),
    setCoChanges: (rows) => setCoChanges(db, rows),
    setSkips: (rows) => setSkips(db, rows),
    close: () => db.close(),
  };
}

const IN_LIST = "in (select value from json_each(?1))";

const PROSE = ["docstrings", "comments"] as const;
const OF_CONTENT = [...PROSE, "symbols"] as const;

/** Deletes the rows that depend on files' contents; rows that refer to symbols are deleted with them. */
function clearFiles(db: Db, list: string, tables: readonly (typeof OF_CONTENT)[number][]): void {
  if (tables.includes("symbols"))
    db.run(`delete from symbol_search where rowid in (select id from symbols where file_id ${IN_LIST})`, list);
  for (const table of tables) db.run(`delete from ${table} where file_id ${IN_LIST}`, list);
}

function putFile(db: Db, file: FileRecord, id: number | null): PutFile {
  const before =
    id === null
      ? null
      : db.get<{ hash: string; contentHash: string }>(
          "select interface_hash as hash, content_hash as contentHash from files where id = ?1",
          id,
        );
  const looksSame = before?.hash === file.interfaceHash;
  // The metadata describes the old content.
  if (before !== null && before.contentHash !== file.contentHash)
    db.run("delete from file_metadata where file_id = ?1", id);
  const fileId = putFileRow(db, file, id);
  const moved = looksSame ? moveSymbols(db, fileId, file.facts) : null;
  if (id !== null) clearFiles(db, JSON.stringify([id]), moved === null ? OF_CONTENT : PROSE);
  if (id !== null) db.run("delete from file_search where rowid = ?1", fileId);
  db.run(
    "insert into file_search(rowid, path, content) values (?1, ?2, ?3)",
    fileId,
    indexedText(file.path),
    indexedText(file.text),
  );
  db.run(
    "insert into file_texts(file_id, text) values (?1, ?2) on conflict(file_id) do update set text = excluded.text",
    fileId,
    file.packedText,
  );
  db.run(
    "insert into file_terms(file_id, stats) values (?1, ?2) on conflict(file_id) do update set stats = excluded.stats",
    fileId,
    file.stats,
  );
  putProse(db, fileId, file.facts, moved ?? putSymbols(db, fileId, file.facts));
  return { id: fileId, looksSame: moved !== null };
}

function putFileRow(
  db: Db,
  { path, language, contentHash, interfaceHash, sizeBytes, isTest, facts }: FileRecord,
  id: number | null,
): number {
  // "returning" would build a temporary table, which takes longer than the rest of the statement.
  const fileId = id ?? db.get<{ next: number }>("select coalesce(max(id), 0) + 1 as next from files")?.next ?? 1;
  db.run(
    `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, parse_problem,
       interface_hash)
     values (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
     on conflict(id) do update set language = excluded.language, content_hash = excluded.content_hash,
       size_bytes = excluded.size_bytes, line_count = excluded.line_count, token_count = excluded.token_count,
       is_test = excluded.is_test, parse_problem = excluded.parse_problem,
       interface_hash = excluded.interface_hash`,
    fileId,
    path,
    language,
    contentHash,
    sizeBytes,
    facts.lineCount,
    facts.tokenCount,
    isTest ? 1 : 0,
    facts.problem,
    interfaceHash,
  );
  return fileId;
}

function setModified(db: Db, rows: readonly { readonly fileId: number; readonly at: number }[]): void {
  const wanted = new Map(rows.map(({ fileId, at }) => [fileId, at]));
  const stored = db.all<{ id: number; at: number | null }>("select id, modified_at as at from files");
  db.runAll(
    "update files set modified_at = ?2 where id = ?1",
    stored.flatMap(({ id, at }) => {
      const newest = wanted.get(id) ?? null;
      return newest === at ? [] : [[id, newest]];
    }),
  );
}
