/**
 * Keeps the parsers busy with few texts in memory, and stores the facts in batches. Where there are only few texts, they are parsed on
 * the calling thread (`small-run.ts`).
 */

import { nextTurn } from "../../../concurrency/next-turn.ts";
import type { PackedEntry, ParseCache } from "../../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../../failure.ts";
import { type PackedMeasured, packMeasured } from "../../../syntax/facts/facts-codec.ts";
import { shortHash } from "../../model/content-hashes.ts";
import type { IndexableFile, IndexOptions, ParsedFile } from "../../model/index-run.ts";
import type { ParseInput, TextParser } from "../index-deps.ts";
import { areFew } from "../small-run.ts";
import { isFailure } from "./compare.ts";
import type { ReadProgress } from "./read-progress.ts";

/** A batch is written to the cache when it has this many files or characters. */
const BATCH_FILES_MAX = 100;
const BATCH_CHARS_MAX = 1024 * 1024;
/** For each text that may be parsed at once, another one waits. */
const WAITING_PER_PARSER = 2;

/**
 * Writes rows meanwhile. `expect`: there will be some. `ready`: the facts of these files are in the cache. `hasRoom`: waits while many of
 * these wait. `filesMax`: how many it takes at a time.
 */
export type RowSink = {
  expect(): void;
  ready(files: readonly ParsedFile[]): void;
  hasRoom?(): Promise<void>;
  readonly filesMax?: number;
};

/** The index is not changed. */
export const NO_ROWS: RowSink = { expect: () => undefined, ready: () => undefined };

/** A file to parse. `isRetry`: its rows say that it could not be parsed, and stay if it cannot again. */
type Unparsed = { readonly file: IndexableFile; readonly text: string; readonly isRetry: boolean };

/** What `openParseQueue` returns. */
export type ParseQueue = ReturnType<typeof openParseQueue>;

/** `add` takes texts to parse; `finish` waits for them, and `flush` stores the last batch. `recovered`: retries that succeeded. */
export function openParseQueue(
  parser: TextParser,
  options: IndexOptions,
  cache: Pick<ParseCache, "has" | "isEmpty" | "put">,
  rows: RowSink,
  progress: ReadProgress,
  signal: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  /** Contents whose parsing has started, by language. If two share a short hash, the second is parsed when its rows are written. */
  const started = new Map<string, Set<number>>();
  const hasStarted = (hash: string, language: string): boolean => started.get(language)?.has(shortHash(hash)) === true;
  const recovered = new Set<string>();
  const batch = openBatch(cache, rows);
  /** What is added from now on has started here; nothing has to be looked up in the cache of a first run. */
  const isFirst = cache.isEmpty();
  let parsed = 0;
  /** Texts that wait until it is clear whether they are few. */
  const held: Unparsed[] = [];
  let heldChars = 0;
  let hasWorkers = false;
  let failed: { readonly error: unknown } | null = null;
  const keep = ({ file, text, isRetry }: Unparsed, { problem, packed, names, stats }: PackedMeasured): void => {
    const { path, contentHash: hash, language } = file;
    parsed += 1;
    progress.finish(file.sizeBytes);
    if (problem !== null && options.failFast) throw failFast(path, problem);
    if (isRetry && isFailure(problem)) return;
    if (isRetry) recovered.add(path);
    batch.put({ hash, language, ...packed }, { ...file, content: { text, stats, packed, names } }, text.length);
  };
  /** Gives a text to a worker. Waits while all are busy, or the rows are behind. */
  const hand = async (unparsed: Unparsed): Promise<void> => {
    if (!hasWorkers) rows.expect();
    hasWorkers = true;
    const input = inputOf(unparsed);
    const task = (parser.pack?.(input, signal) ?? parser.parse(input, signal).then(packMeasured))
      .then((output) => keep(unparsed, output))
      .catch((error: unknown) => {
        failed ??= { error };
      })
      .finally(() => running.delete(task));
    running.add(task);
    while (running.size >= parser.width * WAITING_PER_PARSER && failed === null) await Promise.race(running);
    await rows.hasRoom?.();
    if (failed !== null) throw failed.error;
  };
  return {
    isKnown: (key: { readonly hash: string; readonly language: string }) =>
      hasStarted(key.hash, key.language) || (!isFirst && cache.has(key)),
    /** A file whose facts are known, unless they are still being parsed for another file. */
    found(file: IndexableFile): void {
      if (!hasStarted(file.contentHash, file.language)) batch.pass(file);
    },
    /** Waits while all parsers are busy. */
    async add(unparsed: Unparsed): Promise<void> {
      const { contentHash, language } = unparsed.file;
      started.getOrInsertComputed(language, () => new Set()).add(shortHash(contentHash));
      held.push(unparsed);
      heldChars += unparsed.text.length;
      if (!hasWorkers && parser.parseHere !== undefined && areFew(held.length, heldChars)) return;
      for (const each of held.splice(0)) await hand(each);
    },
    async finish(): Promise<void> {
      for (const each of held.splice(0)) {
        // The event loop runs, so that signals and progress are handled.
        await nextTurn();
        signal.throwIfAborted();
        const output = hasWorkers ? null : ((await parser.parseHere?.(inputOf(each))) ?? null);
        if (output === null) await hand(each);
        else keep(each, packMeasured(output));
      }
      await Promise.all(running);
      if (failed !== null) throw failed.error;
    },
    flush: batch.flush,
    parsed: (): number => parsed,
    recovered,
  };
}

const inputOf = ({ file, text }: Unparsed): ParseInput => {
  const { path, contentHash: hash, language } = file;
  return { path, hash, language, text };
};

/** Facts on their way to the cache, and files that are passed on once all of these are stored. */
function openBatch(cache: Pick<ParseCache, "put">, rows: RowSink) {
  let entries: PackedEntry[] = [];
  let chars = 0;
  let ready: ParsedFile[] = [];
  const flush = (): void => {
    if (entries.length > 0) cache.put(entries);
    if (ready.length > 0) rows.ready(ready);
    entries = [];
    chars = 0;
    ready = [];
  };
  const pass = (file: ParsedFile): void => {
    ready.push(file);
    if (ready.length >= (rows.filesMax ?? BATCH_FILES_MAX) || chars >= BATCH_CHARS_MAX) flush();
  };
  return {
    flush,
    pass,
    put(entry: PackedEntry, file: ParsedFile, length: number): void {
      entries.push(entry);
      chars += length;
      pass(file);
    },
  };
}

/** The failure of a run with `failFast`. */
export const failFast = (where: string, message: string): Failed =>
  new Failed({ code: "io", message, where, next: "run without --fail-fast, or add the file to .craignore" });
