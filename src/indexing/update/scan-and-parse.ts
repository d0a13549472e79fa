/**
 * Reads the work tree: which files are worth indexing, what is in them, and their facts into the cache.
 *
 * One pass, at most one reading per file: what was hashed is what is parsed, whatever the file does meanwhile. A file
 * that its system has not seen change since it was last hashed is not read; content that is stored is not parsed.
 * Parsed facts go to the cache in batches, so a killed run continues; texts are held only while they wait for a parser.
 * Not here: what to do about a difference (`compare.ts`), writing the index (`write-generation.ts`).
 */
import { createHash } from "node:crypto";
import type { StoredFile } from "../../db/curated/write.ts";
import type { ParseCache, ParseEntry } from "../../db/parse-cache/parse-cache.ts";
import type { StatEntry } from "../../db/parse-cache/stat-cache.ts";
import { Failed } from "../../failure.ts";
import { decode } from "../../text/decode.ts";
import { isTestPath, languageOf } from "../../text/language.ts";
import { byPath } from "../../text/order.ts";
import { isOldMark, markOf, type Walked } from "./change-fingerprint.ts";
import type { FoundFile, Skip } from "./compare.ts";
import type { IndexDeps, IndexOptions } from "./index-deps.ts";
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

/** Who writes rows meanwhile: is told that there will be some, and which files' facts are in the cache. */
export type RowWriter = { expect(): void; ready(files: readonly FoundFile[]): void };

/** The part of the parse cache that gathering needs. */
export type GatherCache = Pick<ParseCache, "has" | "facts" | "put" | "setStatEntries" | "statEntries">;

/** `stored` are the files whose rows are still good when their content is the same. Throws the signal's reason. */
export async function gather(
  deps: IndexDeps,
  options: IndexOptions,
  { tree, lookedAt }: Walked,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  cache: GatherCache,
  rows: RowWriter,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Gathered> {
  const storedBy = new Map(stored.map((file) => [file.path, file]));
  const limits = {
    bytesMax: options.bytesMax,
    vendoredIsMain: deps.vendoredIsMain(tree.files.map(({ path }) => path)),
  };
  const files: FoundFile[] = [];
  const skips: Skip[] = tree.leftOut.map(({ path, reason }) => ({ path, reason }));
  const problems: Problem[] = tree.problems.map(({ path, why }) => ({ path, why }));
  const parsers = parserQueue(deps, options, cache, rows, report, signal);
  const maker = `${deps.craVersion} ${deps.extractorVersion}`;
  const seenBefore = cache.statEntries(maker);
  const seen: StatEntry[] = [];
  let fromCache = 0;
  let bytes = 0;
  const unread = (path: string, why: string): void => {
    if (options.failFast) throw failFast(path, why);
    problems.push({ path, why });
    skips.push({ path, reason: "unreadable" });
  };
  /** Whether the rows or the facts of this content are there already. */
  const isKnown = (file: FoundFile): boolean => {
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
      const mark = markOf(entry);
      const same = seenBefore.get(path);
      if (same !== undefined && same.mark === mark && !options.rebuild) {
        const file = foundFile(path, same.hash, sizeBytes);
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
      const file = foundFile(path, hashOf(read.bytes), read.bytes.length);
      const known = isKnown(file);
      const text = known ? null : textOf(deps, path, read.bytes);
      const skip = text?.skip ?? null;
      if (isOldMark(entry, lookedAt)) seen.push({ path, mark, hash: file.contentHash, skip });
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
  cache.setStatEntries(maker, seenBefore, seen);
  report({ phase: "read", done: tree.files.length, total: tree.files.length, bytes });
  return {
    files,
    skips: skips.sort(byPath),
    problems: problems.sort(byPath),
    parsed: parsers.parsed(),
    fromCache,
  };
}

/** Takes the facts of files out of the cache that are stored, and by now count as what may hold secrets. */
export function forgetSecrets(
  cache: Pick<ParseCache, "drop">,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  { skips }: Pick<Gathered, "skips">,
): void {
  const secret = new Set(skips.flatMap(({ path, reason }) => (reason === "secret" ? [path] : [])));
  if (secret.size === 0) return;
  for (const { path, contentHash: hash, language } of stored) if (secret.has(path)) cache.drop({ hash, language });
}

/** What names a content: the sha256 of its bytes, in hex. */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function foundFile(path: string, contentHash: string, sizeBytes: number): FoundFile {
  return { path, language: languageOf(path), contentHash, sizeBytes, isTest: isTestPath(path) };
}

/** The text of a file, or why it is left out. */
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
 * Makes sure that the facts of these files are in the cache, reading and parsing those that are not.
 * Returns the files as they are now: one that changed since has its new content, one that is gone is left out.
 */
export async function completeCache(
  deps: IndexDeps,
  options: IndexOptions,
  files: readonly FoundFile[],
  cache: GatherCache,
  rows: RowWriter,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{ readonly files: readonly FoundFile[]; readonly parsed: number }> {
  const parsers = parserQueue(deps, options, cache, rows, report, signal);
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
      const now = foundFile(file.path, hashOf(read.bytes), read.bytes.length);
      const text = textOf(deps, file.path, read.bytes);
      if (text.skip !== null) continue;
      kept.push(now);
      if (!parsers.isKnown({ hash: now.contentHash, language: now.language })) await parsers.add(now, text.text);
    }
    await parsers.finish();
  } finally {
    parsers.flush();
  }
  return { files: kept, parsed: parsers.parsed() };
}

/** Keeps all parsers busy, holds few texts, and stores results in batches. */
function parserQueue(
  deps: IndexDeps,
  options: IndexOptions,
  cache: GatherCache,
  rows: RowWriter,
  report: ReportProgress,
  signal: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  const started = new Set<string>();
  let batch: ParseEntry[] = [];
  let batchChars = 0;
  /** Files whose facts will be in the cache once the batch is. */
  let ready: FoundFile[] = [];
  let parsed = 0;
  let failed: { readonly error: unknown } | null = null;

  const flush = (): void => {
    if (batch.length > 0) cache.put(batch);
    if (ready.length > 0) rows.ready(ready);
    batch = [];
    batchChars = 0;
    ready = [];
  };
  const add = (file: FoundFile): void => {
    ready.push(file);
    if (ready.length >= BATCH_FILES_MAX || batchChars >= BATCH_CHARS_MAX) flush();
  };
  const parse = async (file: FoundFile, text: string): Promise<void> => {
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
  const keyOf = ({ contentHash, language }: FoundFile): string => `${contentHash}:${language}`;
  return {
    isKnown: (key: { readonly hash: string; readonly language: string }) =>
      started.has(`${key.hash}:${key.language}`) || cache.has(key),
    /** A file whose facts are known; one that waits for those of another is left to the end. */
    found(file: FoundFile): void {
      if (!started.has(keyOf(file))) add(file);
    },
    /** Waits while all parsers are busy. */
    async add(file: FoundFile, text: string): Promise<void> {
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

/** The end of a run that was asked to end at the first file with a problem. */
const failFast = (where: string, message: string): Failed =>
  new Failed({ code: "io", message, where, next: "leave out --fail-fast, or add it to .craignore" });
