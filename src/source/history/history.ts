/**
 * What a repository's history is to the index, and which commits of it count.
 *
 * Rows: the commits reachable from HEAD, newest first by (committer time, then hash), at most
 * `commitsMax` of them. A commit's files are the paths added, modified or deleted against its only
 * parent, without rename detection; a root compares to the empty tree; merges, and the oldest commits of
 * a shallow clone (whose parents are not there), contribute none. Submodule entries and names that are
 * not UTF-8 are left out. Two readers give these rows, and a test holds them equal.
 *
 * A reader never throws: what it could not do is `problem`, one sentence.
 */

export type CommitRecord = {
  readonly hash: string;
  readonly author: string;
  /** Without white space at its ends. */
  readonly message: string;
  /** Committer time, seconds since the epoch. */
  readonly timestamp: number;
  /** Sorted, `/` separated, relative to the root. */
  readonly files: readonly string[];
};

/** Where a work tree stands. Cheap to read: tells whether the rest must be read again. */
export type Head = {
  /** Hash of the commit that is checked out; null when there is none yet. */
  readonly head: string | null;
  /** Name of the branch (`main`); null when HEAD is detached. */
  readonly branch: string | null;
  /** Address of `origin`, else of the first remote by name, without credentials; null for a path on this machine. */
  readonly remoteUrl: string | null;
  /** Differs whenever a shallow clone ends at other commits; null for a complete one. */
  readonly shallow: string | null;
  readonly problem: string | null;
};

export type History = Head & {
  /** Paths in git's index (submodules too), sorted; null when it could not be read. */
  readonly tracked: readonly string[] | null;
  readonly commits: readonly CommitRecord[];
};

export type HistoryOptions = {
  readonly commitsMax: number;
  /** Commits read before, by hash: those with files are taken as they are. */
  readonly known?: ReadonlyMap<string, CommitRecord> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of `total` commits have been read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** `root` is a real path; it need not be a repository (then `problem` says so). */
export type HistoryReader = {
  readonly name: "git" | "builtin";
  readHead(root: string, signal?: AbortSignal): Promise<Head>;
  readHistory(root: string, options: HistoryOptions): Promise<History>;
};

/** The newest `commitsMax` commits, newest first; hashes settle equal times. */
export function newestCommits<T extends { readonly hash: string; readonly timestamp: number }>(
  commits: readonly T[],
  commitsMax: number,
): readonly T[] {
  return commits.toSorted(newestFirst).slice(0, commitsMax);
}

/** The order of rows. */
export function newestFirst(
  a: { readonly hash: string; readonly timestamp: number },
  b: { readonly hash: string; readonly timestamp: number },
): number {
  return b.timestamp - a.timestamp || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);
}

/** A history with nothing but a reason. */
export function noHistory(problem: string): History {
  return { head: null, branch: null, remoteUrl: null, shallow: null, tracked: null, commits: [], problem };
}

/** The part of a history that is cheap to read. */
export const headOf = ({ head, branch, remoteUrl, shallow, problem }: History): Head => ({
  head,
  branch,
  remoteUrl,
  shallow,
  problem,
});

/**
 * A commit that was read before. One without files may have been the end of a shallow clone, which has parents by
 * now: it is read again. Readers ask for no commit that is such an end now.
 */
export function knownRecord(
  known: ReadonlyMap<string, CommitRecord> | undefined,
  hash: string,
): CommitRecord | undefined {
  const record = known?.get(hash);
  return record === undefined || record.files.length === 0 ? undefined : record;
}

/** What a repository without any commit is told. */
export const NO_COMMITS = "no commits yet";
