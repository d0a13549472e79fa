/**
 * Reads the work tree: which files are worth indexing, what is in them, and their facts into the cache.
 *
 * One pass, one reading per file: what was hashed is what is parsed, whatever the file does meanwhile.
 * Files whose content is stored already are not looked into. Parsed facts go to the cache in batches, so
 * a killed run continues; texts are held only while they wait for a parser.
 * Not here: what to do about a difference (`plan.ts`), writing the index (`apply.ts`).
 */
import { createHash } from "node:crypto";
import type { StoredFile } from "../db/curated-write.ts";
import type { ParseCache, ParseEntry } from "../db/parse-cache.ts";
import { Failed } from "../failure.ts";
import { decode } from "../text/decode.ts";
import { isTestPath, languageOf } from "../text/language.ts";
import type { IndexDeps, IndexOptions } from "./index-deps.ts";
import type { FoundFile, Skip } from "./plan.ts";
import type { ReportProgress } from "./progress.ts";

/** A file or folder that could not be read, or a file that is indexed as text because it could not be parsed. */
export type Problem = { readonly path: string; readonly why: string };

export type Gathered = {
  readonly files: readonly FoundFile[];
  readonly skips: readonly Skip[];
  readonly problems: readonly Problem[];
  readonly parsed: number;
  readonly fromCache: number;
};

/** Facts are written to the cache when this many files or characters have come together. */
const BATCH_FILES_MAX = 100;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;
/** Each parser has one text at work and one waiting. */
const WAITING_PER_PARSER = 2;
/** After this many files the event loop gets a turn, so that signals and progress are seen. */
const FILES_PER_TURN = 50;

/** The part of the parse cache that gathering needs. */
export type GatherCache = Pick<ParseCache, "has" | "facts" | "put">;

/** `stored` are the files whose rows are still good when their content is the same. Throws the signal's reason. */
export async function gather(
  deps: IndexDeps,
  options: IndexOptions,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  cache: GatherCache,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Gathered> {
  const tree = await walk(deps, options, report, signal);
  const storedBy = new Map(stored.map((file) => [file.path, file]));
  const limits = {
    bytesMax: options.bytesMax,
    vendoredIsMain: deps.vendoredIsMain(tree.files.map(({ path }) => path)),
  };
  const files: FoundFile[] = [];
  const skips: Skip[] = tree.leftOut.map(({ path, reason }) => ({ path, reason }));
  const problems: Problem[] = tree.problems.map(({ path, why }) => ({ path, why }));
  const parsers = parserQueue(deps, options, cache, report, signal);
  let fromCache = 0;
  let bytes = 0;
  const unread = (path: string, why: string): void => {
    if (options.failFast) throw new Failed({ code: "io", message: why, where: path });
    problems.push({ path, why });
    skips.push({ path, reason: "unreadable" });
  };
  try {
    for (const [index, { path, sizeBytes }] of tree.files.entries()) {
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
      const read = deps.readFile(path, options.bytesMax);
      if (read.kind === "problem") {
        unread(path, read.why);
        continue;
      }
      bytes += read.bytes.length;
      const file = foundFile(path, read.bytes);
      const before = storedBy.get(path);
      if (before?.contentHash === file.contentHash && before.language === file.language) {
        files.push(file);
        continue;
      }
      const text = textOf(deps, path, read.bytes);
      if (text.skip !== null) {
        skips.push({ path, reason: text.skip });
        continue;
      }
      files.push(file);
      const { contentHash: hash, language } = file;
      if (parsers.isKnown({ hash, language })) {
        fromCache += 1;
        const why = options.failFast ? (cache.facts({ hash, language })?.problem ?? null) : null;
        if (why !== null) throw new Failed({ code: "io", message: why, where: path });
      } else await parsers.add({ path, hash, language, text: text.text });
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  report({ phase: "read", done: tree.files.length, total: tree.files.length, bytes });
  return {
    files,
    skips: skips.sort(byPath),
    problems: problems.sort(byPath),
    parsed: parsers.parsed(),
    fromCache,
  };
}

async function walk(deps: IndexDeps, { ignore }: IndexOptions, report: ReportProgress, signal: AbortSignal) {
  const tracked = await deps.readTracked(signal);
  return deps.walk({ tracked, ignore, signal, onProgress: (done) => report({ phase: "walk", done, total: null }) });
}

function foundFile(path: string, bytes: Uint8Array): FoundFile {
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  return { path, language: languageOf(path), contentHash, sizeBytes: bytes.length, isTest: isTestPath(path) };
}

function textOf(
  deps: IndexDeps,
  path: string,
  bytes: Uint8Array,
): { readonly skip: string } | { readonly skip: null; readonly text: string } {
  const decoded = decode(bytes);
  if (decoded.kind === "binary") return { skip: "binary" };
  const skip = deps.skipByText(path, decoded.text);
  return skip === null ? { skip, text: decoded.text } : { skip };
}

/**
 * Makes sure that the facts of these files are in the cache, reading and parsing those that are not.
 * Returns the files as they are now: one that changed since has its new content, one that is gone is left out.
 */
export async function completeCache(
  deps: IndexDeps,
  options: IndexOptions,
  files: readonly FoundFile[],
  cache: GatherCache,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{ readonly files: readonly FoundFile[]; readonly parsed: number }> {
  const parsers = parserQueue(deps, options, cache, report, signal);
  const kept: FoundFile[] = [];
  try {
    for (const file of files) {
      signal.throwIfAborted();
      if (parsers.isKnown({ hash: file.contentHash, language: file.language })) {
        kept.push(file);
        continue;
      }
      const read = deps.readFile(file.path, options.bytesMax);
      if (read.kind === "problem") continue;
      const now = foundFile(file.path, read.bytes);
      const text = textOf(deps, file.path, read.bytes);
      if (text.skip !== null) continue;
      kept.push(now);
      const key = { hash: now.contentHash, language: now.language };
      if (!parsers.isKnown(key)) await parsers.add({ path: now.path, ...key, text: text.text });
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  return { files: kept, parsed: parsers.parsed() };
}

type Job = { readonly path: string; readonly hash: string; readonly language: string; readonly text: string };

/** Keeps all parsers busy, holds few texts, and stores results in batches. */
function parserQueue(
  deps: IndexDeps,
  options: IndexOptions,
  cache: GatherCache,
  report: ReportProgress,
  signal: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  const started = new Set<string>();
  let batch: ParseEntry[] = [];
  let batchChars = 0;
  let parsed = 0;
  let failed: { readonly error: unknown } | null = null;

  const flush = (): void => {
    if (batch.length > 0) cache.put(batch);
    batch = [];
    batchChars = 0;
  };
  const parse = async ({ path, hash, language, text }: Job): Promise<void> => {
    const { facts, stats } = await deps.parse({ path, language, text }, signal);
    parsed += 1;
    report({ phase: "parse", done: parsed, total: started.size });
    if (facts.problem !== null && options.failFast)
      throw new Failed({ code: "io", message: facts.problem, where: path });
    batch.push({ hash, language, facts, stats, text });
    batchChars += text.length;
    if (batch.length >= BATCH_FILES_MAX || batchChars >= BATCH_CHARS_MAX) flush();
  };
  const settle = (): void => {
    if (failed !== null) throw failed.error;
  };
  return {
    isKnown: (key: { readonly hash: string; readonly language: string }) =>
      started.has(`${key.hash}:${key.language}`) || cache.has(key),
    /** Waits while all parsers are busy. */
    async add(job: Job): Promise<void> {
      started.add(`${job.hash}:${job.language}`);
      const task = parse(job)
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

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
