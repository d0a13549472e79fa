/**
 * Counts the terms of every text file of the work tree, without parsing any.
 *
 * What is counted is stored by content while others are being counted, with the stat keys of the files: an interrupted run continues, and a
 * later one reads only what changed.
 */

import type { CountCache } from "../../db/parse-cache/count-cache.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import type { TreeFile } from "../../source/walk/tree-digest.ts";
import { byPath } from "../../text/order.ts";
import type { TextCounts } from "../../text/terms/count-block.ts";
import type { IndexableFile, IndexOptions, ReportProgress, Skip } from "../model/index-run.ts";
import type { IndexDeps } from "../update/index-deps.ts";
import { isSettled, statKeyOf, type WalkResult } from "../update/scan/change-fingerprint.ts";
import { indexableFile } from "../update/scan/file-content.ts";
import { statMaker } from "../update/scan/scan-and-parse.ts";
import { type CountedBatch, countBatch, filesIn } from "./count-batch.ts";
import type { FileCounts } from "./count-file.ts";
import type { CountPool } from "./count-pool.ts";

export type CountedFile = IndexableFile & { readonly counts: TextCounts };

/** Every text file of the work tree, in order of path, and what was skipped. */
export type Corpus = {
  readonly files: readonly CountedFile[];
  readonly skips: readonly Skip[];
  /** No earlier run counted any of it. */
  readonly isFirst: boolean;
  /** Stores for the next run what was counted last, and forgets what is gone. Once all is stored, a call does nothing. */
  remember(): void;
};

type CountDeps = Pick<IndexDeps, "build" | "workTree" | "now"> & {
  readonly pool: Pick<CountPool, "count">;
  readonly cache: CountingCache;
  /** Counts by content hash, of an index. */
  readonly known: ReadonlyMap<string, TextCounts>;
};

/** The part of the parse cache that counting needs. */
type CountingCache = Pick<ParseCache, "statEntries" | "setStatEntries" | "addStatEntries"> & {
  readonly counts: Pick<CountCache, "all" | "put" | "keep">;
};

/** A batch ends after this many files or bytes: all threads but one wait while the last is counted. */
const BATCH_FILES_MAX = 100;
const BATCH_BYTES_MAX = 256 * 1024;
/** Less is counted on this thread, since another one takes longer to start. */
const HERE_BYTES_MAX = 256 * 1024;
/** How much is stored at a time: bytes of counts, or files. */
const STORED_BYTES_MIN = 8 * 1024 * 1024;
const STORED_FILES_MIN = 2_000;
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

/** Begins to count a work tree, before it is walked. */
export function openCounting(deps: CountDeps, { bytesMax }: Pick<IndexOptions, "bytesMax">): Counting {
  const { workTree, pool, cache } = deps;
  const openedAt = deps.now();
  const maker = statMaker(deps.build);
  const seenBefore = cache.statEntries(maker);
  const counted = cache.counts.all();
  const before = { seenBefore, counted };
  const unstored = openBuffer(cache, maker, seenBefore);
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
      done += entry.sizeBytes;
      if (one === undefined) continue;
      read.push({ path: entry.path, skip: skipOf(one), file: countedFile(entry, one) });
      if (isSettled(entry, openedAt)) unstored.see(entry, one);
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
      const { files, skips } = withRead(sorted, read);
      const isMany = counted.size > COUNTS_PER_FILE_MAX * files.length;
      let isRemembered = false;
      const remember = (): void => {
        if (isRemembered) return;
        isRemembered = true;
        unstored.end(sorted.seen);
        if (isMany) cache.counts.keep(new Set(files.map(({ contentHash }) => contentHash)));
      };
      return { files, skips, isFirst: seenBefore.size === 0, remember };
    },
    store: unstored.store,
  };
}

/** `skip` says why a file is not counted; `file` is null then. */
type ReadFile = { readonly path: string; readonly skip: string | null; readonly file: CountedFile | null };

const skipOf = (found: FileCounts): string | null =>
  found.kind === "problem" ? "unreadable" : found.kind === "skipped" ? found.reason : null;

const countedFile = ({ path }: TreeFile, found: FileCounts): CountedFile | null =>
  found.kind === "counted"
    ? { ...indexableFile(path, { ...found, hash: found.counts.hash }), counts: found.counts }
    : null;

/** Adds what was read to what was known, in order of path. */
function withRead({ files, skips }: Sorted, read: readonly ReadFile[]) {
  for (const { path, skip, file } of read) {
    if (skip !== null) skips.push({ path, reason: skip });
    if (file !== null) files.push(file);
  }
  return { files: files.sort(byPath), skips: skips.sort(byPath) };
}

/** What is not stored yet: blocks of counts, and the files that were read. */
function openBuffer(cache: CountingCache, maker: string, seenBefore: ReadonlyMap<string, StatEntry>) {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  let seen: StatEntry[] = [];
  const isFirst = seenBefore.size === 0;
  let isReplaced = !isFirst;
  /** Those that are stored, unless there was nothing before. */
  const added: StatEntry[] = [];
  const store = (): void => {
    if (blocks.length > 0) cache.counts.put(blocks.splice(0));
    bytes = 0;
    if (seen.length === 0) return;
    if (isReplaced) cache.addStatEntries(maker, seen);
    // What another version stored goes with the first ones.
    else cache.setStatEntries(maker, seenBefore, seen);
    isReplaced = true;
    if (!isFirst) added.push(...seen);
    seen = [];
  };
  return {
    see(entry: TreeFile, found: FileCounts): void {
      // What could not be read may be readable next time.
      if (found.kind === "problem") return;
      const hash = found.kind === "counted" ? found.counts.hash : found.hash;
      seen.push({ path: entry.path, statKey: statKeyOf(entry), hash, skip: skipOf(found), script: found.script });
    },
    add(block: Uint8Array): void {
      blocks.push(block);
      bytes += block.byteLength;
      if (bytes >= STORED_BYTES_MIN || seen.length >= STORED_FILES_MIN) store();
    },
    store,
    /** Stores the rest, and removes files that are neither `unchanged` nor were read. */
    end(unchanged: readonly StatEntry[]): void {
      store();
      if (isFirst) return;
      const stored = new Map([...seenBefore, ...added.map((entry) => [entry.path, entry] as const)]);
      cache.setStatEntries(maker, stored, [...unchanged, ...added]);
    },
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
  if (same === undefined || same.statKey !== statKeyOf(entry)) return null;
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
      else files.push({ ...indexableFile(path, { ...found.same, sizeBytes }), counts: found.counts });
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
