/** What all of indexing shares: types of files, options and progress, and the key of what is known of a content. */

import type { ParseKey } from "../../db/parse-cache/parse-cache.ts";
import type { PackedFacts } from "../../syntax/facts/facts-codec.ts";

/** A file of the work tree that is worth indexing; `contentHash` is the sha256 of its bytes in hex. */
export type IndexableFile = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
};

/** The key of a file's facts in the parse cache. */
export const cacheKey = ({
  contentHash: hash,
  language,
}: Pick<IndexableFile, "contentHash" | "language">): ParseKey => ({
  hash,
  language,
});

export type Skip = { readonly path: string; readonly reason: string };

/** A file or folder that could not be read, or a file that is indexed as text because it could not be parsed. */
export type Problem = { readonly path: string; readonly why: string };

/**
 * What a file holds: its text, and the term statistics of it. `packed` are its facts as the parse cache has them, and `names` what others may
 * find in these (`syntax/facts/defined-names.ts`), which saves reading them there.
 */
export type CountedText = {
  readonly text: string;
  readonly stats: Uint8Array;
  readonly packed?: PackedFacts;
  readonly names?: Uint32Array;
};

/** A file whose facts are in the parse cache. Without its content, that is read and counted once more. */
export type ParsedFile = IndexableFile & { readonly content?: CountedText };

/** `id` is the stored row's, null for a new file. */
export type DueFile = ParsedFile & { readonly id: number | null };

/** Due files in path order, made when they are asked for: they may be all of a repository. */
export type DueFiles = Pick<readonly DueFile[], "length" | "slice">;

/** Files, and their bytes. */
export type Amount = { readonly files: number; readonly bytes: number };

/** What a user may set, and what a run needs. */
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
  /** Parse files again that a parser failed on, though they have not changed. */
  readonly retries: boolean;
  /** Try as often as files change while they are read, instead of failing. */
  readonly patient?: boolean;
  /** A SCIP index to take exact references from. Without one, those of an earlier run stay, unless `rebuild` is set. */
  readonly scip?: Uint8Array;
  /** Fail with `index-behind` when an index exists and more than this is due. */
  readonly dueMax?: Amount;
};

/** The steps of a run. They overlap, but for the first: a run waits while another process writes the index. */
export type IndexPhase = "wait" | "walk" | "count" | "parse" | "history" | "resolve" | "write";

/** `done` of `total` files, commits or steps, or bytes if `unit` says so; `total` is null while it is not known. */
export type IndexProgress = {
  readonly phase: IndexPhase;
  readonly done: number;
  readonly total: number | null;
  readonly unit?: "bytes";
};

export type ReportProgress = (progress: IndexProgress) => void;
