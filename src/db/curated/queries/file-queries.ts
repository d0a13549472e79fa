/** Reads files, their texts, term statistics and metadata from the curated index. */
import { z } from "zod";
import { Failed } from "../../../failure.ts";
import type { Db, Flagged } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import type { FileMetadataRow, FileQueries, FileRow, SkippedPath, StoredFileRow } from "../knowledge-base.ts";
import { pathBlocks } from "../path-blocks.ts";
import { refuseTogether, type StoredText, textOf } from "../stored-text.ts";
import { passingTermBlocks, termBlockBytes, termBlocks } from "../term-blocks.ts";
import { cachedTexts, type RowCache } from "./row-cache.ts";

/** Larger statistics, of about 14,000 files, are not cached. */
const STATS_BYTES_MAX = 24 * 1024 * 1024;

export function fileQueries(db: Db, cache: RowCache): FileQueries {
  const bytes = cachedTexts(cache.bytes, (fileIds) => bytesOf(db, fileIds));
  const texts = cachedTexts(
    cache.texts,
    (fileIds) => new Map([...bytes(fileIds)].map(([id, text]) => [id, text.toString()])),
  );
  return {
    files: () => (cache.files ??= filesOf(db)),
    storedFiles: (fileIds) =>
      fileIds === undefined ? storedFilesOf(db) : storedFilesOf(db, `id ${IN_LIST}`, list(fileIds)),
    texts,
    textsToMatch: texts,
    bytesToMatch: bytes,
    termStats: () => {
      if (cache.termStats === null && termBlockBytes(db) > STATS_BYTES_MAX)
        return { passing: passingTermBlocks(db), paths: pathBlocks(db) };
      cache.termStats ??= { rows: termBlocks(db), paths: pathBlocks(db) };
      return cache.termStats;
    },
    fileMetadata: () => metadataOf(db),
    secretFree: (fileIds, rules) =>
      db
        .all<{ readonly id: number }>(
          `select id from files where id ${IN_LIST} and secret_free_by = ?2`,
          list(fileIds),
          rules,
        )
        .map(({ id }) => id),
    idsOf: (paths) =>
      new Map(
        db
          .all<Pick<FileRow, "id" | "path">>(`select id, path from files where path ${IN_LIST}`, list(paths))
          .map(({ id, path }) => [path, id]),
      ),
    skipOf: (path) => skipOf(db, path),
  };
}

function skipOf(db: Db, path: string): SkippedPath | null {
  const found = db.all<SkippedPath>(
    `select path, reason from index_skips
     where path = ?1 or substr(path, -length(?1) - 1) = '/' || ?1 or substr(?1, 1, length(path) + 1) = path || '/'
     order by path <> ?1, path limit 2`,
    path,
  );
  const [first = null] = found;
  return found.length === 1 || first?.path === path ? first : null;
}

/** The rows of all files, by path. A large repository has so many that two columns less, or a copy of each, are a tenth of the time or more. */
function filesOf(db: Db): readonly FileRow[] {
  const rows = db.all<{ -readonly [Name in keyof FileRow]: FileRow[Name] }>(
    `select id, path, language, line_count as lineCount, token_count as tokenCount, is_test as isTest,
       modified_at as modifiedAt from files order by path`,
  );
  // SQLite has 1 and 0.
  for (const row of rows) row.isTest = Number(row.isTest) === 1;
  return rows;
}

/** All columns of all files, or of those that a condition on `files` names, by path. */
export const storedFilesOf = (db: Db, condition = "true", ...values: readonly string[]): readonly StoredFileRow[] =>
  db
    .all<Flagged<StoredFileRow, "isTest">>(
      `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, line_count as lineCount,
         token_count as tokenCount, is_test as isTest, modified_at as modifiedAt from files where ${condition} order by path`,
      ...values,
    )
    .map((row) => ({ ...row, isTest: row.isTest === 1 }));

function bytesOf(db: Db, fileIds: readonly number[]): ReadonlyMap<number, Buffer> {
  const rows = db.all<StoredText & { readonly id: number }>(
    `select t.file_id as id, t.text, f.size_bytes as sizeBytes from file_texts t join files f on f.id = t.file_id where t.file_id ${IN_LIST} order by f.path`,
    list(fileIds),
  );
  refuseTogether(db, rows);
  return new Map(rows.map((row) => [row.id, textOf(db, row)]));
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
