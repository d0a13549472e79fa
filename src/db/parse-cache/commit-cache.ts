/**
 * Stores the commits that were read from history, by hash.
 *
 * They live in the parse cache and may be lost at any time; a damaged one counts as missing, and is read again.
 */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { IN_LIST, list } from "../sqlite/in-list.ts";
import { openDatabase } from "../sqlite/open.ts";
import { PARSE_CACHE_SCHEMA } from "./schema.ts";

/** A commit as read from history; a hash fixes its content. */
export type CachedCommit = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
  readonly files: readonly string[];
};

/** All commits, by hash. */
export const readCommits = (db: Db): ReadonlyMap<string, CachedCommit> =>
  wholeCommits(db.all<CommitRow>("select record, sum from commits"));

/** The cached commits with these hashes, by hash; none when the cache cannot be read. */
export function readCachedCommits(path: string, hashes: readonly string[]): ReadonlyMap<string, CachedCommit> {
  try {
    const db = openDatabase(path, "read", PARSE_CACHE_SCHEMA);
    try {
      return wholeCommits(db.all<CommitRow>(`select record, sum from commits where hash ${IN_LIST}`, list(hashes)));
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Failed) return new Map();
    throw error;
  }
}

type CommitRow = { readonly record: string; readonly sum: number };

function wholeCommits(rows: readonly CommitRow[]): ReadonlyMap<string, CachedCommit> {
  const records = rows.flatMap(({ record, sum }) => (sum === Bun.hash.crc32(record) ? unpackCommit(record) : []));
  return new Map(records.map((record) => [record.hash, record]));
}

/** Replaces all commits, writing only the differences. */
export function replaceCommits(db: Db, commits: readonly CachedCommit[]): void {
  db.transaction(() => {
    const hashes = JSON.stringify(commits.map(({ hash }) => hash));
    db.run("delete from commits where hash not in (select value from json_each(?1))", hashes);
    db.runAll(
      "insert into commits(hash, record, sum) values (?1, ?2, ?3) on conflict(hash) do update set record = excluded.record, sum = excluded.sum where sum <> excluded.sum or record <> excluded.record",
      commits.map((commit) => {
        const record = JSON.stringify(commit);
        return [commit.hash, record, Bun.hash.crc32(record)];
      }),
    );
  });
}

const Commit = z.object({
  hash: z.string(),
  author: z.string(),
  message: z.string(),
  timestamp: z.int(),
  files: z.array(z.string()),
});

function unpackCommit(json: string): readonly CachedCommit[] {
  try {
    const commit = Commit.safeParse(JSON.parse(json));
    return commit.success ? [commit.data] : [];
  } catch {
    return []; // It is read from the repository again.
  }
}
