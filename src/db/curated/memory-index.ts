/**
 * An index in memory, for one answer: it knows all files, and the facts of those that are parsed.
 *
 * The tables, their writer and their queries are those of the curated index. Texts and term statistics of files that are not
 * parsed stay outside of the tables.
 */
import { onDemand } from "../../concurrency/on-demand.ts";
import type { Db } from "../sqlite/db.ts";
import { openDatabase } from "../sqlite/open.ts";
import { filesOf } from "./file-queries.ts";
import type { FileQueries, FileRow, FileStatsRow, KnowledgeBase } from "./knowledge-base.ts";
import { knowledgeBase } from "./open-knowledge-base.ts";
import { emptyCache } from "./row-cache.ts";
import { CURATED_SCHEMA } from "./schema.ts";
import { idsIn } from "./term-blocks.ts";
import { type CuratedWriter, curatedWriter } from "./write.ts";

/** What the tables do not hold. */
export type Unparsed = {
  /** Of every file; those of parsed files are in the tables. */
  readonly termStats: readonly FileStatsRow[];
  /** The text of a file as UTF-8; null if it cannot be read any more. */
  readText(fileId: number): Buffer | null;
};

export type MemoryIndex = {
  readonly writer: CuratedWriter;
  /** Stores files without their facts. `writer` may replace them. */
  putBare(files: readonly FileRow[]): void;
  /** Answers until it is closed. There must not be another one, nor a transaction of the writer. */
  read(unparsed: Unparsed): KnowledgeBase;
  close(): void;
};

/** Opens an empty index. `repo` is named in failures. */
export function openMemoryIndex(repo: string): MemoryIndex {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  // Most answers ask no full-text table.
  const writer = curatedWriter(db, { onDemand: true });
  /** By id. */
  const bare: FileRow[] = [];
  return {
    writer,
    putBare: (files) => {
      for (const file of files) bare[file.id] = file;
      db.runAll(
        `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, interface_hash)
         values (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')`,
        files.map((file) => [
          file.id,
          file.path,
          file.language,
          file.contentHash,
          file.sizeBytes,
          file.lineCount,
          file.tokenCount,
          file.isTest ? 1 : 0,
        ]),
      );
    },
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
      return { ...kb, ...unparsedQueries(kb, unparsed), ...inTables, files, close: () => db.rollback() };
    },
    close: () => db.close(),
  };
}

/** All files by path, as the tables have them: nearly all rows are those that were put there, which takes no memory again. */
function allFiles(db: Db, bare: readonly FileRow[]): readonly FileRow[] {
  const parsed = new Map(filesOf(db, "interface_hash <> ''").map((file) => [file.id, file]));
  return db
    .all<{ readonly id: number }>("select id from files order by path")
    .flatMap(({ id }) => parsed.get(id) ?? bare[id] ?? []);
}

function unparsedQueries(kb: FileQueries, { termStats, readText }: Unparsed): Partial<KnowledgeBase> {
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
  const parsed = kb.termStats();
  const isParsed = new Set(parsed.flatMap(idsIn));
  const all = [...parsed, ...termStats.filter(({ fileId }) => !isParsed.has(fileId))];
  return { termStats: () => all, texts, textsToMatch: texts, bytesToMatch };
}
