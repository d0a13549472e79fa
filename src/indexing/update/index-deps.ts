/** The dependencies of indexing, as types. `app/indexing/indexing-deps.ts` provides them. */

import type { CuratedWriter } from "../../db/curated/write/write.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { IndexLock } from "../../db/sqlite/lock.ts";
import type { Notice } from "../../notice.ts";
import type { FileRead } from "../../source/files/read-file.ts";
import type { Head } from "../../source/git/git-state.ts";
import type { History, HistoryOptions } from "../../source/history/history.ts";
import type { SkipLimits } from "../../source/walk/skip.ts";
import type { Tree, WalkOptions } from "../../source/walk/tree.ts";
import type { PackedMeasured } from "../../syntax/facts/facts-codec.ts";
import type { Measured } from "../../syntax/facts/measure.ts";
import type { ReportProgress } from "../model/index-run.ts";
import type { GenerationOutcome, GenerationRequest } from "./writer/write-generation.ts";
import type { WriterSession } from "./writer/writer-client.ts";

/** A text to parse, and the sha256 of the bytes that it came from. `path` is for messages only. */
export type ParseInput = {
  readonly path: string;
  readonly hash: string;
  readonly language: string;
  readonly text: string;
};
export type ParseOutput = Measured;

/** `statKey` differs whenever the bytes may differ; `changedMs` as in `TreeFile`. */
export type FileStat = { readonly statKey: string; readonly changedMs: number };

/** Which program makes the index. */
export type IndexBuild = {
  readonly craVersion: string;
  /** The commit this program was built from, if known. */
  readonly craCommit: string | null;
  /** Changes whenever the same text may give other facts, because grammars, queries or the extractor changed. */
  readonly extractorVersion: string;
};

/** What git knows of the repository. */
export type GitReader = {
  readHead(signal: AbortSignal): Promise<Head>;
  /** The paths git tracks, or null when unknown. */
  readTracked(signal: AbortSignal): Promise<readonly string[] | null>;
  readHistory(options: HistoryOptions): Promise<Pick<History, "commits" | "problem">>;
  /** Whether a problem of HEAD or history is that it could not be read, and not that there is none. */
  isUnread(problem: string): boolean;
};

/** The repository's files, and the rules by which they are skipped. */
export type WorkTree = {
  /** The repository's real path. */
  readonly root: string;
  walk(options: WalkOptions): Promise<Tree>;
  /** Reads one file of the repository, of at most `bytesMax` bytes. */
  readFile(path: string, bytesMax: number): FileRead;
  skipByPath(path: string, sizeBytes: number, limits: SkipLimits): string | null;
  skipByText(path: string, text: string): string | null;
  /** The same for the bytes of an ASCII text that is no saved package. */
  skipByAscii(path: string, bytes: Buffer, lines: number): string | null;
  /** Whether the bytes are a saved context package. */
  holdsPackage(bytes: Uint8Array): boolean;
  vendoredIsMain(paths: Iterable<string>): boolean;
};

export type TextParser = {
  /** How many texts may be parsed at once. */
  readonly width: number;
  /** Parses in a worker. What cannot be parsed is an answer (`facts.problem`), not an exception. */
  parse(input: ParseInput, signal: AbortSignal): Promise<ParseOutput>;
  /** The same with the facts as they are stored, where the worker can pack them. */
  pack?(input: ParseInput, signal: AbortSignal): Promise<PackedMeasured>;
  /** Starts the workers for this many files of a language, before there is a text to parse. Absent where facts may come from elsewhere. */
  warm?(language: string, files: number): void;
  /** Parses on the calling thread; null if a worker has to. Absent where workers have to parse everything. */
  parseHere?(input: ParseInput): Promise<ParseOutput | null>;
};

/** The databases that indexing writes. */
export type IndexStore = {
  /** `onWait` is called once, if another process has the lock and this one waits. */
  takeLock(signal: AbortSignal, onWait?: () => void): Promise<IndexLock>;
  /** Called under the lock, before anything is opened: takes over what cra has elsewhere. */
  prepare(): void;
  /** Opens the index and moves a damaged one aside, with a notice. */
  openCurated(): { readonly writer: CuratedWriter; readonly notice: Notice | null };
  /** Moves a closed database aside that turned out to be damaged. Null if it held nothing that cannot be made again. */
  moveAside(path: string, why: string): Notice | null;
  openCache(): ParseCache;
  /**
   * Begins a generation in a worker, in one transaction. Aborting leaves the old generation. `linksAll`: all its files will be linked.
   * `sparesMemory`: memory matters more than time.
   */
  startWriter(
    report: ReportProgress,
    signal: AbortSignal,
    generation: { readonly linksAll: boolean; readonly sparesMemory: boolean },
  ): WriterSession;
  /** Writes a small generation on the calling thread. Absent where a worker has to write everything. */
  writeHere?(request: GenerationRequest, report: ReportProgress, signal: AbortSignal): GenerationOutcome;
  /** Size of the index on disk, in bytes. */
  indexBytes(): number;
  /** The stat key of the index file; null while a write-ahead log exists beside it. */
  indexStat(): FileStat | null;
};

export type IndexDeps = {
  readonly build: IndexBuild;
  readonly git: GitReader;
  readonly workTree: WorkTree;
  readonly parser: TextParser;
  readonly store: IndexStore;
  /** Milliseconds since the epoch, to compare with the times of files. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  nowMs(): number;
};
