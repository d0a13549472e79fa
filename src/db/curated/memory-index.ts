/**
 * An index in memory, for one answer: it knows all files, and the facts of those that are parsed.
 *
 * The tables, their writer and their queries are those of the curated index. Texts and term statistics of files that are not
 * parsed stay outside of the tables.
 */
import { onDemand } from "../../concurrency/on-demand.ts";
import type { Db } from "../sqlite/db.ts";
import { openDatabase } from "../sqlite/open.ts";
import type { FileQueries, FileStatsRow, KnowledgeBase, StoredFileRow } from "./knowledge-base.ts";
import { knowledgeBase } from "./open-knowledge-base.ts";
import { storedFilesOf } from "./queries/file-queries.ts";
import { emptyCache } from "./queries/row-cache.ts";
import { CURATED_SCHEMA } from "./schema.ts";
import { type CuratedWriter, curatedWriter } from "./write/write.ts";

/** What the tables do not hold. */
export type Unparsed = {
  /** Of every file, by counting; those of parsed files replace them. */
  readonly termStats: readonly FileStatsRow[];
  /** The text of a file as UTF-8; null if it cannot be read any more. */
  readText(fileId: number): Buffer | null;
};

export type MemoryIndex = {
  readonly writer: CuratedWriter;
  /** Takes all files, in order of path, without their facts. Questions know them at once; their rows are for `writer`, and come later. */
  putBare(files: readonly StoredFileRow[]): void;
  /** Stores the rows of files by id, as far as they have none yet. `writer` may replace them. */
  storeRows(ids: readonly number[]): void;
  /** The same for the next files without rows; false if there are none. */
  storeNextRows(): boolean;
  /** Answers until it is closed. There must not be another one, nor a transaction of the writer. */
  read(unparsed: Unparsed): KnowledgeBase;
  close(): void;
};

/** Rows that are stored at a time. In between, threads that parse get their next texts. */
const STORED_AT_ONCE = 2_000;

/** Opens an empty index. `repo` is named in failures. */
export function openMemoryIndex(repo: string): MemoryIndex {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  /** Of the parsed files, by id: nobody reads them in blocks. */
  const stats = new Map<number, Uint8Array>();
  // Most answers ask no full-text table.
  const tables = curatedWriter(db, {
    put: (id, of) => void stats.set(id, of),
    remove: (ids) => {
      for (const id of ids) stats.delete(id);
    },
    write: () => undefined,
    clear: () => stats.clear(),
  });
  /** By id; the places of others are empty, and `filter` passes over them. */
  const bare: StoredFileRow[] = [];
  const rows = bareRows(db, bare);
  const writer: CuratedWriter = {
    ...tables,
    // Parsing changes nothing of what it tells.
    eachFile: () => bare.filter(() => true),
    rollback() {
      tables.rollback();
      rows.forget();
    },
  };
  return {
    writer,
    putBare: (files) => {
      for (const file of files) bare[file.id] = file;
    },
    storeRows: rows.store,
    storeNextRows: rows.storeNext,
    read(unparsed) {
      const kb = knowledgeBase(db, repo, emptyCache);
      const inTables: Pick<KnowledgeBase, "search" | "findDefinitions"> = {
        search(query, limit) {
          writer.endSearchRows("write");
          return kb.search(query, limit);
        },
        findDefinitions(query, limit) {
          writer.endSearchRows("write");
          return kb.findDefinitions(query, limit);
        },
      };
      const files = onDemand(() => allFiles(db, bare));
      const storedFiles = (fileIds?: readonly number[]) => {
        const wanted = new Set(fileIds);
        return fileIds === undefined ? files() : files().filter(({ id }) => wanted.has(id));
      };
      const rows = unparsed.termStats.map((row) => {
        const parsed = stats.get(row.fileId);
        return parsed === undefined ? row : { ...row, stats: parsed };
      });
      const all = { rows };
      const termStats = () => all;
      return {
        ...kb,
        ...textQueries(kb, unparsed),
        ...inTables,
        files,
        storedFiles,
        termStats,
        close: () => db.rollback(),
      };
    },
    close: () => db.close(),
  };
}

/** Stores the rows of files by id, each once. */
function bareRows(db: Db, bare: readonly StoredFileRow[]) {
  const stored = new Set<number>();
  /** Lower ids are stored. */
  let next = 0;
  const store = (ids: readonly number[]): void => {
    const files = ids.flatMap((id) => (stored.has(id) ? [] : (bare[id] ?? [])));
    db.runAll(
      `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, interface_hash)
       values (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')`,
      files.map(({ id, path, language, contentHash, sizeBytes, lineCount, tokenCount, isTest }) => {
        stored.add(id);
        return [id, path, language, contentHash, sizeBytes, lineCount, tokenCount, isTest ? 1 : 0];
      }),
    );
  };
  return {
    store,
    storeNext(): boolean {
      const ids: number[] = [];
      for (; next < bare.length && ids.length < STORED_AT_ONCE; next += 1) if (!stored.has(next)) ids.push(next);
      store(ids);
      return ids.length > 0;
    },
    /** After the rows were lost. */
    forget(): void {
      stored.clear();
      next = 0;
    },
  };
}

/** Beyond Unicode's first plane: SQLite orders them after all others. */
const SURROGATE = /[\ud800-\udfff]/;

/** All files by path, as the tables order them: nearly all rows are those that were put there, which takes no memory again. */
function allFiles(db: Db, bare: readonly StoredFileRow[]): readonly StoredFileRow[] {
  const parsed = new Map(storedFilesOf(db, "interface_hash <> ''").map((file) => [file.id, file]));
  const files = bare.flatMap((file) => parsed.get(file.id) ?? file);
  if (!files.some(({ path }) => SURROGATE.test(path))) return files;
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function textQueries(kb: FileQueries, { readText }: Unparsed): Partial<KnowledgeBase> {
  const bytesToMatch: FileQueries["bytesToMatch"] = (ids) => {
    const stored = kb.bytesToMatch(ids);
    const found = new Map<number, Uint8Array>();
    for (const id of ids) {
      const text = stored.get(id) ?? readText(id);
      if (text !== null) found.set(id, text);
    }
    return found;
  };
  const texts: FileQueries["texts"] = (ids) => {
    const stored = kb.texts(ids);
    const found = new Map<number, string>();
    for (const id of ids) {
      const text = stored.get(id) ?? readText(id)?.toString();
      if (text !== undefined) found.set(id, text);
    }
    return found;
  };
  return { texts, textsToMatch: texts, bytesToMatch };
}
