/**
 * Reads commits without a git executable.
 *
 * Supported names are branches, tags, remote branches and hashes or their prefixes, followed by `~n` and `^n`. Other syntax needs git, and the
 * problem says so.
 */
import { resolveGitFolders } from "../git/folders.ts";
import { readability, readShallowCommits } from "../git/git-state.ts";
import { isTooLarge } from "../git/inflate.ts";
import {
  expandHash,
  isMissingObject,
  type ObjectStore,
  openObjectStore,
  peelToCommit,
  readCommit,
  readObject,
  readProblem,
} from "../git/object-store.ts";
import { FOLDER_MODE, isUtf8Path, parseTree } from "../git/objects.ts";
import { findRef, readHeadRef } from "../git/refs.ts";
import {
  CONTENT_BYTES_MAX,
  found,
  isRevisionName,
  problem,
  type RevisionReader,
  type RevisionResult,
  type StoredContent,
  type TreeEntry,
} from "./revisions.ts";

/** Longer histories need git. */
const VISITS_MAX = 100_000;
const FILES_MAX = 2_000_000;
const STEPS_MAX = 1_000;

const UNKNOWN = { kind: "unknown" } as const;

export const builtinRevisions: RevisionReader = {
  name: "builtin",
  commit: (root, name, signal) =>
    withStore(root, signal, async (store) => {
      const [, base = "", steps = ""] = isRevisionName(name) ? (/^([^~^@{}]+|@)((?:[~^]\d*)*)$/.exec(name) ?? []) : [];
      if (base === "") return isRevisionName(name) ? problem(`only git can read the name ${name}`) : UNKNOWN;
      const hash = await baseOf(store, base);
      return hash === null ? UNKNOWN : await stepsFrom(store, hash, steps);
    }),
  forkPoint: (root, one, other, signal) =>
    withStore(root, signal, async (store) => {
      const second = await ancestors(store, other, one, signal);
      if (second.has(one)) return found(one);
      const first = await ancestors(store, one, other, signal);
      if (first.has(other)) return found(other);
      const common = new Map([...second].filter(([hash]) => first.has(hash)));
      const inner = new Set([...common.values()].flat());
      const [best] = [...common.keys()].filter((hash) => !inner.has(hash)).toSorted();
      return best === undefined ? UNKNOWN : found(best);
    }),
  commitBefore: (root, commit, seconds, signal) =>
    withStore(root, signal, async (store) => {
      const shallow = readShallowCommits(store.folders.commonFolder);
      let at: string | undefined = commit;
      for (let visits = 0; at !== undefined; visits += 1) {
        signal.throwIfAborted();
        if (visits > VISITS_MAX) return problem("its history is too long to be read without git");
        const { timestamp, parents } = await readCommit(store, at);
        if (timestamp < seconds) return found(at);
        at = shallow.has(at) ? undefined : parents[0];
      }
      return UNKNOWN;
    }),
  files: (root, commit, signal) =>
    withStore(root, signal, async (store) => {
      const files = new Map<string, TreeEntry>();
      const open = [{ tree: (await readCommit(store, commit)).tree, prefix: "" }];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        signal.throwIfAborted();
        for (const { name, mode, hash } of parseTree(await readObject(store, at.tree, "tree"))) {
          const path = at.prefix + name;
          if (!isUtf8Path(path)) continue;
          if (mode === FOLDER_MODE) open.push({ tree: hash, prefix: `${path}/` });
          else files.set(path, { mode, hash });
        }
        if (files.size + open.length > FILES_MAX) return problem("a commit holds too many files");
      }
      return found(files);
    }),
  tracked: async () => problem("only git can read its index (split or sparse)"),
  contents: (root, hashes, signal) =>
    withStore(root, signal, async (store) => {
      const contents = new Map<string, StoredContent>();
      for (const hash of hashes) {
        signal.throwIfAborted();
        const bytes = await readObject(store, hash, "blob").catch((error: unknown) => {
          if (isMissingObject(error)) return null;
          if (isTooLarge(error)) return "too large" as const;
          throw error;
        });
        if (bytes !== null) contents.set(hash, bytes.length <= CONTENT_BYTES_MAX ? bytes : "too large");
      }
      return found(contents);
    }),
};

async function withStore<T>(
  root: string,
  signal: AbortSignal,
  read: (store: ObjectStore) => Promise<RevisionResult<T>>,
): Promise<RevisionResult<T>> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return folders;
  const store = openObjectStore(folders);
  try {
    const { why } = readability(folders);
    return why === null ? await read(store) : problem(why);
  } catch (error) {
    return problem(signal.aborted ? "stopped" : readProblem({ folders }, error));
  } finally {
    store.close();
  }
}

/** The commit of a name without `~` and `^`; null when there is none. */
async function baseOf(store: ObjectStore, base: string): Promise<string | null> {
  if (base === "HEAD" || base === "@") {
    const ref = readHeadRef(store.folders);
    if (ref.kind === "problem") throw new Error(ref.why);
    return ref.head;
  }
  if (/^[0-9a-f]{40}$/i.test(base))
    return await peelToCommit(store, base.toLowerCase()).catch((error: unknown) => {
      if (isMissingObject(error)) return null;
      throw error;
    });
  const isPrefix = /^[0-9a-f]{4,39}$/i.test(base);
  const meant = findRef(store.folders, base) ?? (isPrefix ? expandHash(store, base.toLowerCase()) : null);
  return meant === null ? null : await peelToCommit(store, meant);
}

/** Follows `~2` (first parent of the first parent), `^2` (second parent) and `^0` (the commit itself). */
async function stepsFrom(store: ObjectStore, start: string, steps: string): Promise<RevisionResult<string>> {
  const shallow = readShallowCommits(store.folders.commonFolder);
  let hash = start;
  for (const [, sign, digits = ""] of steps.matchAll(/([~^])(\d*)/g)) {
    const count = digits === "" ? 1 : Number(digits);
    if (count > STEPS_MAX) return problem(`only git can go back ${digits} commits`);
    const parents = sign === "~" ? Array.from({ length: count }, () => 1) : count === 0 ? [] : [count];
    for (const number of parents) {
      const parent = shallow.has(hash) ? undefined : (await readCommit(store, hash)).parents[number - 1];
      if (parent === undefined) return UNKNOWN;
      hash = parent;
    }
  }
  return found(hash);
}

/** A commit and its ancestors with their parents; stops at `sought`. */
async function ancestors(
  store: ObjectStore,
  start: string,
  sought: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shallow = readShallowCommits(store.folders.commonFolder);
  const seen = new Map<string, readonly string[]>();
  const open = new Set([start]);
  for (const hash of open) {
    signal.throwIfAborted();
    const parents = shallow.has(hash) ? [] : (await readCommit(store, hash)).parents;
    seen.set(hash, parents);
    if (hash === sought) break;
    if (seen.size > VISITS_MAX) throw new Error("its history is too long to be read without git");
    for (const parent of parents) open.add(parent);
  }
  return seen;
}
