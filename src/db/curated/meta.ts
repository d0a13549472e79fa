/** The index's description of itself: one validated JSON value in the table `meta`. */

import { z } from "zod";
import { Failed } from "../../failure.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Db } from "../sqlite/db.ts";

const count = z.int().nonnegative();

/**
 * `sourceHash` covers every path and content hash, HEAD and the indexing configuration. `contentHash`
 * also covers what else differs in the index: history that could not be read, and files that could not be parsed. `configHash`
 * identifies the indexing configuration.
 */
export const StoredMeta = z.strictObject({
  contentHash: z.string(),
  sourceHash: z.string(),
  configHash: z.string(),
  head: z.string().nullable(),
  remoteUrl: z.string().nullable(),
  /** Identifies where the history of a shallow clone ends; null for a complete clone. */
  shallow: z.string().nullable(),
  craVersion: z.string(),
  extractorVersion: z.string(),
  /** Why there is no history, or only an earlier one; null when there is one. */
  historyProblem: z.string().nullable(),
  /** The commit and the configuration of the earlier history that is kept because the present one could not be read. */
  keptHistory: z.strictObject({ head: z.string(), configHash: z.string() }).optional(),
  /** What the exact references came from: its identity with that of the covered files, and how many files it covers. */
  scip: z.strictObject({ id: z.string(), files: count, changed: count, unknown: count }).optional(),
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
  /** Only of an index in memory that was made for one answer: how many of its files are parsed, and what index there was. */
  provisional: z.strictObject({ parsed: count, index: z.enum(["none", "behind"]) }).optional(),
});
export type StoredMeta = z.infer<typeof StoredMeta>;

/** What the index describes. Indexes with the same `contentHash` give the same packages. */
export type IndexMeta = Omit<Readonly<StoredMeta>, "configHash" | "shallow" | "counts"> & {
  readonly counts: Omit<Readonly<StoredMeta["counts"]>, "coChanges">;
  readonly repoPath: string;
  readonly indexedAt: string;
  /** Only of a union: repositories that were asked for and could not be opened. */
  readonly leftOut?: readonly LeftOut[];
  /** Only of a union: repositories whose index was made for one answer. */
  readonly provisionalIn?: readonly string[];
};

/** `why` is a clause for people. */
export type LeftOut = { readonly name: string; readonly why: string };

/** The description; null when nothing has been indexed yet. */
export function readStoredMeta(db: Db): StoredMeta | null {
  const row = db.get<{ value: string }>("select value from meta where key = 'index'");
  if (row === null) return null;
  const meta = StoredMeta.safeParse(parseJson(row.value));
  if (!meta.success) throw new Failed({ code: "index-damaged", path: db.path, why: "its description is unreadable" });
  return meta.data;
}

/** The description with the repository's path and the time of indexing, which are not part of the generation. */
export function readMeta(db: Db): IndexMeta | null {
  const meta = readStoredMeta(db);
  const repo = db.get<{ path: string; indexedAt: string }>(
    "select path, indexed_at as indexedAt from repos where id = 1",
  );
  if (meta === null || repo === null) return null;
  const { configHash: _, shallow: ___, counts, ...rest } = meta;
  const { coChanges: __, ...shown } = counts;
  return { ...rest, counts: shown, repoPath: repo.path, indexedAt: repo.indexedAt };
}

export function writeStoredMeta(db: Db, meta: StoredMeta): void {
  db.run(
    "insert into meta(key, value) values ('index', ?1) on conflict(key) do update set value = excluded.value",
    JSON.stringify(meta),
  );
}

const Names = z.array(z.string());

export function readConfigNames(db: Db): readonly string[] | null {
  const row = db.get<{ value: string }>("select value from meta where key = 'config_names'");
  return Names.safeParse(parseJson(row?.value ?? "")).data ?? null;
}

export function writeConfigNames(db: Db, names: readonly string[]): void {
  db.run(
    "insert into meta(key, value) values ('config_names', ?1) on conflict(key) do update set value = excluded.value",
    JSON.stringify(names),
  );
}

/** The counts for the description, computed from the rows. */
export function summaryOf(db: Db): Pick<StoredMeta, "counts" | "languages" | "skipped"> {
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
