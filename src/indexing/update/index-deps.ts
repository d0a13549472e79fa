/**
 * What indexing is handed: the edges it may use, as types.
 *
 * `app.ts` builds this from `source/`, `syntax/` and `db/`; a test builds it from the same parts or from
 * smaller ones. Not here: any behaviour.
 */
import type { CuratedWriter } from "../../db/curated/write.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { IndexLock } from "../../db/sqlite/lock.ts";
import type { Notice } from "../../failure.ts";
import type { FileRead } from "../../source/files/read-file.ts";
import type { Head } from "../../source/git/git-state.ts";
import type { History, HistoryOptions } from "../../source/history/history.ts";
import type { SkipLimits } from "../../source/walk/skip.ts";
import type { Tree, WalkOptions } from "../../source/walk/tree.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { ReportProgress } from "./progress.ts";
import type { ApplySession } from "./writer-client.ts";

/** A text to parse, and the sha256 of the bytes that it came from. `path` is for messages only. */
export type ParseInput = {
  readonly path: string;
  readonly hash: string;
  readonly language: string;
  readonly text: string;
};
export type ParseOutput = { readonly facts: FileFacts; readonly stats: Uint8Array };

/** A file by what its system says of it, which differs whenever its bytes may; `changedMs` as in `TreeFile`. */
export type Marked = { readonly mark: string; readonly changedMs: number };

export type IndexDeps = {
  /** The repository's real path. */
  readonly root: string;
  readonly craVersion: string;
  /** What this program was built from, where that is known: between releases it says more than the version. */
  readonly craCommit: string | null;
  /** Changes whenever the same text may give other facts: grammars, queries, extractor. */
  readonly extractorVersion: string;
  /** How many texts may be parsed at once. */
  readonly parseWidth: number;
  /** Milliseconds since the epoch. */
  now(): number;
  readHead(signal: AbortSignal): Promise<Head>;
  /** The paths git tracks, or null when unknown. */
  readTracked(signal: AbortSignal): Promise<readonly string[] | null>;
  readHistory(options: HistoryOptions): Promise<Pick<History, "commits" | "problem">>;
  walk(options: WalkOptions): Promise<Tree>;
  /** Reads one file of the repository, of at most `bytesMax` bytes. */
  readFile(path: string, bytesMax: number): FileRead;
  skipByPath(path: string, sizeBytes: number, limits: SkipLimits): string | null;
  skipByText(path: string, text: string): string | null;
  vendoredIsMain(paths: Iterable<string>): boolean;
  /** Parses in a worker. What cannot be parsed is an answer (`facts.problem`), not an exception. */
  parse(input: ParseInput, signal: AbortSignal): Promise<ParseOutput>;
  takeLock(signal: AbortSignal): Promise<IndexLock>;
  /** Opens the index, moving a damaged one aside (then `notice` says so). */
  openCurated(): { readonly writer: CuratedWriter; readonly notice: Notice | null };
  /** Moves a database aside that turned out to be damaged while it was used. It is closed. Null: nobody misses it. */
  moveAside(path: string, why: string): Notice | null;
  openCache(): ParseCache;
  /** Begins a generation, in one transaction and off the main thread; aborting leaves the old one. */
  apply(report: ReportProgress, signal: AbortSignal): ApplySession;
  /** Bytes that the index takes on disk. */
  indexBytes(): number;
  /** The mark of the index while all of it rests in its file; else null. */
  indexMark(): Marked | null;
};

/** What a user may set. */
export type IndexOptions = {
  /** Larger files are skipped. */
  readonly bytesMax: number;
  /** The newest commits that are read. */
  readonly commitsMax: number;
  /** Commits that touch more files say nothing about pairs. */
  readonly coChangeFilesMax: number;
  /** Patterns of files to leave out, as in `.gitignore`. */
  readonly ignore: readonly string[];
  readonly cacheBytesMax: number;
  /** Stop at the first file that cannot be read or parsed. */
  readonly failFast: boolean;
  /** Write everything again, as if nothing were stored. */
  readonly rebuild: boolean;
};
