/**
 * Answers the knowledge base's questions from a read-only connection.
 *
 * A read transaction stays open, so all answers are about one generation. Rows are ordered by path, then by position in the file,
 * so an index with a history gives the same answers as a new one.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { NOTHING_WRITTEN, openDatabase } from "../sqlite/open.ts";
import { search } from "./full-text/search.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import { type IndexMeta, readMeta } from "./meta.ts";
import { edgeQueries } from "./queries/edge-queries.ts";
import { fileQueries } from "./queries/file-queries.ts";
import { proseQueries } from "./queries/prose-queries.ts";
import { recallQueries } from "./queries/recall-queries.ts";
import { type RowCache, rowCache } from "./queries/row-cache.ts";
import { symbolQueries } from "./queries/symbol-queries.ts";
import { CURATED_SCHEMA } from "./schema.ts";

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

/** Answers from the current generation of the index in `db` until closed. */
export function knowledgeBase(db: Db, repo: string, cacheOf: (meta: IndexMeta) => RowCache): KnowledgeBase {
  db.script("begin");
  const meta = readMeta(db);
  if (meta === null) throw new Failed({ code: "not-indexed", repo });
  const cache = cacheOf(meta);
  return {
    ...fileQueries(db, cache),
    ...symbolQueries(db, cache),
    ...proseQueries(db),
    ...edgeQueries(db, cache),
    ...recallQueries(db),
    meta: () => meta,
    commitRange: () => commitRangeOf(db),
    commitHashes: () =>
      db.all<{ hash: string }>("select hash from commits order by timestamp desc, hash").map(({ hash }) => hash),
    search: (query, limit) => search(db, query, limit),
    close: () => db.close(),
  };
}

function commitRangeOf(db: Db): ReturnType<KnowledgeBase["commitRange"]> {
  const row = db.get<{ oldest: number | null; newest: number | null }>(
    "select min(timestamp) as oldest, max(timestamp) as newest from commits",
  );
  return row === null || row.oldest === null || row.newest === null ? null : { oldest: row.oldest, newest: row.newest };
}
