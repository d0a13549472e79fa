/** Keeps the parsers busy with few texts in memory, and stores the facts in batches. */

import type { ParseCache, ParseEntry } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import type { IndexableFile, IndexOptions } from "../model/index-run.ts";
import { isFailure } from "./compare.ts";
import type { TextParser } from "./index-deps.ts";
import type { ReadProgress } from "./read-progress.ts";

/** A batch is written to the cache when it has this many files or characters. */
const BATCH_FILES_MAX = 100;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;
/** Each parser has one running text and one waiting. */
const WAITING_PER_PARSER = 2;

/**
 * Writes rows meanwhile. `expect`: there will be some. `ready`: the facts of these files are in the cache. `filesMax`: how many it takes
 * at a time.
 */
export type RowSink = {
  expect(): void;
  ready(files: readonly IndexableFile[]): void;
  readonly filesMax?: number;
};

/** A file to parse. `isRetry`: its rows say that it could not be parsed, and stay if it cannot again. */
type Unparsed = { readonly file: IndexableFile; readonly text: string; readonly isRetry: boolean };

/** What `openParseQueue` returns. */
export type ParseQueue = ReturnType<typeof openParseQueue>;

/** `add` takes texts to parse; `finish` waits for them, and `flush` stores the last batch. `recovered`: retries that succeeded. */
export function openParseQueue(
  parser: TextParser,
  options: IndexOptions,
  cache: Pick<ParseCache, "has" | "put">,
  rows: RowSink,
  progress: ReadProgress,
  signal: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  const started = new Set<string>();
  const recovered = new Set<string>();
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
    if (ready.length >= (rows.filesMax ?? BATCH_FILES_MAX) || batchChars >= BATCH_CHARS_MAX) flush();
  };
  const parse = async ({ file, text, isRetry }: Unparsed): Promise<void> => {
    const { path, contentHash: hash, language } = file;
    const { facts, stats } = await parser.parse({ path, hash, language, text }, signal);
    parsed += 1;
    progress.finish(file.sizeBytes);
    if (facts.problem !== null && options.failFast) throw failFast(path, facts.problem);
    if (isRetry && isFailure(facts.problem)) return;
    if (isRetry) recovered.add(path);
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
    async add(unparsed: Unparsed): Promise<void> {
      if (started.size === 0) rows.expect();
      started.add(keyOf(unparsed.file));
      const task = parse(unparsed)
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => running.delete(task));
      running.add(task);
      while (running.size >= parser.width * WAITING_PER_PARSER && failed === null) await Promise.race(running);
      settle();
    },
    async finish(): Promise<void> {
      await Promise.all(running);
      settle();
    },
    flush,
    parsed: (): number => parsed,
    recovered,
  };
}

/** The failure of a run with `failFast`. */
export const failFast = (where: string, message: string): Failed =>
  new Failed({ code: "io", message, where, next: "run without --fail-fast, or add the file to .craignore" });
