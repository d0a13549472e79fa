/**
 * Writes the curated index: rows of one file at a time, relations as whole wanted sets. `set...` methods write only what differs.
 */
import type { Db, Flagged, SqlValue } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import { openDatabase } from "../../sqlite/open.ts";
import { readStoredMeta, type StoredMeta, summaryOf, writeStoredMeta } from "../meta.ts";
import { CURATED_SCHEMA } from "../schema.ts";
import type { TermBlockWriter } from "../term-blocks.ts";
import { type ExactUseStore, exactUseStore } from "./exact-uses.ts";
import { lateIndexes } from "./late-indexes.ts";
import { setRelation } from "./set-relation.ts";
import { type FileWriter, fileWriter } from "./write-files.ts";
import { type HistoryWriter, historyWriter } from "./write-history.ts";
import { type LinkWriter, linkWriter } from "./write-links.ts";
import { type LinkableSymbols, linkableSymbols } from "./write-symbols.ts";

/** A stored file. */
export type StoredFile = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  /** Why it could not be parsed. */
  readonly problem: string | null;
};

export type RepoRecord = {
  readonly path: string;
  readonly remoteUrl: string | null;
  readonly head: string | null;
  readonly indexedAt: string;
};

/** A file that is not indexed, and why. */
type SkipRow = { readonly path: string; readonly reason: string };

/** What is stored, of the last generation or of the one being written. */
type StoredIndex = {
  meta(): StoredMeta | null;
  files(): readonly StoredFile[];
  /** What is known of each before it is parsed, one at a time. */
  eachFile(): Iterable<Omit<StoredFile, "problem">>;
  /** The path and the content of each file. */
  contents(): readonly Pick<StoredFile, "path" | "contentHash">[];
  /** The files with paths from one on and before another. */
  filesBetween(from: string, to: string): readonly StoredFile[];
  /** The files with these ids, by path. */
  filesOf(ids: readonly number[]): readonly StoredFile[];
  /** Files that could not be parsed, with the reason, by path. */
  problems(): readonly { readonly path: string; readonly why: string }[];
  skips(): readonly SkipRow[];
};

export type CuratedWriter = StoredIndex &
  FileWriter &
  LinkableSymbols &
  LinkWriter &
  ExactUseStore &
  HistoryWriter & {
    /** Begins the one transaction of a generation. */
    begin(): void;
    /** Called when all files are written, before anything else is asked or written. */
    endFiles(): void;
    commit(): void;
    rollback(): void;
    setRepo(repo: RepoRecord): void;
    setMeta(meta: Omit<StoredMeta, "counts" | "languages" | "skipped">): StoredMeta;
    setSkips(rows: readonly SkipRow[]): void;
    close(): void;
  };

/**
 * Pages that a generation changes stay in memory up to this size. With SQLite's 2 MB, a first index of 26 MB reads 30,000 pages back from
 * the log, and writes 3,500 twice; four times as much as here saves no time.
 */
const CACHE_KIB = 8 * 1024;

/** Opens the index at `path` for writing, creating it if needed. */
export function openCuratedWriter(path: string): CuratedWriter {
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  // The checksum is made of what is in the log (`sqlite/checksum.ts`), and checkpoints it.
  db.script(`pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = 0`);
  return curatedWriter(db);
}

/**
 * Full-text rows are written with their generation. With `stats`, which take the term statistics instead of their table, they are
 * written by `endSearchRows`.
 */
export function curatedWriter(db: Db, stats: TermBlockWriter | null = null): CuratedWriter {
  const files = fileWriter(db, stats);
  const indexes = lateIndexes(db);
  const endWaiting = (): void => {
    files.endTermStats("write");
    if (stats === null) files.endSearchRows("write");
  };
  return {
    ...storedIndex(db),
    ...files,
    ...linkableSymbols(db, () => files.endSearchRows("write")),
    ...linkWriter(db),
    ...exactUseStore(db),
    ...historyWriter(db),
    begin: () => {
      db.begin();
      indexes.begin();
      // Files refer to this row; `setRepo` fills it at the end.
      db.run("insert into repos(id, path, indexed_at) values (1, '', '') on conflict(id) do nothing");
    },
    endFiles: () => {
      indexes.make(["symbols", "docstrings", "comments"]);
      endWaiting();
    },
    commit: () => {
      endWaiting();
      // Not with the rows of files: memory is short while their links are resolved.
      files.endPathWords("write");
      indexes.make();
      db.commit();
    },
    rollback: () => {
      files.endTermStats("clear");
      files.endPathWords("clear");
      files.endSearchRows("clear");
      db.rollback();
      indexes.forget();
    },
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
    setSkips: (rows) =>
      setRelation(
        db,
        { table: "index_skips", key: ["path"], rest: ["reason"] },
        rows.map(({ path, reason }) => [path, reason]),
      ),
    close: () => db.close(),
  };
}

const FILES = `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, is_test as isTest,
  parse_problem as problem from files`;

type FileRow = Flagged<StoredFile, "isTest">;

const storedFiles = (db: Db, which: string, ...values: readonly SqlValue[]): readonly StoredFile[] =>
  db.all<FileRow>(`${FILES} ${which}`, ...values).map(storedFile);

function* eachFile(db: Db): Generator<StoredFile> {
  for (const row of db.each<FileRow>(`${FILES} order by path`)) yield storedFile(row);
}

/** Copying rows with "..." takes as long as reading them. */
const storedFile = ({ id, path, language, contentHash, sizeBytes, isTest, problem }: FileRow): StoredFile => ({
  id,
  path,
  language,
  contentHash,
  sizeBytes,
  isTest: isTest === 1,
  problem,
});

const storedIndex = (db: Db): StoredIndex => ({
  meta: () => readStoredMeta(db),
  files: () => storedFiles(db, "order by path"),
  eachFile: () => eachFile(db),
  contents: () => db.all("select path, content_hash as contentHash from files order by path"),
  filesBetween: (from, to) => storedFiles(db, "where path >= ?1 and path < ?2 order by path", from, to),
  filesOf: (ids) => storedFiles(db, `where id ${IN_LIST} order by path`, list(ids)),
  problems: () => db.all("select path, parse_problem as why from files where parse_problem is not null order by +path"),
  skips: () => db.all("select path, reason from index_skips order by path"),
});
