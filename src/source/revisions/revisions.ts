/**
 * What readers of commits give: which commit a name stands for, which one two have in common, what its files are.
 *
 * Two readers (by the git executable, built in) give the same, and a test holds them to it. A reader never throws: what
 * it could not do is a problem, in a few words. Not here: what has changed (`work-tree-diff.ts`).
 */

/** `unknown`: the repository has nothing that is called so. */
export type Found<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "unknown" }
  | { readonly kind: "problem"; readonly why: string };

/** Regular files by path, each with the hash of its content; `folders` are those of other repositories (submodules). */
export type CommitFiles = { readonly files: ReadonlyMap<string, string>; readonly folders: ReadonlySet<string> };

/** `root` is a real path. Hashes are full ones. */
export type RevisionReader = {
  readonly name: "git" | "builtin";
  /** The commit that a name stands for, as it is typed for git: a branch, a tag, a hash, `HEAD~2`. */
  commit(root: string, name: string, signal: AbortSignal): Promise<Found<string>>;
  /** The newest commit that both have come from; of several the first by hash. Unknown when there is none. */
  forkPoint(root: string, one: string, other: string, signal: AbortSignal): Promise<Found<string>>;
  files(root: string, commit: string, signal: AbortSignal): Promise<Found<CommitFiles>>;
  /** Contents by hash, as far as they are there and not larger than `CONTENT_BYTES_MAX`. */
  contents(
    root: string,
    hashes: readonly string[],
    signal: AbortSignal,
  ): Promise<Found<ReadonlyMap<string, Uint8Array>>>;
};

/** What is larger is no source that anybody reads line by line. */
export const CONTENT_BYTES_MAX = 1024 * 1024;

const NAME_CHARS_MAX = 250;

/**
 * Whether a text may be the name of one commit: nothing that git could take for an option, a range, a path, or for
 * words to look for.
 */
export const isRevisionName = (text: string): boolean =>
  text.length <= NAME_CHARS_MAX && /^[^-^:\s\p{Cc}?*[\\][^:\s\p{C}?*[\\]*$/u.test(text) && !text.includes("..");

export const problem = (why: string) => ({ kind: "problem", why }) as const;
export const found = <T>(value: T) => ({ kind: "found", value }) as const;
