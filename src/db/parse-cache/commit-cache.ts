/**
 * Stores the commits that were read from history, packed together by the beginning of their hash.
 *
 * They live in the parse cache and may be lost at any time; those of a damaged pack count as missing, and are read again.
 */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { parseJson } from "../../text/parse-json.ts";
import { packZstd, STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "../sqlite/db.ts";
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

/** Commits by hash. */
export type CommitsByHash = { get(hash: string): CachedCommit | undefined };

/** Reads a pack when one of its commits is asked for: the cache has those of all work trees. */
export function readCommits(db: Db): CommitsByHash {
  const read = new Map<number, ReadonlyMap<string, CachedCommit>>();
  return {
    get: (hash) => read.getOrInsertComputed(bucketOf(hash), (bucket) => commitsOf(readPack(db, bucket))).get(hash),
  };
}

/** The cached commits with these hashes, by hash; none when the cache cannot be read. */
export function readCachedCommits(path: string, hashes: readonly string[]): ReadonlyMap<string, CachedCommit> {
  try {
    const db = openDatabase(path, "read", PARSE_CACHE_SCHEMA);
    try {
      const known = readCommits(db);
      return new Map(
        hashes.flatMap((hash) => {
          const commit = known.get(hash);
          return commit === undefined ? [] : [[hash, commit] as const];
        }),
      );
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Failed) return new Map();
    throw error;
  }
}

/** The number of packs. With 5,000 commits they take a fifth more room than one pack, and a commit is read and written with few others. */
const BUCKETS = 128;

const bucketOf = (hash: string): number => Number.parseInt(hash.slice(0, 2), 16) % BUCKETS || 0;

/** A commit and the day on which it was last used. */
const Packed = z.tuple([z.string(), z.string(), z.string(), z.int(), z.array(z.string()), z.int()]);
type Packed = z.infer<typeof Packed>;
const Pack = z.array(Packed);
type Pack = readonly Packed[];

/** A stored pack with its checksum. */
export type CommitPackRow = { readonly bucket: number; readonly sum: number; readonly pack: Uint8Array };

/** Selects every pack, for checking. */
export const COMMIT_PACKS_SQL = "select bucket, sum, pack from commit_packs";

/** Whether a pack is as it was written. */
export const isWholePack = ({ bucket, sum, pack }: CommitPackRow): boolean => sum === sumOf(bucket, pack);

const sumOf = (bucket: number, pack: Uint8Array): number => Bun.hash.crc32(pack, bucket);

/** Empty when there is none, or none that can be read. */
function readPack(db: Db, bucket: number): Pack {
  const row = db.get<CommitPackRow>(`${COMMIT_PACKS_SQL} where bucket = ?1`, bucket);
  if (row === null || !isWholePack(row)) return [];
  try {
    return Pack.safeParse(parseJson(unpackZstd(row.pack, STORED_BYTES_MAX).toString("utf8"))).data ?? [];
  } catch {
    return []; // They are read from the repository again.
  }
}

const commitsOf = (pack: Pack): ReadonlyMap<string, CachedCommit> =>
  new Map(pack.map(([hash, author, message, timestamp, files]) => [hash, { hash, author, message, timestamp, files }]));

/** The least number of commits that are kept, whoever uses them. */
const COMMITS_KEPT_MIN = 20_000;
/** As many times the commits that one work tree uses are kept. */
const WINDOWS_KEPT = 4;

/** Stores commits as used on `day`. Deletes those that were last used before `firstDay`, and above a number the least recently used. */
export function storeCommits(db: Db, commits: readonly CachedCommit[], day: number, firstDay: number): void {
  const used = Map.groupBy(commits, ({ hash }) => bucketOf(hash));
  db.transaction(() => {
    const before = Array.from({ length: BUCKETS }, (_, bucket) => readPack(db, bucket));
    const after = before.map((pack, bucket) => merged(pack, used.get(bucket) ?? [], day));
    const keptMax = Math.max(COMMITS_KEPT_MIN, WINDOWS_KEPT * commits.length);
    const kept = new Set(
      after
        .flat()
        .filter(([, , , , , usedOn]) => usedOn >= firstDay)
        .toSorted(byLastUse)
        .slice(0, keptMax),
    );
    for (const [bucket, pack] of after.entries()) {
      const next = pack.filter((commit) => kept.has(commit));
      const old = before[bucket] ?? [];
      if (next.length !== old.length || next.some((commit, at) => commit !== old[at])) writePack(db, bucket, next);
    }
  });
}

/** The commits of a pack and those that are used now, by hash. Commits that do not change stay the same values. */
function merged(pack: Pack, used: readonly CachedCommit[], day: number): Pack {
  const all = new Map(pack.map((commit) => [commit[0], commit]));
  for (const { hash, author, message, timestamp, files } of used)
    if (all.get(hash)?.[5] !== day) all.set(hash, [hash, author, message, timestamp, [...files], day]);
  return [...all.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

const byLastUse = (a: Packed, b: Packed): number => b[5] - a[5] || (a[0] < b[0] ? -1 : 1);

function writePack(db: Db, bucket: number, commits: Pack): void {
  const pack = packZstd(Buffer.from(JSON.stringify(commits)), null);
  db.run(
    "insert or replace into commit_packs(bucket, sum, pack) values (?1, ?2, ?3)",
    bucket,
    sumOf(bucket, pack),
    pack,
  );
}
