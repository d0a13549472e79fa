/**
 * Scans the work tree and parses new content into the parse cache.
 *
 * Each file is read at most once, so what was hashed is what is parsed. A file with an unchanged stat key is not
 * read, and known content is not parsed. Facts go to the cache in batches, so a killed run continues where it stopped.
 */

import { createHash } from "node:crypto";
import type { StoredFile } from "../../db/curated/write.ts";
import type { ParseCache, ParseEntry } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import { Failed } from "../../failure.ts";
import { isTestPath } from "../../languages/file-role.ts";
import { languageOf } from "../../languages/languages.ts";
import { decode } from "../../text/decode.ts";
import { byPath } from "../../text/order.ts";
import type { IndexableFile, IndexOptions, ReportProgress, Skip } from "../model/index-run.ts";
import { isSettled, statKeyOf, type WalkResult } from "./change-fingerprint.ts";
import type { IndexDeps } from "./index-deps.ts";

/** A file or folder that could not be read, or a file that is indexed as text because it could not be parsed. */
export type Problem = { readonly path: string; readonly why: string };

export type ScanResult = {
  readonly files: readonly IndexableFile[];
  readonly skips: readonly Skip[];
  readonly problems: readonly Problem[];
  readonly parsed: number;
  readonly fromCache: number;
};

/** A batch is written to the cache when it has this many files or characters. */
const BATCH_FILES_MAX = 100;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;
/** Each parser has one running text and one waiting. */
const WAITING_PER_PARSER = 2;
/** After this many files the event loop runs, so that signals and progress are handled. */
const FILES_PER_TURN = 50;

/** Writes rows meanwhile. `expect`: there will be some. `ready`: the facts of these files are in the cache. */
export type RowSink = { expect(): void; ready(files: readonly IndexableFile[]): void };

/** The part of the parse cache that the scan needs. */
export type ScanCache = Pick<ParseCache, "has" | "facts" | "put" | "setStatEntries" | "statEntries">;

/** `stored`: files whose rows stay valid if their content is the same. Throws the signal's reason. */
export async function scanAndParse(
  deps: IndexDeps,
  options: IndexOptions,
  { tree, walkedAt }: WalkResult,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  cache: ScanCache,
  rows: RowSink,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<ScanResult> {
  const storedBy = new Map(stored.map((file) => [file.path, file]));
  const limits = {
    bytesMax: options.bytesMax,
    vendoredIsMain: deps.vendoredIsMain(tree.files.map(({ path }) => path)),
  };
  const files: IndexableFile[] = [];
  const skips: Skip[] = tree.leftOut.map(({ path, reason }) => ({ path, reason }));
  const problems: Problem[] = tree.problems.map(({ path, why }) => ({ path, why }));
  const parsers = parserQueue(deps, options, cache, rows, report, signal);
  const versions = `${deps.craVersion} ${deps.extractorVersion}`;
  const seenBefore = cache.statEntries(versions);
  const seen: StatEntry[] = [];
  let fromCache = 0;
  let bytes = 0;
  const unread = (path: string, why: string): void => {
    if (options.failFast) throw failFast(path, why);
    problems.push({ path, why });
    skips.push({ path, reason: "unreadable" });
  };
  /** True if the rows or the facts of this content already exist. */
  const isKnown = (file: IndexableFile): boolean => {
    const before = storedBy.get(file.path);
    if (before?.contentHash === file.contentHash && before.language === file.language) return true;
    const key = { hash: file.contentHash, language: file.language };
    if (!parsers.isKnown(key)) return false;
    parsers.found(file);
    fromCache += 1;
    const why = options.failFast ? (cache.facts(key)?.problem ?? null) : null;
    if (why !== null) throw failFast(file.path, why);
    return true;
  };
  try {
    for (const [index, entry] of tree.files.entries()) {
      const { path, sizeBytes } = entry;
      signal.throwIfAborted();
      if (index % FILES_PER_TURN === 0) {
        report({ phase: "read", done: index, total: tree.files.length, bytes });
        await new Promise((resume) => setImmediate(resume));
      }
      const reason = deps.skipByPath(path, sizeBytes, limits);
      if (reason !== null) {
        skips.push({ path, reason });
        continue;
      }
      const key = statKeyOf(entry);
      const same = seenBefore.get(path);
      if (same !== undefined && same.mark === key && !options.rebuild) {
        const file = indexableFile(path, same.hash, sizeBytes);
        if (same.skip !== null || isKnown(file)) {
          seen.push(same);
          if (same.skip === null) files.push(file);
          else skips.push({ path, reason: same.skip });
          continue;
        }
      }
      const read = deps.readFile(path, options.bytesMax);
      if (read.kind === "problem") {
        unread(path, read.why);
        continue;
      }
      bytes += read.bytes.length;
      const file = indexableFile(path, hashOf(read.bytes), read.bytes.length);
      const known = isKnown(file);
      const text = known ? null : textOf(deps, path, read.bytes);
      const skip = text?.skip ?? null;
      if (isSettled(entry, walkedAt)) seen.push({ path, mark: key, hash: file.contentHash, skip });
      if (skip !== null) {
        skips.push({ path, reason: skip });
        continue;
      }
      files.push(file);
      if (text?.skip === null) await parsers.add(file, text.text);
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  cache.setStatEntries(versions, seenBefore, seen);
  report({ phase: "read", done: tree.files.length, total: tree.files.length, bytes });
  return {
    files,
    skips: skips.sort(byPath),
    problems: problems.sort(byPath),
    parsed: parsers.parsed(),
    fromCache,
  };
}

/** Drops cached facts of files that now count as files with secrets. */
export function forgetSecrets(
  cache: Pick<ParseCache, "drop">,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  { skips }: Pick<ScanResult, "skips">,
): void {
  const secret = new Set(skips.flatMap(({ path, reason }) => (reason === "secret" ? [path] : [])));
  if (secret.size === 0) return;
  for (const { path, contentHash: hash, language } of stored) if (secret.has(path)) cache.drop({ hash, language });
}

/** The sha256 of the bytes, in hex. */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function indexableFile(path: string, contentHash: string, sizeBytes: number): IndexableFile {
  return { path, language: languageOf(path), contentHash, sizeBytes, isTest: isTestPath(path) };
}

/** The text of a file, or why it is skipped. */
export function textOf(
  deps: Pick<IndexDeps, "skipByText">,
  path: string,
  bytes: Uint8Array,
): { readonly skip: string } | { readonly skip: null; readonly text: string } {
  const decoded = decode(bytes);
  if (decoded.kind === "binary") return { skip: "binary" };
  const skip = deps.skipByText(path, decoded.text);
  return skip === null ? { skip, text: decoded.text } : { skip };
}

/**
 * Parses those of the files whose facts are missing from the cache. Returns the files in their present state: with new
 * content if they changed, and without those that are gone.
 */
export async function completeCache(
  deps: IndexDeps,
  options: IndexOptions,
  files: readonly IndexableFile[],
  cache: ScanCache,
  rows: RowSink,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{ readonly files: readonly IndexableFile[]; readonly parsed: number }> {
  const parsers = parserQueue(deps, options, cache, rows, report, signal);
  const kept: IndexableFile[] = [];
  try {
    for (const file of files) {
      signal.throwIfAborted();
      if (parsers.isKnown({ hash: file.contentHash, language: file.language })) {
        kept.push(file);
        continue;
      }
      const read = deps.readFile(file.path, options.bytesMax);
      if (read.kind === "problem") continue;
      const current = indexableFile(file.path, hashOf(read.bytes), read.bytes.length);
      const text = textOf(deps, file.path, read.bytes);
      if (text.skip !== null) continue;
      kept.push(current);
      if (!parsers.isKnown({ hash: current.contentHash, language: current.language }))
        await parsers.add(current, text.text);
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  return { files: kept, parsed: parsers.parsed() };
}

/** Keeps all parsers busy, holds few texts in memory, and stores results in batches. */
function parserQueue(
  deps: IndexDeps,
  options: IndexOptions,
  cache: ScanCache,
  rows: RowSink,
  report: ReportProgress,
  signal: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  const started = new Set<string>();
  let batch: ParseEntry[] = [];
  let batchChars = 0;
  /** Files whose facts are in the cache once the batch is written. */
  let ready: IndexableFile[] = [];
  let parsed = 0;
  let failed: { readonly error: unknown } | null = null;

  const flush = (): void => {
    if (batch.length > 0) cache.put(batch);
    if (ready.length > 0) rows.ready(ready);
    batch = [];
    batchChars = 0;
    ready = [];
  };
  const add = (file: IndexableFile): void => {
    ready.push(file);
    if (ready.length >= BATCH_FILES_MAX || batchChars >= BATCH_CHARS_MAX) flush();
  };
  const parse = async (file: IndexableFile, text: string): Promise<void> => {
    const { path, contentHash: hash, language } = file;
    const { facts, stats } = await deps.parse({ path, hash, language, text }, signal);
    parsed += 1;
    report({ phase: "parse", done: parsed, total: started.size });
    if (facts.problem !== null && options.failFast) throw failFast(path, facts.problem);
    batch.push({ hash, language, facts, stats, text });
    batchChars += text.length;
    add(file);
  };
  const settle = (): void => {
    if (failed !== null) throw failed.error;
  };
  const keyOf = ({ contentHash, language }: IndexableFile): string => `${contentHash}:${language}`;
  return {
    isKnown: (key: { readonly hash: string; readonly language: string }) =>
      started.has(`${key.hash}:${key.language}`) || cache.has(key),
    /** A file whose facts are known, unless they are still being parsed for another file. */
    found(file: IndexableFile): void {
      if (!started.has(keyOf(file))) add(file);
    },
    /** Waits while all parsers are busy. */
    async add(file: IndexableFile, text: string): Promise<void> {
      if (started.size === 0) rows.expect();
      started.add(keyOf(file));
      const task = parse(file, text)
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => running.delete(task));
      running.add(task);
      while (running.size >= deps.parseWidth * WAITING_PER_PARSER && failed === null) await Promise.race(running);
      settle();
    },
    async finish(): Promise<void> {
      await Promise.all(running);
      settle();
    },
    flush,
    parsed: (): number => parsed,
  };
}

/** The failure of a run with `failFast`. */
const failFast = (where: string, message: string): Failed =>
  new Failed({ code: "io", message, where, next: "run without --fail-fast, or add the file to .craignore" });
