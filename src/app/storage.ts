/**
 * What the data folder holds, by plain names, how large it is, and what frees it.
 */
import type { IndexMeta } from "../db/curated/meta.ts";
import { type DataFile, type DataKind, dataFiles } from "../db/data-folder/data-files.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { DRAFT_SUFFIX } from "../db/session/drafts.ts";
import { heldBy } from "../db/sqlite/lock.ts";
import type { Coverage } from "../enrichment/coverage.ts";

/** One row for each kind of thing that is there; `files` is 1, or the number of sessions. */
export type Stored = { readonly name: string; readonly bytes: number; readonly files: number };

/** What is indexed, and what is stored. */
export type Status = {
  readonly root: string;
  readonly dataDir: string;
  readonly index: IndexMeta | null;
  /** Why the index is older than the work tree; null when it is not. */
  readonly stale: string | null;
  /** What a model said of the files; null without an index. */
  readonly enrichment: Coverage | null;
  readonly stored: readonly Stored[];
  readonly runs: number;
  readonly versions: readonly (readonly [string, string])[];
};

/** What can be named to be removed. */
export type FreedBy = "index" | "cache" | "vectors" | "set-aside" | "log" | "sessions";

/** Files of one use. `freedBy` is the option of `cra clean` that removes them, null where none does. */
export type DiskUse = {
  readonly name: string;
  readonly freedBy: FreedBy | null;
  readonly files: readonly DataFile[];
  readonly bytes: number;
};

const USES: readonly (readonly [name: string, freedBy: FreedBy | null, kinds: readonly DataKind[]])[] = [
  ["index", "index", ["index"]],
  ["log", "log", ["log"]],
  ["parse cache", "cache", ["parse cache"]],
  ["vectors", "vectors", ["vectors"]],
  ["memory", null, ["memory"]],
  ["sessions", "sessions", ["session"]],
  ["set aside", "set-aside", ["set aside", "leftover"]],
  ["locks", null, ["lock", "claim", "ignore file"]],
  ["not cra's", null, ["foreign"]],
];

/** Everything in the folder; a claim that nobody holds was left behind. */
export function diskUses(paths: DataPaths): readonly DiskUse[] {
  const files = dataFiles(paths).map(
    (file): DataFile => (file.kind === "claim" && heldBy(file.path) === null ? { ...file, kind: "leftover" } : file),
  );
  return USES.flatMap(([name, freedBy, kinds]) => {
    const own = files.filter(({ kind }) => kinds.includes(kind));
    return own.length === 0 ? [] : [{ name, freedBy, files: own, bytes: bytesOf(own) }];
  });
}

/** What of it an answer may come from. */
export function storedIn(paths: DataPaths): readonly Stored[] {
  return diskUses(paths).flatMap(({ name, files, bytes }) =>
    KEPT.has(name) ? [{ name, bytes, files: name === "sessions" ? tasksOf(files) : 1 }] : [],
  );
}

const KEPT: ReadonlySet<string> = new Set(["index", "log", "parse cache", "vectors", "memory", "sessions"]);

const tasksOf = (files: readonly DataFile[]): number =>
  new Set(files.filter(({ path }) => !path.endsWith(DRAFT_SUFFIX)).map(({ task }) => task)).size;

export const bytesOf = (files: readonly DataFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
