/**
 * What became of a path that no file has: a commit renamed its file, perhaps several times, or deleted it.
 *
 * Looks at one commit for each step: the newest that touched the path. Which commits touched what is known from history, without the paths
 * of merges, so a path that ended in a merge is not found.
 */
import type { CommitRecord } from "../history/history.ts";
import type { RevisionReader, TreeEntry } from "./revisions.ts";
import { workTreeChanges } from "./work-tree-diff.ts";

/** `was` is the whole path, `commit` what ended it, and `now` the path of that file today; null if a commit deleted it. */
export type FormerPath = { readonly was: string; readonly commit: string; readonly now: string | null };

/** `commits` are the newest first; `present` is what HEAD has. */
export type PathHistory = {
  readonly reader: RevisionReader;
  readonly root: string;
  readonly commits: readonly Pick<CommitRecord, "hash" | "files">[];
  readonly present: ReadonlyMap<string, TreeEntry>;
};

/** Renames of one file that are followed. */
const STEPS_MAX = 8;
const PATH_CHARS_MAX = 1_000;

/**
 * What became of the file with this path, or with a path that ends so. Of an absolute path, or one from another folder, the end counts, down
 * to two components. Null if no commit says it, or if several files had such a path.
 */
export async function formerPath(
  history: PathHistory,
  written: string,
  signal: AbortSignal,
): Promise<FormerPath | null> {
  const was = pathLike(history, written);
  if (was === null) return null;
  const ended = await endOf(history, was, signal);
  if (ended === null) return null;
  let [now, at] = [ended.next, ended.at];
  for (let steps = 1; now !== null && !history.present.has(now); steps += 1) {
    const next: Ended | null = steps < STEPS_MAX ? await endOf(history, now, signal) : null;
    if (next === null || next.at >= at) return null;
    [now, at] = [next.next, next.at];
    if (now === null) return { was, commit: next.commit, now };
  }
  return { was, commit: ended.commit, now };
}

/** The only path of history that this text can mean and that HEAD has not; null if there is none, or several. */
function pathLike({ commits, present }: PathHistory, written: string): string | null {
  const parts = written.split("/").filter((part) => part !== "" && part !== ".");
  const name = parts.at(-1) ?? "";
  const whole = parts.join("/");
  const ends = parts.slice(0, -1).map((_, from) => parts.slice(from).join("/"));
  const isMeant = (path: string): boolean =>
    path === whole || path.endsWith(`/${whole}`) || (path.includes("/") && ends.includes(path));
  const found = new Set<string>();
  for (const { files } of commits)
    for (const path of files)
      if (path.endsWith(name) && path.length <= PATH_CHARS_MAX && isMeant(path) && !present.has(path)) found.add(path);
  const [only, ...others] = found.has(whole) ? [whole] : found;
  return only === undefined || others.length > 0 ? null : only;
}

/** `at` is the place of the commit among all, `next` the path that it gave the file; null if it deleted it. */
type Ended = { readonly commit: string; readonly at: number; readonly next: string | null };

/** How the newest commit that touched a path ended it; null if it did not. */
async function endOf({ reader, root, commits }: PathHistory, path: string, signal: AbortSignal): Promise<Ended | null> {
  const at = commits.findIndex(({ files }) => files.includes(path));
  const commit = commits[at]?.hash;
  if (commit === undefined) return null;
  const since = `${commit}~1..${commit}`;
  const changes = await workTreeChanges(reader, root, { diff: null, since }, [], signal);
  signal.throwIfAborted();
  if (changes.kind !== "changes") return null;
  const isEnded = changes.files.some((file) => file.path === path && file.kind === "deleted");
  const next = changes.files.find(({ patches }) =>
    patches.some(({ before, after }) => before?.path === path && after !== null),
  );
  return isEnded ? { commit, at, next: next?.path ?? null } : null;
}
