/**
 * The history of a repository as the index uses it, and which commits count.
 *
 * Rows are the commits reachable from HEAD, newest first by committer time and then hash, at most `commitsMax`. A commit's files are the
 * paths added, modified or deleted against its only parent, without rename detection. A root compares with the empty tree; merges, and the
 * oldest commits of a shallow clone, have no files. Submodules and names that are not UTF-8 are left out. Two readers give these
 * rows, and a test compares them. A reader never throws: `problem` says what it could not do.
 */
import { NOT_A_REPOSITORY } from "../git/folders.ts";
import { type Head, NO_COMMITS } from "../git/git-state.ts";

export type CommitRecord = {
  readonly hash: string;
  readonly author: string;
  /** Trimmed. */
  readonly message: string;
  /** Committer time in seconds since 1970. */
  readonly timestamp: number;
  /** Sorted, `/` separated, relative to the root. */
  readonly files: readonly string[];
};

export type History = Head & {
  /** The sorted paths in git's index, with submodules; null when it could not be read. */
  readonly tracked: readonly string[] | null;
  readonly commits: readonly CommitRecord[];
};

/** Commits by hash. */
type KnownCommits = { get(hash: string): CommitRecord | undefined };

export type HistoryOptions = {
  readonly commitsMax: number;
  /** HEAD, where it is known: then git is asked for the commits alone, and `tracked` is null. */
  readonly head?: Head | undefined;
  /** Commits read before, by hash; those with files are reused. */
  readonly known?: KnownCommits | undefined;
  /** Leaves out which files commits touch, which takes most of the time. */
  readonly withoutFiles?: true;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** The lines that a commit adds and removes; a changed line is both. */
export type LineCounts = { readonly insertions: number; readonly deletions: number };

/** `root` is a real path; if it is not a repository, `problem` says so. */
export type HistoryReader = {
  readonly name: "git" | "builtin";
  readHead(root: string, signal?: AbortSignal): Promise<Head>;
  readHistory(root: string, options: HistoryOptions): Promise<History>;
  /**
   * Counts lines of a few commits. Those without files (merges, ends of a shallow clone) have no entry; there is none at all
   * if git cannot answer, and from the built-in reader.
   */
  countLines(root: string, hashes: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, LineCounts>>;
};

/** The newest `commitsMax` commits, newest first. */
export function newestCommits<T extends { readonly hash: string; readonly timestamp: number }>(
  commits: readonly T[],
  commitsMax: number,
): readonly T[] {
  return commits.toSorted(newestFirst).slice(0, commitsMax);
}

/** The order of rows; hashes break ties. */
export function newestFirst(
  a: { readonly hash: string; readonly timestamp: number },
  b: { readonly hash: string; readonly timestamp: number },
): number {
  return b.timestamp - a.timestamp || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);
}

/** An empty history with its reason. */
export function noHistory(problem: string): History {
  const tracked = isUnread(problem) ? null : [];
  return { head: null, branch: null, remoteUrl: null, shallow: null, tracked, commits: [], problem };
}

export const headOf = ({ head, branch, remoteUrl, shallow, problem }: History): Head => ({
  head,
  branch,
  remoteUrl,
  shallow,
  problem,
});

/**
 * A commit that was read before. One without files is read again: it may have been the end of a shallow clone that has been deepened
 * since. Callers do not ask for current ends.
 */
export function knownRecord(known: KnownCommits | undefined, hash: string): CommitRecord | undefined {
  const record = known?.get(hash);
  return record === undefined || record.files.length === 0 ? undefined : record;
}

/** Whether a problem is that something could not be read. No commits or no repository is an answer. */
export const isUnread = (problem: string): boolean => problem !== NO_COMMITS && problem !== NOT_A_REPOSITORY;
