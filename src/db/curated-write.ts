/**
 * Changes the curated index: rows of one file at a time, relations as whole wanted sets.
 *
 * Invariants: a file keeps its id for as long as its path is indexed; full-text rows are in step with the
 * rows they describe; `set...` methods write only what differs from what is stored.
 * Not here: deciding what changed (`indexing/plan.ts`), the order of steps (`indexing/apply.ts`).
 */
import type { FileFacts } from "../syntax/facts.ts";
import type { CommentRow, DependencyRow, ReferenceRow } from "./curated.ts";
import { readStoredMeta, type StoredMeta, writeStoredMeta } from "./curated-meta.ts";
import { CURATED_SCHEMA } from "./curated-schema.ts";
import {
  type CoChangeRecord,
  type CommitRow,
  setCoChanges,
  setCommits,
  setDependencies,
  setFileCommits,
  setReferences,
  setSkips,
} from "./curated-sets.ts";
import { type Db, openDatabase } from "./open.ts";
import { indexedText } from "./search-terms.ts";

/** A file as it is stored now. */
export type StoredFile = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  readonly parseProblem: string | null;
};

/** A file to store. `packedText` is the zstd form of `text`. */
export type FileRecord = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
  readonly text: string;
  readonly packedText: Uint8Array;
};

export type RepoRecord = {
  readonly path: string;
  readonly remoteUrl: string | null;
  readonly head: string | null;
  readonly indexedAt: string;
};

export type CuratedWriter = {
  meta(): StoredMeta | null;
  files(): readonly StoredFile[];
  skips(): readonly { readonly path: string; readonly reason: string }[];
  transaction<T>(work: () => T): T;
  setRepo(repo: RepoRecord): void;
  setMeta(meta: Omit<StoredMeta, "counts" | "languages" | "skipped">): StoredMeta;
  removeFiles(ids: readonly number[]): void;
  /** Stores a file under a new id, or in place of what is stored under `id`. Returns the id. */
  putFile(file: FileRecord, id: number | null): number;
  /** The ids of every file's symbols, in the order of its facts. */
  symbolIds(): ReadonlyMap<number, readonly number[]>;
  /** The newest commit time of each file; files that are left out have none. */
  setModified(rows: readonly { readonly fileId: number; readonly at: number }[]): void;
  setCommits(rows: readonly CommitRow[]): void;
  setFileCommits(rows: readonly { readonly fileId: number; readonly hash: string }[]): void;
  setDependencies(rows: readonly DependencyRow[]): void;
  setReferences(rows: readonly ReferenceRow[]): void;
  setCoChanges(rows: readonly CoChangeRecord[]): void;
  setSkips(rows: readonly { readonly path: string; readonly reason: string }[]): void;
  close(): void;
};

/** Opens the index at `path` for writing, creating it where there is none. */
export const openCuratedWriter = (path: string): CuratedWriter =>
  curatedWriter(openDatabase(path, "write", CURATED_SCHEMA));

export function curatedWriter(db: Db): CuratedWriter {
  return {
    meta: () => readStoredMeta(db),
    files: () =>
      db
        .all<Omit<StoredFile, "isTest"> & { readonly isTest: 0 | 1 }>(
          `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, is_test as isTest,
             parse_problem as parseProblem from files order by path`,
        )
        .map((row) => ({ ...row, isTest: row.isTest === 1 })),
    skips: () => db.all("select path, reason from index_skips order by path"),
    transaction: (work) => db.transaction(work),
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
      clearFiles(db, list);
      db.run(`delete from file_search where rowid ${IN_LIST}`, list);
      db.run(`delete from files where id ${IN_LIST}`, list);
    },
    putFile: (file, id) => putFile(db, file, id),
    symbolIds: () => symbolIds(db),
    setModified: (rows) => setModified(db, rows),
    setCommits: (rows) => setCommits(db, rows, (message) => indexedText(message)),
    setFileCommits: (rows) => setFileCommits(db, rows),
    setDependencies: (rows) => setDependencies(db, rows),
    setReferences: (rows) => setReferences(db, rows),
    setCoChanges: (rows) => setCoChanges(db, rows),
    setSkips: (rows) => setSkips(db, rows),
    close: () => db.close(),
  };
}

const IN_LIST = "in (select value from json_each(?1))";

/** Takes away what hangs on files' contents; rows that name their symbols go with the symbols. */
function clearFiles(db: Db, list: string): void {
  db.run(`delete from symbol_search where rowid in (select id from symbols where file_id ${IN_LIST})`, list);
  for (const table of ["docstrings", "comments", "symbols"])
    db.run(`delete from ${table} where file_id ${IN_LIST}`, list);
}

function putFile(db: Db, file: FileRecord, id: number | null): number {
  if (id !== null) clearFiles(db, JSON.stringify([id]));
  const fileId = putFileRow(db, file, id);
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
  const ids = putSymbols(db, fileId, file.facts);
  putProse(db, fileId, file.facts, ids);
  return fileId;
}

function putFileRow(
  db: Db,
  { path, language, contentHash, sizeBytes, isTest, facts }: FileRecord,
  id: number | null,
): number {
  const row = db.get<{ id: number }>(
    `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, parse_problem)
     values (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     on conflict(id) do update set language = excluded.language, content_hash = excluded.content_hash,
       size_bytes = excluded.size_bytes, line_count = excluded.line_count, token_count = excluded.token_count,
       is_test = excluded.is_test, parse_problem = excluded.parse_problem
     returning id`,
    id,
    path,
    language,
    contentHash,
    sizeBytes,
    facts.lineCount,
    facts.tokenCount,
    isTest ? 1 : 0,
    facts.problem,
  );
  return row?.id ?? 0;
}

function putSymbols(db: Db, fileId: number, facts: FileFacts): readonly number[] {
  const first = db.get<{ id: number }>("select coalesce(max(id), 0) + 1 as id from symbols")?.id ?? 1;
  const idOf = (index: number): number => first + index;
  db.runAll(
    `insert into symbols(id, file_id, name, qualified_name, kind, start_line, end_line, doc_line, name_line, signature,
       signature_tokens, body_tokens, parent_id, exported) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)`,
    facts.symbols.map((symbol, index) => [
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
  db.runAll(
    "insert into symbol_search(rowid, name, signature, doc) values (?1, ?2, ?3, ?4)",
    facts.symbols.map((symbol, index) => [
      idOf(index),
      indexedText(symbol.qualifiedName),
      indexedText(symbol.signature),
      indexedText(firstLine(symbol.doc?.content ?? "")),
    ]),
  );
  return facts.symbols.map((_, index) => idOf(index));
}

function putProse(db: Db, fileId: number, facts: FileFacts, ids: readonly number[]): void {
  const idAt = (index: number | null): number | null => (index === null ? null : (ids[index] ?? null));
  const docs = facts.symbols.flatMap(({ doc }, index) => (doc ? [{ symbol: idAt(index), ...doc }] : []));
  const all = facts.doc ? [{ symbol: null, ...facts.doc }, ...docs] : docs;
  db.runAll(
    "insert into docstrings(file_id, symbol_id, content, format) values (?1, ?2, ?3, ?4)",
    all.map(({ symbol, content, format }) => [fileId, symbol, content, format]),
  );
  const comments = facts.comments.map(
    ({ symbol, line, content, kind, isRationale }): CommentRow => ({
      fileId,
      symbolId: idAt(symbol),
      line,
      content,
      kind,
      isRationale,
    }),
  );
  db.runAll(
    "insert into comments(file_id, symbol_id, line, content, kind, is_rationale) values (?1, ?2, ?3, ?4, ?5, ?6)",
    comments.map((row) => [row.fileId, row.symbolId, row.line, row.content, row.kind, row.isRationale ? 1 : 0]),
  );
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";

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

function summaryOf(db: Db): Pick<StoredMeta, "counts" | "languages" | "skipped"> {
  const count = (table: string): number => db.get<{ n: number }>(`select count(*) as n from ${table}`)?.n ?? 0;
  return {
    counts: {
      files: count("files"),
      symbols: count("symbols"),
      dependencies: count("dependencies"),
      references: count("symbol_references"),
      commits: count("commits"),
      coChanges: count("co_changes"),
    },
    languages: db.all("select language, count(*) as files from files group by 1 order by 2 desc, 1"),
    skipped: db.all("select reason, count(*) as count from index_skips group by 1 order by 2 desc, 1"),
  };
}
