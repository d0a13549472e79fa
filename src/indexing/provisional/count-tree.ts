/**
 * Counts the terms of every text file of the work tree, without parsing any.
 *
 * What is counted is kept by content and by stat key, so an interrupted run continues, and a later one reads only what changed.
 */

import type { CountCache } from "../../db/parse-cache/count-cache.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import type { TreeFile } from "../../source/walk/tree-digest.ts";
import { byPath } from "../../text/order.ts";
import type { TextCounts } from "../../text/terms/count-block.ts";
import type { IndexableFile, IndexOptions, ReportProgress, Skip } from "../model/index-run.ts";
import { isSettled, statKeyOf, type WalkResult } from "../update/change-fingerprint.ts";
import type { IndexDeps } from "../update/index-deps.ts";
import { indexableFile, statMaker } from "../update/scan-and-parse.ts";
import { type CountedBatch, countBatch, filesIn } from "./count-batch.ts";
import type { FileCounts } from "./count-file.ts";
import type { CountPool } from "./count-pool.ts";

export type CountedFile = IndexableFile & { readonly counts: TextCounts };

/** Every text file of the work tree, in order of path, and what was skipped. */
export type Corpus = {
  readonly files: readonly CountedFile[];
  readonly skips: readonly Skip[];
  /** No earlier run counted the tree. */
  readonly isFirst: boolean;
  /** Stores for the next run what was counted last, and which files were seen. Once all is stored, a call does nothing. */
  remember(): void;
  /** The same in steps of some milliseconds: takes one, and says whether that was the last. */
  rememberSome(): boolean;
};

type CountDeps = Pick<IndexDeps, "build" | "workTree"> & {
  readonly pool: Pick<CountPool, "count">;
  readonly cache: CountingCache;
  /** Counts by content hash, of an index. */
  readonly known: ReadonlyMap<string, TextCounts>;
};

/** The part of the parse cache that counting needs. */
export type CountingCache = Pick<ParseCache, "statEntries" | "setStatEntries" | "addStatEntries"> & {
  readonly counts: Pick<CountCache, "all" | "put" | "keep">;
};

/** A batch ends after this many files or bytes: all threads but one wait while the last is counted. */
const BATCH_FILES_MAX = 100;
const BATCH_BYTES_MAX = 256 * 1024;
/** Less is counted on this thread, since another one takes longer to start. */
const HERE_BYTES_MAX = 256 * 1024;
/** Counts are stored so many bytes at a time: every transaction rewrites most pages of the table's index. */
const STORED_BYTES_MIN = 8 * 1024 * 1024;
/** So many seen files are stored at a time in a first run. */
const SEEN_A_STEP = 1_000;
/** Counts of contents that are gone are deleted when there are this many times more counts than files. */
const COUNTS_PER_FILE_MAX = 2;

export type Counting = {
  /** Counts files that the walk has found, while it goes on. */
  ahead(found: readonly TreeFile[]): void;
  /** Counts the rest. Throws the signal's reason. */
  finish(walked: WalkResult, report: ReportProgress, signal: AbortSignal): Promise<Corpus>;
  /** Stores what was counted if there will be no corpus. */
  store(): void;
};

/** Begins to count a work tree. */
export function openCounting(deps: CountDeps, { bytesMax }: Pick<IndexOptions, "bytesMax">): Counting {
  const { workTree, pool, cache } = deps;
  const maker = statMaker(deps.build);
  const seenBefore = cache.statEntries(maker);
  const counted = cache.counts.all();
  const before = { seenBefore, counted };
  const unstored = openBuffer(cache);
  const read: ReadFile[] = [];
  const given = new Set<string>();
  const work: Promise<void>[] = [];
  const ahead = openBatch();
  let done = 0;
  let progress = (): void => undefined;

  const take = (entries: readonly TreeFile[], batch: CountedBatch): void => {
    const found = filesIn(
      batch,
      entries.map(({ path }) => path),
    );
    for (const [at, entry] of entries.entries()) {
      const one = found[at];
      if (one !== undefined) read.push({ entry, found: one, file: countedFile(entry, one) });
      done += entry.sizeBytes;
    }
    unstored.add(batch.block);
    progress();
  };
  const give = (entries: readonly TreeFile[], count: CountPool["count"]): void => {
    for (const { path } of entries) given.add(path);
    const counting = count(entries.map(({ path }) => path)).then((batch) => take(entries, batch));
    // `finish` waits for it and throws what it throws; until then a rejection must not count as unheard.
    counting.catch(() => undefined);
    work.push(counting);
  };
  return {
    ahead(found) {
      const limits = { bytesMax, vendoredIsMain: false };
      for (const file of found) {
        // What is skipped now may be counted later, but not the other way round.
        if (workTree.skipByPath(file.path, file.sizeBytes, limits) !== null || knownOf(deps, before, file) !== null)
          continue;
        const full = ahead.add(file);
        if (full !== null) give(full, pool.count);
      }
    },
    async finish(walked, report, signal) {
      const sorted = sortOut(deps, bytesMax, walked, before);
      const unread = sorted.unread.filter(({ path }) => !given.has(path));
      const total = sorted.unread.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      progress = () => report({ phase: "count", done, total, unit: "bytes" });
      const isLittle = total < HERE_BYTES_MAX && work.length === 0;
      const countHere = async (paths: readonly string[]) => countBatch(workTree, paths, bytesMax);
      const last = openBatch();
      const batches = unread.flatMap((file) => [last.add(file) ?? []]);
      for (const batch of [...batches, last.rest()])
        if (batch.length > 0) give(batch, isLittle ? countHere : pool.count);
      try {
        await Promise.all(work);
        signal.throwIfAborted();
      } catch (error) {
        unstored.store();
        throw error;
      }
      const { files, skips, seen } = withRead(sorted, walked, read);
      const isMany = counted.size > COUNTS_PER_FILE_MAX * files.length;
      const steps = storeSteps(cache, maker, unstored, seenBefore, seen, isMany ? files : null);
      const rememberSome = (): boolean => steps.next().done === true;
      const remember = (): void => {
        while (!rememberSome());
      };
      return { files, skips, isFirst: seenBefore.size === 0, remember, rememberSome };
    },
    store: unstored.store,
  };
}

/** Stores in steps what was counted last and which files were `seen`. Unless `kept` is null, it deletes the counts of all other texts. */
function* storeSteps(
  cache: CountingCache,
  maker: string,
  unstored: Pick<ReturnType<typeof openBuffer>, "store">,
  seenBefore: ReadonlyMap<string, StatEntry>,
  seen: readonly StatEntry[],
  kept: readonly CountedFile[] | null,
): Generator<undefined, void> {
  unstored.store();
  yield;
  // Where something was seen before, there are only differences to store.
  const atOnce = seenBefore.size === 0 ? SEEN_A_STEP : seen.length;
  cache.setStatEntries(maker, seenBefore, seen.slice(0, atOnce));
  for (let at = atOnce; at < seen.length; at += SEEN_A_STEP) {
    yield;
    cache.addStatEntries(maker, seen.slice(at, at + SEEN_A_STEP));
  }
  if (kept !== null) cache.counts.keep(new Set(kept.map(({ contentHash }) => contentHash)));
}

/** `file` is null if it was not counted. */
type ReadFile = { readonly entry: TreeFile; readonly found: FileCounts; readonly file: CountedFile | null };

const countedFile = ({ path }: TreeFile, found: FileCounts): CountedFile | null =>
  found.kind === "counted"
    ? { ...indexableFile(path, found.counts.hash, found.sizeBytes), counts: found.counts }
    : null;

/** Adds what was read to what was known, in order of path. */
function withRead({ files, skips, seen }: Sorted, { walkedAt }: WalkResult, read: readonly ReadFile[]) {
  for (const { entry, found, file } of read) {
    const { path } = entry;
    const skip = found.kind === "problem" ? "unreadable" : found.kind === "skipped" ? found.reason : null;
    if (skip !== null) skips.push({ path, reason: skip });
    // What could not be read may be readable next time.
    if (found.kind === "problem") continue;
    const hash = found.kind === "counted" ? found.counts.hash : found.hash;
    if (file !== null) files.push(file);
    if (isSettled(entry, walkedAt)) seen.push({ path, mark: statKeyOf(entry), hash, skip });
  }
  return { files: files.sort(byPath), skips: skips.sort(byPath), seen };
}

/** Blocks of counts that are not stored yet. */
function openBuffer({ counts }: Pick<CountingCache, "counts">) {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  const store = (): void => {
    if (blocks.length > 0) counts.put(blocks.splice(0));
    bytes = 0;
  };
  return {
    add(block: Uint8Array): void {
      blocks.push(block);
      bytes += block.byteLength;
      if (bytes >= STORED_BYTES_MIN) store();
    },
    store,
  };
}

/** What earlier runs know. */
type Before = {
  readonly seenBefore: ReadonlyMap<string, StatEntry>;
  readonly counted: ReadonlyMap<string, TextCounts>;
};

/** What is known of a file whose content has not changed since it was counted or skipped; null otherwise. */
function knownOf({ known }: Pick<CountDeps, "known">, { seenBefore, counted }: Before, entry: TreeFile) {
  const same = seenBefore.get(entry.path);
  if (same === undefined || same.mark !== statKeyOf(entry)) return null;
  if (same.skip !== null) return { same, counts: null };
  const counts = known.get(same.hash) ?? counted.get(same.hash);
  return counts === undefined ? null : { same, counts };
}

type Sorted = ReturnType<typeof sortOut>;

/** Divides the files of the tree: those whose content is known, and the others. */
function sortOut(deps: Pick<CountDeps, "workTree" | "known">, bytesMax: number, { tree }: WalkResult, before: Before) {
  const { workTree } = deps;
  const limits = { bytesMax, vendoredIsMain: workTree.vendoredIsMain(tree.list().paths) };
  const files: CountedFile[] = [];
  const skips: Skip[] = tree.leftOut.map(({ path, reason }) => ({ path, reason }));
  const seen: StatEntry[] = [];
  const unread: TreeFile[] = [];
  for (const entry of tree.files) {
    const { path, sizeBytes } = entry;
    const reason = workTree.skipByPath(path, sizeBytes, limits);
    const found = reason === null ? knownOf(deps, before, entry) : null;
    if (reason !== null) skips.push({ path, reason });
    else if (found === null) unread.push(entry);
    else {
      seen.push(found.same);
      if (found.counts === null) skips.push({ path, reason: found.same.skip ?? "" });
      else files.push({ ...indexableFile(path, found.same.hash, sizeBytes), counts: found.counts });
    }
  }
  return { files, skips, seen, unread };
}

/** Collects a batch. */
function openBatch() {
  let batch: TreeFile[] = [];
  let bytes = 0;
  const rest = (): readonly TreeFile[] => {
    const full = batch;
    batch = [];
    bytes = 0;
    return full;
  };
  return {
    /** Returns the batch that is full without this file, if it is. */
    add(file: TreeFile): readonly TreeFile[] | null {
      const isFull = batch.length === BATCH_FILES_MAX || (batch.length > 0 && bytes + file.sizeBytes > BATCH_BYTES_MAX);
      const full = isFull ? rest() : null;
      batch.push(file);
      bytes += file.sizeBytes;
      return full;
    },
    /** What is left. */
    rest,
  };
}
