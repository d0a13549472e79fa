/**
 * Opens an index for one answer, in a repository that has none or an old one: counts the terms of all files, and parses only the
 * files that the question is likely to need.
 */
import { join } from "node:path";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { openMemoryIndex } from "../../db/curated/memory-index.ts";
import { keptRows, statsByFile } from "../../db/curated/term-blocks.ts";
import { openCountPool } from "../../indexing/provisional/count-pool.ts";
import { type Corpus, type CountedFile, type Counting, openCounting } from "../../indexing/provisional/count-tree.ts";
import { testsToParse } from "../../indexing/provisional/first-tests.ts";
import {
  type Chosen,
  openUnparsed,
  type ProvisionalDeps,
  parseChosen,
} from "../../indexing/provisional/provisional-index.ts";
import { walkWorkTree } from "../../indexing/update/scan/change-fingerprint.ts";
import { areFew } from "../../indexing/update/small-run.ts";
import { PARSED_LANGUAGES } from "../../languages/languages.ts";
import { type FirstFiles, type FirstRequest, firstFiles } from "../../retrieval/scope/first-files.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import type { TextCounts } from "../../text/terms/count-block.ts";
import { CHARS_PER_TOKEN } from "../../text/tokens/tokens.ts";
import type { OnProgress } from "../workspace/environment.ts";
import { createIfWritable, type Workspace } from "../workspace/workspace.ts";
import { EXTRACTOR, indexDeps, LIGHT_RUN, optionsOf, workersOf } from "./indexing-deps.ts";
import { parseFew } from "./parse-few.ts";

/** `namesIn` gives what the question asks for besides its words, from the paths of all files. */
export type ProvisionalRequest = Omit<FirstRequest, "names"> & {
  namesIn?(paths: readonly string[]): Promise<readonly string[]>;
};

/**
 * How many of the best files by their terms are parsed: at most `BEST_MAX`, and beyond `BEST_MIN` no more than these bytes. More files show
 * no more definitions, and parsing takes a second for each megabyte.
 */
const BEST_MAX = 40;
const BEST_MIN = 15;
const BEST_BYTES_MAX = 512 * 1024;
/** How many test files are parsed besides, and their bytes. */
const TESTS_MAX = 6;
const TESTS_BYTES_MAX = 256 * 1024;
/** Files down to this rank are taken if they were parsed before. */
const PARSED_BEFORE_MAX = 600;
/** The best files whose direct imports are parsed. */
const IMPORTERS_MAX = 5;
/** Ending a thread takes as long as parsing several files. A command has printed its answer by then, and ends with its threads. */
const THREADS_END_AFTER_MS = 2_000;

/** Takes no lock and changes no index; what it counts and parses goes to the parse cache. Throws the signal's reason. */
export async function openProvisional(
  workspace: Workspace,
  request: ProvisionalRequest,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<KnowledgeBase> {
  createIfWritable(workspace);
  const workers = workersOf(workspace);
  const options = optionsOf(workspace, LIGHT_RUN);
  const counting = openCountPool({ root: workspace.root, bytesMax: options.bytesMax, workersMax: workers });
  if (hasManyFiles(workspace.root)) counting.warm();
  const parsing = openParsePool({ workersMax: workers, spawn: counting.takeParser });
  const stop = (): void => counting.close(signal.reason);
  const endThreads = (): void => {
    counting.close(null);
    parsing.close();
  };
  signal.addEventListener("abort", stop);
  const deps = indexDeps(workspace, LIGHT_RUN, parsing, workers);
  const cache = deps.store.openCache();
  const index = openMemoryIndex(workspace.root);
  let counts: Counting | null = null;
  let corpus: Corpus | null = null;
  try {
    const head = await deps.git.readHead(signal);
    const stored = workspace.index.exists() ? workspace.index.open() : null;
    counts = openCounting({ ...deps, cache, pool: counting, known: countsIn(stored) }, options);
    const known = (): readonly string[] => stored?.files().map(({ path }) => path) ?? [];
    // Files are counted while others are still being found.
    const walked = await walkWorkTree(deps, options, known, onProgress, signal, counts.ahead);
    corpus = await counts.finish(walked, onProgress, signal);
    // Threads load what they parse with while this one ranks the files.
    const [language, files] = mainLanguage(corpus.files);
    const bytes = corpus.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const isSmall = areFew(corpus.files.length, bytes);
    if (corpus.isFirst && files > 0 && !isSmall) parsing.warm(language, Math.min(files, BEST_MAX));
    const names = (await request.namesIn?.(corpus.files.map(({ path }) => path))) ?? [];
    const { parseHere: _, ...inThreads } = deps.parser;
    // Starting a thread takes longer than parsing few files.
    const parser = isSmall ? { width: inThreads.width, ...parseFew(parsing) } : inThreads;
    const parts: ProvisionalDeps = {
      ...deps,
      parser,
      index,
      cache,
      options,
      corpus,
      head,
      texts: new Map(),
      isBehind: stored !== null,
    };
    const found = await filesFor(parts, { ...request, names }, signal);
    const kb = await parseChosen(parts, chosenOf(found, corpus.files), onProgress, signal);
    setTimeout(endThreads, THREADS_END_AFTER_MS).unref();
    return { ...kb, close: () => index.close() };
  } catch (error) {
    endThreads();
    if (corpus === null) counts?.store();
    else corpus.remember();
    index.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    cache.close();
  }
}

/** git's list of this size has more files than are counted without a thread. */
const GIT_INDEX_BYTES_MIN = 128 * 1024;

/** Whether git lists so many files that threads are certain to be needed: they start while this one is opening what it needs. */
const hasManyFiles = (root: string): boolean => Bun.file(join(root, ".git", "index")).size >= GIT_INDEX_BYTES_MIN;

/** The term statistics of an index by content, as long as this program would make the same. */
function countsIn(kb: KnowledgeBase | null): ReadonlyMap<string, TextCounts> {
  if (kb === null || kb.meta().extractorVersion !== EXTRACTOR) return new Map();
  const files = new Map(kb.storedFiles().map((file) => [file.id, file]));
  return new Map(
    keptRows(kb.termStats())
      .flatMap(statsByFile)
      .flatMap(([fileId, stats]) => {
        const file = files.get(fileId);
        if (file === undefined) return [];
        const { contentHash: hash, lineCount: lines, tokenCount } = file;
        return [[hash, { hash, lines, chars: tokenCount * CHARS_PER_TOKEN, stats }]];
      }),
  );
}

/** The language with the most files that have a grammar, and how many these are. */
function mainLanguage(files: readonly CountedFile[]): readonly [language: string, files: number] {
  const counts = new Map<string, number>();
  for (const { language } of files)
    if (PARSED_LANGUAGES.get(language)?.kind === "grammar") counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
}

async function filesFor(deps: ProvisionalDeps, request: FirstRequest, signal: AbortSignal): Promise<FirstFiles> {
  const unparsed = openUnparsed(deps);
  try {
    return await firstFiles(unparsed, request, signal);
  } finally {
    unparsed.close();
  }
}

function chosenOf({ named, ranked, tests }: FirstFiles, files: readonly CountedFile[]): Chosen {
  const best = within(BEST_BYTES_MAX, files, ranked.slice(0, BEST_MAX), BEST_MIN);
  const first = new Set([...named, ...best]);
  const others = testsToParse(files, [...first], tests).filter((id) => !first.has(id));
  const testing = within(TESTS_BYTES_MAX, files, others.slice(0, TESTS_MAX));
  return {
    first: [...first, ...testing],
    importers: [...first].slice(0, IMPORTERS_MAX),
    ifParsed: ranked.slice(best.length, PARSED_BEFORE_MAX),
  };
}

/** The files up to this many bytes together, and in any case the first `least`. */
function within(bytesMax: number, files: readonly CountedFile[], ids: readonly number[], least = 0): readonly number[] {
  let bytes = 0;
  return ids.filter((id, rank) => {
    bytes += files[id - 1]?.sizeBytes ?? 0;
    return rank < least || bytes <= bytesMax;
  });
}
