/**
 * Scans the work tree and parses new content into the parse cache.
 *
 * Each file is read at most once, so what was hashed is what is parsed. A file with an unchanged stat key is not
 * read, and known content is not parsed. Facts go to the cache in batches, so a killed run continues where it stopped.
 */

import { nextTurn } from "../../../concurrency/next-turn.ts";
import type { StoredFile } from "../../../db/curated/write/write.ts";
import type { ParseCache } from "../../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../../db/parse-cache/stat-cache.ts";
import type { TreeFile } from "../../../source/walk/tree-digest.ts";
import { byPath } from "../../../text/order.ts";
import { type FileList, fileColumns } from "../../model/file-list.ts";
import type { IndexableFile, IndexOptions, Problem, ReportProgress, Skip } from "../../model/index-run.ts";
import { cacheKey } from "../../model/index-run.ts";
import type { IndexDeps, WorkTree } from "../index-deps.ts";
import { isSettled, statKeyOf } from "./change-fingerprint.ts";
import { isFailure } from "./compare.ts";
import { contentOf, indexableFile, readContent, textOf } from "./file-content.ts";
import { failFast, openParseQueue, type ParseQueue, type RowSink } from "./parse-queue.ts";
import { type ReadProgress, readProgress } from "./read-progress.ts";
import type { ScanScope } from "./scan-scope.ts";
import { seenFiles } from "./seen-files.ts";

export type ScanResult = {
  readonly files: FileList;
  readonly skips: readonly Skip[];
  readonly problems: readonly Problem[];
  readonly parsed: number;
  readonly fromCache: number;
  /** Unchanged files that could not be parsed before and can now. */
  readonly recovered: ReadonlySet<string>;
  /** Files that have to be looked at again next time, whatever their stat keys. */
  readonly unsettled: ReadonlySet<string>;
};

/** After this many files the event loop runs, so that signals and progress are handled. */
const FILES_PER_TURN = 50;

type StoredContent = Pick<StoredFile, "path" | "contentHash" | "language"> & Partial<Pick<StoredFile, "problem">>;

/** The part of the parse cache that the scan needs. */
export type ScanCache = Pick<ParseCache, "has" | "isEmpty" | "facts" | "put" | "setStatEntries" | "addStatEntries">;

/** `stored`: files whose rows stay valid if their content is the same. Throws the signal's reason. */
export async function scanAndParse(
  { build, workTree, parser }: Pick<IndexDeps, "build" | "workTree" | "parser">,
  options: IndexOptions,
  scope: ScanScope,
  stored: readonly StoredContent[],
  cache: ScanCache,
  rows: RowSink,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<ScanResult> {
  const { files } = scope;
  let bytes = 0;
  for (const { sizeBytes } of files) bytes += sizeBytes;
  const progress = readProgress(bytes, report);
  const parsers = openParseQueue(parser, options, cache, rows, progress, signal);
  const known = knownContent(options, stored, cache, parsers);
  const seen = seenFiles(cache, statMaker(build), scope.seen);
  const { found, scan } = fileScanner(workTree, options, scope, known, seen.add, progress);
  try {
    let done = 0;
    for (const file of files) {
      signal.throwIfAborted();
      if (done++ % FILES_PER_TURN === 0) await nextTurn();
      const unparsed = scan(file);
      if (unparsed !== null) await parsers.add(unparsed);
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  seen.store();
  return {
    files: found.files,
    skips: found.skips.sort(byPath),
    problems: found.problems.sort(byPath),
    parsed: parsers.parsed(),
    fromCache: known.fromCache(),
    recovered: parsers.recovered,
    unsettled: found.unsettled,
  };
}

/** Names who made the entries of the stat cache: another version may judge contents differently. */
export const statMaker = ({ craVersion, extractorVersion }: IndexDeps["build"]): string =>
  `${craVersion} ${extractorVersion}`;

/** Which contents need no parsing, because their rows or facts already exist. */
function knownContent(
  { failFast: isStrict, retries }: IndexOptions,
  stored: readonly StoredContent[],
  cache: ScanCache,
  parsers: ParseQueue,
) {
  const storedBy = new Map(stored.map((file) => [file.path, file]));
  let fromCache = 0;
  /** Whether the rows of a file are of this content. */
  const isStored = ({ path, contentHash, language }: IndexableFile): boolean => {
    const before = storedBy.get(path);
    return before?.contentHash === contentHash && before.language === language;
  };
  const isRetry = (file: IndexableFile): boolean =>
    retries && isStored(file) && isFailure(storedBy.get(file.path)?.problem);
  const has = (file: IndexableFile): boolean => {
    if (isRetry(file)) return false;
    if (isStored(file)) return true;
    const key = cacheKey(file);
    if (!parsers.isKnown(key)) return false;
    parsers.found(file);
    fromCache += 1;
    const why = isStrict ? (cache.facts(key)?.problem ?? null) : null;
    if (why !== null) throw failFast(file.path, why);
    return true;
  };
  return { has, isRetry, fromCache: (): number => fromCache };
}

/** Scans single files: `scan` returns a file and its text if they have to be parsed, `found` collects the rest. */
function fileScanner(
  workTree: WorkTree,
  options: IndexOptions,
  { leftOut, problems: unread, walkedAt, vendoredIsMain, seen: seenBefore }: ScanScope,
  { has: isKnown, isRetry }: Pick<ReturnType<typeof knownContent>, "has" | "isRetry">,
  see: (entry: StatEntry) => void,
  progress: ReadProgress,
) {
  const { bytesMax } = options;
  const limits = { bytesMax, vendoredIsMain };
  const files = fileColumns();
  const skips: Skip[] = leftOut.map(({ path, reason }) => ({ path, reason }));
  const problems: Problem[] = unread.map(({ path, why }) => ({ path, why }));
  const unsettled = new Set<string>();
  const found = { files, skips, problems, unsettled };
  /** True for a file that has not changed since it was seen. */
  const isUnchanged = ({ path, sizeBytes }: TreeFile, key: string): boolean => {
    const same = seenBefore.get(path);
    if (same === undefined || same.statKey !== key || options.rebuild) return false;
    const file = indexableFile(path, { ...same, sizeBytes });
    if (same.skip === null && !isKnown(file)) return false;
    see(same);
    if (same.skip === null) files.add(file);
    else skips.push({ path, reason: same.skip });
    return true;
  };
  const scan = (entry: TreeFile): Parameters<ParseQueue["add"]>[0] | null => {
    const { path, sizeBytes } = entry;
    const reason = workTree.skipByPath(path, sizeBytes, limits);
    if (reason !== null) {
      skips.push({ path, reason });
      progress.leave(sizeBytes);
      return null;
    }
    const key = statKeyOf(entry);
    if (isUnchanged(entry, key)) {
      progress.leave(sizeBytes);
      return null;
    }
    const read = workTree.readFile(path, bytesMax);
    if (read.kind === "problem") {
      progress.leave(sizeBytes);
      if (options.failFast) throw failFast(path, read.why);
      problems.push({ path, why: read.why });
      skips.push({ path, reason: "unreadable" });
      unsettled.add(path);
      return null;
    }
    const content = contentOf(path, read.bytes);
    const file = indexableFile(path, content);
    // Checked of known content too: an earlier version may have indexed it.
    const text = workTree.holdsPackage(read.bytes)
      ? { skip: "package" }
      : isKnown(file)
        ? null
        : textOf(workTree, path, read.bytes);
    const skip = text?.skip ?? null;
    if (isSettled(entry, walkedAt)) see({ path, statKey: key, hash: content.hash, skip, script: content.script });
    else unsettled.add(path);
    if (skip === null) files.add(file);
    else skips.push({ path, reason: skip });
    if (text?.skip === null) return { file, text: text.text, isRetry: isRetry(file) };
    progress.finish(sizeBytes);
    return null;
  };
  return { found, scan };
}

/** Drops cached facts of texts that a parser failed on, so that the next run that meets them parses them again. */
export function forgetFailures(cache: Pick<ParseCache, "drop">, files: readonly StoredFile[]): void {
  for (const file of files) if (isFailure(file.problem)) cache.drop(cacheKey(file));
}

/** Drops cached facts of files that now count as files with secrets. */
export function forgetSecrets(
  cache: Pick<ParseCache, "drop">,
  stored: readonly StoredContent[],
  { skips }: Pick<ScanResult, "skips">,
): void {
  const secret = new Set(skips.flatMap(({ path, reason }) => (reason === "secret" ? [path] : [])));
  if (secret.size === 0) return;
  for (const file of stored) if (secret.has(file.path)) cache.drop(cacheKey(file));
}

/**
 * Parses those of the files whose facts are missing from the cache. Returns the files in their present state: with new
 * content if they changed, and without those that are gone. Of the `lost` ones, facts or text could not be read.
 */
export async function completeCache(
  { workTree, parser }: Pick<IndexDeps, "workTree" | "parser">,
  options: IndexOptions,
  files: FileList,
  cache: ScanCache & Pick<ParseCache, "drop">,
  rows: RowSink,
  report: ReportProgress,
  signal: AbortSignal,
  lost: ReadonlySet<string> = new Set(),
): Promise<{ readonly files: FileList; readonly parsed: number }> {
  const bytes = Iterator.from(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const progress = readProgress(bytes, report);
  const parsers = openParseQueue(parser, options, cache, rows, progress, signal);
  const kept = fileColumns();
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const key = cacheKey(file);
      const isLost = lost.has(file.path);
      // Whole facts stay, also of a text that is gone: others may be using them.
      if (isLost && cache.facts(key) === null) cache.drop(key);
      if (!isLost && parsers.isKnown(key)) {
        progress.leave(file.sizeBytes);
        kept.add(file);
        continue;
      }
      const found = readContent(workTree, file.path, options.bytesMax);
      if (found.kind !== "text") continue;
      kept.add(found.file);
      if (!parsers.isKnown(cacheKey(found.file))) await parsers.add({ ...found, isRetry: false });
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  return { files: kept, parsed: parsers.parsed() };
}
