/**
 * What an index says about itself: one validated JSON value in the table `meta`.
 *
 * Not here: the file, symbol and history rows (`curated-write.ts`).
 */
import { z } from "zod";
import { Failed } from "../failure.ts";
import type { IndexMeta } from "./curated.ts";
import type { Db } from "./open.ts";

const count = z.int().nonnegative();

/** `configHash` names the indexing configuration the rows were made with. */
export const StoredMeta = z.strictObject({
  contentHash: z.string(),
  configHash: z.string(),
  head: z.string().nullable(),
  remoteUrl: z.string().nullable(),
  craVersion: z.string(),
  extractorVersion: z.string(),
  historyProblem: z.string().nullable(),
  counts: z.strictObject({
    files: count,
    symbols: count,
    dependencies: count,
    references: count,
    commits: count,
    coChanges: count,
  }),
  languages: z.array(z.strictObject({ language: z.string(), files: count })),
  skipped: z.array(z.strictObject({ reason: z.string(), count })),
});
export type StoredMeta = z.infer<typeof StoredMeta>;

/** The index's own description, or null when nothing was indexed into this file yet. */
export function readStoredMeta(db: Db): StoredMeta | null {
  const row = db.get<{ value: string }>("select value from meta where key = 'index'");
  if (row === null) return null;
  const meta = StoredMeta.safeParse(parsed(row.value));
  if (!meta.success) throw new Failed({ code: "index-damaged", path: db.path, why: "its description is not readable" });
  return meta.data;
}

/** The same with where the repository was and when it was indexed, which are no part of the generation. */
export function readMeta(db: Db): IndexMeta | null {
  const meta = readStoredMeta(db);
  const repo = db.get<{ path: string; indexedAt: string }>(
    "select path, indexed_at as indexedAt from repos where id = 1",
  );
  if (meta === null || repo === null) return null;
  const { configHash: _, counts, ...rest } = meta;
  const { coChanges: __, ...shown } = counts;
  return { ...rest, counts: shown, repoPath: repo.path, indexedAt: repo.indexedAt };
}

export function writeStoredMeta(db: Db, meta: StoredMeta): void {
  db.run(
    "insert into meta(key, value) values ('index', ?1) on conflict(key) do update set value = excluded.value",
    JSON.stringify(meta),
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null; // The schema refuses it.
  }
}
