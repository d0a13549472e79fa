/**
 * Makes an index in memory for one answer: all files by the counts of their terms, and the facts of the few that are parsed.
 *
 * Facts come from the parse cache and go there, so later answers and the index begin with them. The answer depends on the
 * files and on which of them were parsed before, and the content hash covers both.
 */
import { createHash } from "node:crypto";
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { FileStatsRow, KnowledgeBase, StoredFileRow } from "../../db/curated/knowledge-base.ts";
import type { MemoryIndex } from "../../db/curated/memory-index.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import type { Head } from "../../source/git/git-state.ts";
import { CHARS_PER_TOKEN } from "../../text/tokens/tokens.ts";
import type { CountedText, DueFile, IndexableFile, IndexOptions, Problem, ReportProgress } from "../model/index-run.ts";
import { cacheKey } from "../model/index-run.ts";
import type { IndexDeps } from "../update/index-deps.ts";
import { buildVersionsOf, isFailure, sourceHashOf } from "../update/scan/compare.ts";
import { NO_ROWS, type RowSink } from "../update/scan/parse-queue.ts";
import { joinedProgress } from "../update/scan/read-progress.ts";
import { completeCache, forgetFailures } from "../update/scan/scan-and-parse.ts";
import {
  type Generation,
  type GenerationEnd,
  openGeneration,
  type ReadText,
} from "../update/writer/write-generation.ts";
import type { Corpus, CountedFile } from "./count-tree.ts";
import { type TextDeps, textByHash, textReader } from "./counted-texts.ts";
import { openDirectImports } from "./direct-imports.ts";
import { orderedRows, placeOf } from "./ordered-rows.ts";
import { byteLimit, largestFirst, largestLast } from "./parse-order.ts";
import { keepingFacts, keyOf, partOfCache } from "./part-of-cache.ts";

/** What a provisional index is made of and with. The id of a file is its position in the corpus + 1. */
export type ProvisionalDeps = Pick<IndexDeps, "build" | "parser" | "now"> &
  TextDeps & {
    readonly index: MemoryIndex;
    readonly cache: ParseCache;
    readonly options: IndexOptions;
    readonly corpus: Corpus;
    readonly head: Head;
    /** Whether there is an index that is too far behind. */
    readonly isBehind: boolean;
  };

/** Which files to parse, by id. */
export type Chosen = {
  readonly first: readonly number[];
  /** Files whose direct imports are parsed too. */
  readonly importers: readonly number[];
  /** Files that are taken if they were parsed before. */
  readonly ifParsed: readonly number[];
};

/** Cached facts may prove unreadable; then those of files that have not changed are parsed again, once. */
const TRIES_MAX = 2;

/** An index without any parsed file, to choose files by. Close it before `parseChosen`. */
export function openUnparsed(deps: ProvisionalDeps): KnowledgeBase {
  const { index, corpus } = deps;
  const { writer } = index;
  writer.begin();
  index.putBare(corpus.files.map(bareFile));
  writer.setRepo(repoOf(deps));
  // Nothing asks for the state of it.
  writer.setMeta(metaWith(deps, "", 0));
  writer.commit();
  return index.read({ termStats: corpus.files.map(termStatsOf), readText: textReader(deps) });
}

/** Parses what was chosen, with direct imports, and opens the index of it. Throws the signal's reason. */
export async function parseChosen(
  deps: ProvisionalDeps,
  chosen: Chosen,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<KnowledgeBase> {
  const { corpus, index } = deps;
  const parsing = openParsing(deps, report, signal);
  const { rowsOf, have, parse } = parsing;
  // All that are written have a text. A configuration that changed since it was counted says nothing.
  const textOf: ReadText = (file) => parsing.textIn(file) ?? "";
  const open = (): Generation => openGeneration(index.writer, parsing.facts, textOf, report);
  let generation = open();
  let all = await parseInTurn(deps, parsing, chosen, (ids) => {
    index.storeRows(ids);
    generation.put(rowsOf(ids));
  });
  have(all);
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    index.storeRows(corpus.files.map((_, at) => at + 1));
    const due = rowsOf(all);
    generation.due(due, due.length);
    const outcome = generation.finish(endOf(deps, due), () => null);
    if (outcome.kind === "applied") {
      noteFailures(deps, due);
      // Answers alone may never be followed by an index run.
      deps.cache.evictAbove(deps.options.cacheBytesMax);
      return index.read({ termStats: corpus.files.map(termStatsOf), readText: parsing.readText });
    }
    all = await parse(all, NO_ROWS, new Set(outcome.paths));
    parsing.haveNone();
    have(all);
    generation = open();
  }
  const message = "cached facts cannot be read back";
  throw new Failed({ code: "io", message, where: "parse cache", next: "run: cra clean --cache" });
}

type Parsing = ReturnType<typeof openParsing>;

/** Parses files by id, and knows what was found. */
function openParsing(deps: ProvisionalDeps, report: ReportProgress, signal: AbortSignal) {
  const { cache, corpus, options } = deps;
  const filesOf = (ids: readonly number[]) => ids.flatMap((id) => corpus.files.slice(id - 1, id));
  const readText = textReader(deps);
  const textIn = textByHash(deps, readText);
  const known = keepingFacts(cache);
  const keys = new Set<string>();
  const contents = new Map<string, CountedText>();
  const reading = joinedProgress(report);
  return {
    filesOf,
    readText,
    textIn,
    known,
    /** Those of the files that `have` names. */
    facts: partOfCache(known, keys),
    have(ids: readonly number[]): void {
      for (const file of filesOf(ids)) keys.add(keyFor(file));
    },
    haveNone: (): void => keys.clear(),
    hasText: (id: number): boolean => filesOf([id]).some((file) => contents.has(keyFor(file)) || textIn(file) !== null),
    rowsOf: (ids: readonly number[]): readonly DueFile[] =>
      filesOf(ids).map((file, at) => dueFile(file, ids[at] ?? null, contents.get(keyFor(file)))),
    /** Returns the files that were parsed. `lost` as in `completeCache`. */
    async parse(ids: readonly number[], rows: RowSink, lost?: ReadonlySet<string>): Promise<readonly number[]> {
      const due = filesOf(largestFirst(corpus, ids));
      const bytes = due.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const { files } = await reading(bytes, (told) =>
        completeCache(deps, options, due, known, keeping(contents, rows), told, signal, lost),
      );
      // A file that changed since it was counted stays without facts.
      const present = new Set([...files].map(placeOf));
      return ids.filter((id) => filesOf([id]).some((file) => present.has(placeOf(file))));
    },
  };
}

/** Parses what was chosen and what it imports, in threads, while this one puts rows and follows imports. Returns all files with facts and text. */
async function parseInTurn(
  deps: ProvisionalDeps,
  { filesOf, known, textIn, have, hasText, parse }: Parsing,
  { first, importers, ifParsed }: Chosen,
  put: (ids: readonly number[]) => void,
): Promise<readonly number[]> {
  const { cache, corpus, index } = deps;
  const within = byteLimit(corpus.files);
  const chosen = within(first);
  const isImporter = new Set(importers);
  const [heads, others] = [chosen.filter((id) => isImporter.has(id)), chosen.filter((id) => !isImporter.has(id))];
  const order = [...largestLast(corpus, [...largestFirst(corpus, heads), ...largestFirst(corpus, others)])];
  const inOrder = orderedRows(filesOf(order), cache, (position) => {
    const ids = order.slice(position, position + 1).filter(hasText);
    have(ids);
    put(ids);
  });
  // From then on each thread has a text while this one is busy.
  const begun = Promise.withResolvers<void>();
  const ready: RowSink["ready"] = (files) => {
    begun.resolve();
    inOrder.ready(files);
  };
  const rows = { ...inOrder, ready };
  const parseHeads = async (): Promise<readonly number[]> => {
    const parsing = parse(heads, rows);
    // It is thrown below; until then a rejection must not count as unheard.
    parsing.catch(() => undefined);
    // The threads get their texts before.
    await nextTurn();
    // What else is parsed by then depends on the speed of the threads.
    const keys = new Set<string>();
    const importsOf = openDirectImports(deps, partOfCache(known, keys), textIn, heads);
    const parsed = await parsing;
    for (const file of filesOf(parsed)) keys.add(keyFor(file));
    const imported = within(importsOf(parsed, new Set(chosen)));
    const isParsed = new Set([...chosen, ...imported]);
    // Which of these contents are in the cache by now depends on the threads as well.
    const contents = new Set(filesOf([...isParsed]).map(keyFor));
    const isKnown = (file: IndexableFile): boolean => contents.has(keyFor(file)) || cache.has(cacheKey(file));
    const before = within(ifParsed.filter((id) => !isParsed.has(id) && filesOf([id]).some(isKnown)));
    const added = [...new Set([...imported, ...before])].filter((id) => !order.includes(id)).sort((a, b) => a - b);
    order.push(...added);
    inOrder.add(filesOf(added));
    return [...parsed, ...(await parse(imported, rows)), ...before];
  };
  const parsing = Promise.all([parseHeads(), parse(others, rows)]);
  const storeMeanwhile = async (): Promise<void> => {
    corpus.remember();
    cache.closeStats();
    while (index.storeNextRows()) await nextTurn();
  };
  const [parsed] = await Promise.all([parsing, Promise.race([begun.promise, parsing]).then(storeMeanwhile)]);
  await inOrder.written();
  return [...new Set(parsed.flat())].filter(hasText).sort((a, b) => a - b);
}

const endOf = (deps: ProvisionalDeps, due: readonly DueFile[]): GenerationEnd => ({
  repo: repoOf(deps),
  meta: metaOf(deps, due),
  removedIds: [],
  skips: deps.corpus.skips,
  sameVersions: false,
  scip: "keep",
  isRepeated: false,
  isPartial: true,
});

/** Keeps the contents of files until they are written. */
const keeping = (contents: Map<string, CountedText>, rows: RowSink): RowSink => ({
  ...rows,
  ready(files) {
    for (const file of files) if (file.content !== undefined) contents.set(keyFor(file), file.content);
    rows.ready(files);
  },
});

const dueFile = ({ counts: _, ...file }: CountedFile, id: number | null, content: CountedText | undefined): DueFile =>
  content === undefined ? { ...file, id } : { ...file, id, content };

/** A file that could not be parsed may be parsed next time: its facts are forgotten, and the state is another one. */
function noteFailures(deps: ProvisionalDeps, parsed: readonly IndexableFile[]): void {
  const { index, cache } = deps;
  const failures = index.writer.problems().filter(({ why }) => isFailure(why));
  if (failures.length === 0) return;
  forgetFailures(cache, index.writer.files());
  index.writer.begin();
  index.writer.setMeta(metaOf(deps, parsed, failures));
  index.writer.commit();
}

const keyFor = (file: IndexableFile): string => keyOf(cacheKey(file));

const bareFile = ({ counts, ...file }: CountedFile, position: number): StoredFileRow => ({
  ...file,
  id: position + 1,
  lineCount: counts.lines,
  tokenCount: Math.ceil(counts.chars / CHARS_PER_TOKEN),
  modifiedAt: null,
});

const termStatsOf = ({ counts: { stats } }: CountedFile, position: number): FileStatsRow => ({
  kind: "file",
  fileId: position + 1,
  stats,
});

const repoOf = ({ workTree, head, now }: ProvisionalDeps) => ({
  path: workTree.root,
  remoteUrl: head.remoteUrl,
  head: head.head,
  indexedAt: new Date(now()).toISOString(),
});

function metaOf(
  deps: ProvisionalDeps,
  parsed: readonly Pick<IndexableFile, "path">[],
  failures: readonly Problem[] = [],
) {
  const { build, options, corpus, head } = deps;
  const source = sourceHashOf(corpus.files, head, buildVersionsOf(build, options));
  const state = [source, parsed.map(({ path }) => path), failures];
  const hash = createHash("sha256").update(JSON.stringify(state)).digest("hex");
  return metaWith(deps, hash, parsed.length - failures.length);
}

const metaWith = ({ build, options, head, isBehind }: ProvisionalDeps, hash: string, parsed: number) => ({
  ...buildVersionsOf(build, options),
  contentHash: hash,
  sourceHash: hash,
  head: head.head,
  remoteUrl: head.remoteUrl,
  shallow: head.shallow,
  historyProblem: head.problem,
  provisional: { parsed, index: isBehind ? ("behind" as const) : ("none" as const) },
});
