/**
 * What became of a path that no file has: a commit renamed its file, perhaps several times, or deleted it.
 *
 * Looks at the newest commits that touched the path, mostly at one for each step. Which commits touched what is known from history, without
 * the paths of merges, so a path that a merge itself ended is not found.
 */
import type { CommitRecord } from "../history/history.ts";
import { COMPARED_SIDES_MAX, renamedFrom } from "./renames.ts";
import { found, type RevisionReader, type StoredContent, type TreeEntry } from "./revisions.ts";
import { contentOf, isSubmodule, textIn } from "./work-tree.ts";

/** `was` is the whole path, `commit` what ended it, and `now` the path of that file today; null if a commit deleted it. */
export type FormerPath = { readonly was: string; readonly commit: string; readonly now: string | null };

/** `commits` are the newest first; `present` is what HEAD has. */
type PathHistory = {
  readonly reader: RevisionReader;
  readonly root: string;
  readonly commits: readonly Pick<CommitRecord, "hash" | "files">[];
  readonly present: ReadonlyMap<string, TreeEntry>;
};

/** Renames of one file that are followed. */
const STEPS_MAX = 8;
const PATH_CHARS_MAX = 1_000;
/** Commits with a path, of which one may have ended it. */
const TOUCHED_MAX = 8;

/**
 * What became of the file with this path, or with a path that ends so. Of an absolute path, or one from another folder, the end counts, down
 * to two components. Null if no commit says it, if the clone lacks contents that would, or if several files had such a path.
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

/** The only path of history that this text can mean and that HEAD does not have; null if there is none, or several. */
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

/**
 * The newest commit that ended a path; null if none is found. Commits that changed the file came before it, or on another branch of a merge
 * that took its end: the order of time does not tell.
 */
async function endOf(history: PathHistory, path: string, signal: AbortSignal): Promise<Ended | null> {
  const touched = history.commits.flatMap(({ hash, files }, at) => (files.includes(path) ? [{ hash, at }] : []));
  for (const { hash, at } of touched.slice(0, TOUCHED_MAX)) {
    const compared = await comparedTrees(history, hash, signal);
    if (compared === null || !compared.before.has(path)) return null;
    if (!compared.after.has(path)) return await ended(history, path, { ...compared, commit: hash, at }, signal);
  }
  return null;
}

type Compared = { readonly before: Tree; readonly after: Tree };

/** What is in a commit and in its parent. */
async function comparedTrees(
  { reader, root }: PathHistory,
  commit: string,
  signal: AbortSignal,
): Promise<Compared | null> {
  const parent = await reader.commit(root, `${commit}~1`, signal);
  if (parent.kind !== "found") return null;
  const before = await reader.files(root, parent.value, signal);
  const after = await reader.files(root, commit, signal);
  signal.throwIfAborted();
  return before.kind === "found" && after.kind === "found" ? { before: before.value, after: after.value } : null;
}

/** How a commit ended a path; null if the clone lacks what tells it. Only the files that it removed and added are compared. */
async function ended(
  { reader, root }: PathHistory,
  path: string,
  { before, after, commit, at }: Compared & Pick<Ended, "commit" | "at">,
  signal: AbortSignal,
): Promise<Ended | null> {
  const [gone, fresh] = [without(before, after), without(after, before)];
  const isFew = Math.max(gone.length, fresh.length) <= COMPARED_SIDES_MAX && fresh.length > 0;
  const hashes = isFew ? new Set([...gone, ...fresh].map(({ hash }) => hash)) : new Set<string>();
  const contents =
    hashes.size === 0 ? found(new Map<string, StoredContent>()) : await reader.contents(root, [...hashes], signal);
  signal.throwIfAborted();
  if (contents.kind !== "found") return null;
  const withText = (file: (typeof gone)[number]) => ({
    ...file,
    text: textIn(contentOf(contents.value.get(file.hash))),
  });
  const renamed = renamedFrom(gone.map(withText), fresh.map(withText));
  const next = [...renamed].find(([, old]) => old.path === path)?.[0] ?? null;
  // A partial clone may lack what tells a rename from a deletion.
  const compared = [...gone.filter((file) => file.path === path), ...fresh].map(({ hash }) => hash);
  if (next === null && isFew && compared.some((hash) => !contents.value.has(hash))) return null;
  return { commit, at, next };
}

type Tree = PathHistory["present"];

/** The files of a tree that another lacks, but submodules, which have no content. */
const without = (tree: Tree, other: Tree): readonly (TreeEntry & { readonly path: string })[] =>
  [...tree].flatMap(([path, entry]) => (other.has(path) || isSubmodule(entry) ? [] : { path, ...entry }));
