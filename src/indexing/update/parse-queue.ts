/** Keeps the parsers busy with few texts in memory, and stores the facts in batches. */

import type { ParseCache, ParseEntry } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import type { IndexableFile, IndexOptions, ReportProgress } from "../model/index-run.ts";
import type { TextParser } from "./index-deps.ts";

/** A batch is written to the cache when it has this many files or characters. */
const BATCH_FILES_MAX = 100;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;
/** Each parser has one running text and one waiting. */
const WAITING_PER_PARSER = 2;

/** Writes rows meanwhile. `expect`: there will be some. `ready`: the facts of these files are in the cache. */
export type RowSink = { expect(): void; ready(files: readonly IndexableFile[]): void };

/** What `openParseQueue` returns. */
export type ParseQueue = ReturnType<typeof openParseQueue>;

/** `add` takes texts to parse; `finish` waits for them, and `flush` stores the last batch. */
export function openParseQueue(
  parser: TextParser,
  options: IndexOptions,
  cache: Pick<ParseCache, "has" | "put">,
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
    const { facts, stats } = await parser.parse({ path, hash, language, text }, signal);
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
      while (running.size >= parser.width * WAITING_PER_PARSER && failed === null) await Promise.race(running);
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
export const failFast = (where: string, message: string): Failed =>
  new Failed({ code: "io", message, where, next: "run without --fail-fast, or add the file to .craignore" });
