/**
 * Stores the commits that were read from history, by hash.
 *
 * They live in the parse cache and may be lost at any time; a damaged one counts as missing, and is read again.
 */

import { z } from "zod";
import { Failed } from "../../failure.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Db } from "../sqlite/db.ts";
import { IN_LIST, list } from "../sqlite/in-list.ts";
import { openDatabase } from "../sqlite/open.ts";
import { PARSE_CACHE_SCHEMA } from "./schema.ts";

/** A commit as read from history; a hash fixes its content. */
const Commit = z.object({
  hash: z.string(),
  author: z.string(),
  message: z.string(),
  timestamp: z.int(),
  files: z.array(z.string()).readonly(),
});
export type CachedCommit = Readonly<z.infer<typeof Commit>>;

/** Commits by hash. */
export type CommitsByHash = { get(hash: string): CachedCommit | undefined };

/** Reads commits when they are asked for: the cache has those of all work trees. */
export function readCommits(db: Db): CommitsByHash {
  const read = new Map<string, CachedCommit | undefined>();
  return {
    get: (hash) =>
      read.getOrInsertComputed(hash, () =>
        wholeCommits(db.all<CommitRow>("select record, sum from commits where hash = ?1", hash)).get(hash),
      ),
  };
}

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

/** The least number of commits that are kept, whoever uses them. */
const COMMITS_KEPT_MIN = 20_000;
/** As many times the commits that one work tree uses are kept. */
const WINDOWS_KEPT = 4;

/** Stores commits as used on `day`. Deletes those that were last used before `firstDay`, and above a number the least recently used. */
export function storeCommits(db: Db, commits: readonly CachedCommit[], day: number, firstDay: number): void {
  db.transaction(() => {
    db.runAll(
      `insert into commits(hash, record, sum, day) values (?1, ?2, ?3, ?4)
       on conflict(hash) do update set record = excluded.record, sum = excluded.sum, day = excluded.day
       where sum <> excluded.sum or record <> excluded.record or day <> excluded.day`,
      commits.map((commit) => {
        const record = JSON.stringify(commit);
        return [commit.hash, record, Bun.hash.crc32(record), day];
      }),
    );
    db.run("delete from commits where day < ?1", firstDay);
    db.run(
      "delete from commits where hash in (select hash from commits order by day desc, hash limit -1 offset ?1)",
      Math.max(COMMITS_KEPT_MIN, WINDOWS_KEPT * commits.length),
    );
  });
}

/** None for a damaged record: it is read from the repository again. */
function unpackCommit(json: string): readonly CachedCommit[] {
  const commit = Commit.safeParse(parseJson(json));
  return commit.success ? [commit.data] : [];
}
