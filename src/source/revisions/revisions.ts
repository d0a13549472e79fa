/**
 * The interface to read commits: resolve a name, find a merge base or what was before a time, list files, read contents.
 *
 * Two readers, git and built-in, give the same results, and a test compares them. A reader never throws: a problem says what it could not
 * do.
 */
import type { IndexEntry } from "../git/index-file.ts";

/** "unknown": the repository has no such thing. */
export type RevisionResult<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "unknown" }
  | { readonly kind: "problem"; readonly why: string };

/** A file, symbolic link or submodule in a tree: its mode as git writes it, and the hash of its content or commit. */
export type TreeEntry = { readonly mode: string; readonly hash: string };

/** `root` is a real path; hashes are complete. */
export type RevisionReader = {
  readonly name: "git" | "builtin";
  /** The commit of a git name: a branch, a tag, a hash, `HEAD~2`. */
  commit(root: string, name: string, signal: AbortSignal): Promise<RevisionResult<string>>;
  /** The merge base of two commits; of several, the first by hash. "unknown" when there is none. */
  forkPoint(root: string, one: string, other: string, signal: AbortSignal): Promise<RevisionResult<string>>;
  /** Of a commit and its first parents, the newest that is older than `seconds` since 1970; "unknown" when there is none. */
  commitBefore(root: string, commit: string, seconds: number, signal: AbortSignal): Promise<RevisionResult<string>>;
  /** Everything in a commit by path, but folders. */
  files(root: string, commit: string, signal: AbortSignal): Promise<RevisionResult<ReadonlyMap<string, TreeEntry>>>;
  /** The entries of git's index in a form that only git can read, without their stat. */
  tracked(root: string, signal: AbortSignal): Promise<RevisionResult<readonly IndexEntry[]>>;
  /** Contents by hash, "too large" above `CONTENT_BYTES_MAX`. Those that a partial clone lacks are left out; none is fetched. */
  contents(
    root: string,
    hashes: readonly string[],
    signal: AbortSignal,
  ): Promise<RevisionResult<ReadonlyMap<string, StoredContent>>>;
};

export type StoredContent = Uint8Array | "too large";

/** Nobody reads larger sources line by line. */
export const CONTENT_BYTES_MAX = 1024 * 1024;

const NAME_CHARS_MAX = 250;

/** Whether a text can only name one commit: git cannot take it for an option, a range, a path or a message search. */
export const isRevisionName = (text: string): boolean =>
  text.length <= NAME_CHARS_MAX && /^[^-^:\s\p{Cc}?*[\\][^:\s\p{C}?*[\\]*$/u.test(text) && !text.includes("..");

export const problem = (why: string) => ({ kind: "problem", why }) as const;
export const found = <T>(value: T) => ({ kind: "found", value }) as const;
