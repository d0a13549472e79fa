/**
 * Counts the terms of every text file of the work tree, without parsing any.
 *
 * What is counted is kept by content and by stat key, so an interrupted run continues, and a later one reads only what changed.
 */
import type { CountCache, TextCounts } from "../../db/parse-cache/count-cache.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import type { TreeFile } from "../../source/walk/tree.ts";
import { byPath } from "../../text/order.ts";
import type { IndexableFile, IndexOptions, ReportProgress, Skip } from "../model/index-run.ts";
import { isSettled, statKeyOf, type WalkResult } from "../update/change-fingerprint.ts";
import type { IndexDeps } from "../update/index-deps.ts";
import { indexableFile, statMaker } from "../update/scan-and-parse.ts";
import { countFile, type FileCounts } from "./count-file.ts";
import type { CountPool } from "./count-pool.ts";

export type CountedFile = IndexableFile & { readonly counts: TextCounts };

/** Every text file of the work tree, in order of path, and what was skipped. */
export type Corpus = {
  readonly files: readonly CountedFile[];
  readonly skips: readonly Skip[];
  /** No earlier run counted the tree. */
  readonly isFirst: boolean;
  /** Stores for the next run what was counted last, and which files were seen. Can be repeated. */
  remember(): void;
};

type CountDeps = Pick<IndexDeps, "build" | "workTree"> & {
  readonly pool: Pick<CountPool, "count">;
  readonly cache: CountingCache;
  /** Counts by content hash, of an index. */
  readonly known: ReadonlyMap<string, TextCounts>;
};

/** The part of the parse cache that counting needs. */
export type CountingCache = Pick<ParseCache, "statEntries" | "setStatEntries"> & {
  readonly counts: Pick<CountCache, "all" | "put" | "keep">;
};

/** A batch ends after this many files or bytes. */
const BATCH_FILES_MAX = 200;
const BATCH_BYTES_MAX = 1024 * 1024;
/** Less is counted on this thread, since another one takes longer to start. */
const HERE_BYTES_MAX = 256 * 1024;
/** Counts are stored so many bytes at a time: every transaction rewrites most pages of the table's index. */
const STORED_BYTES_MIN = 8 * 1024 * 1024;
/** Counts of contents that are gone are deleted when there are this many times more counts than files. */
const COUNTS_PER_FILE_MAX = 2;

/** Throws the signal's reason. */
export async function countTree(
  deps: CountDeps,
  { bytesMax }: Pick<IndexOptions, "bytesMax">,
  walked: WalkResult,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Corpus> {
  const { workTree, pool, cache } = deps;
  const maker = statMaker(deps.build);
  const seenBefore = cache.statEntries(maker);
  const counted = cache.counts.all();
  const { files, skips, seen, unread } = sortOut(deps, bytesMax, walked, seenBefore, counted);
  const total = unread.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  const unstored = openBuffer(cache);
  const take = (entries: readonly TreeFile[], found: readonly FileCounts[]): void => {
    for (const [at, entry] of entries.entries()) {
      const one = found[at];
      if (one === undefined) continue;
      const skip = one.kind === "problem" ? "unreadable" : one.kind === "skipped" ? one.reason : null;
      if (skip !== null) skips.push({ path: entry.path, reason: skip });
      if (one.kind === "counted") {
        files.push({ ...one.file, counts: one.counts });
        unstored.add(one.counts);
      }
      // What could not be read may be readable next time.
      if (one.kind !== "problem" && isSettled(entry, walked.walkedAt))
        seen.push({ path: entry.path, mark: statKeyOf(entry), hash: one.file.contentHash, skip });
    }
    done += entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    report({ phase: "count", done, total, unit: "bytes" });
  };
  const isLittle = total < HERE_BYTES_MAX;
  const count = async (paths: readonly string[]): Promise<readonly FileCounts[]> =>
    isLittle ? paths.map((path) => countFile(workTree, path, bytesMax)) : pool.count(paths);
  try {
    await Promise.all(
      batchesOf(unread).map(async (entries) => take(entries, await count(entries.map(({ path }) => path)))),
    );
    signal.throwIfAborted();
  } catch (error) {
    unstored.store();
    throw error;
  }
  return {
    files: files.sort(byPath),
    skips: skips.sort(byPath),
    isFirst: seenBefore.size === 0,
    remember() {
      unstored.store();
      cache.setStatEntries(maker, seenBefore, seen);
      if (counted.size > COUNTS_PER_FILE_MAX * files.length)
        cache.counts.keep(new Set(files.map(({ contentHash }) => contentHash)));
    },
  };
}

/** Counts that are not stored yet. */
function openBuffer({ counts }: Pick<CountingCache, "counts">) {
  const rows: TextCounts[] = [];
  let bytes = 0;
  const store = (): void => {
    counts.put(rows.splice(0));
    bytes = 0;
  };
  return {
    add(row: TextCounts): void {
      rows.push(row);
      bytes += row.stats.byteLength;
      if (bytes >= STORED_BYTES_MIN) store();
    },
    store,
  };
}

/** Divides the files of the tree: those whose content has not changed since it was counted or skipped, and the others. */
function sortOut(
  { workTree, known }: CountDeps,
  bytesMax: number,
  { tree }: WalkResult,
  seenBefore: ReadonlyMap<string, StatEntry>,
  counted: ReadonlyMap<string, TextCounts>,
) {
  const limits = { bytesMax, vendoredIsMain: workTree.vendoredIsMain(tree.files.map(({ path }) => path)) };
  const files: CountedFile[] = [];
  const skips: Skip[] = tree.leftOut.map(({ path, reason }) => ({ path, reason }));
  const seen: StatEntry[] = [];
  const unread: TreeFile[] = [];
  for (const entry of tree.files) {
    const { path, sizeBytes } = entry;
    const reason = workTree.skipByPath(path, sizeBytes, limits);
    if (reason !== null) {
      skips.push({ path, reason });
      continue;
    }
    const same = seenBefore.get(path);
    const isSame = same !== undefined && same.mark === statKeyOf(entry);
    const counts = isSame ? (known.get(same.hash) ?? counted.get(same.hash)) : undefined;
    if (isSame && (counts !== undefined || same.skip !== null)) {
      seen.push(same);
      if (same.skip !== null) skips.push({ path, reason: same.skip });
      else if (counts !== undefined) files.push({ ...indexableFile(path, same.hash, sizeBytes), counts });
    } else unread.push(entry);
  }
  return { files, skips, seen, unread };
}

function batchesOf(files: readonly TreeFile[]): readonly (readonly TreeFile[])[] {
  const batches: TreeFile[][] = [];
  let batch: TreeFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === BATCH_FILES_MAX || (batch.length > 0 && bytes + file.sizeBytes > BATCH_BYTES_MAX)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.sizeBytes;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
