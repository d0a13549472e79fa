/**
 * Reads history without a git executable.
 *
 * `object-store.ts` provides the objects; commits and trees are parsed by `objects.ts`, as for the git reader. Trees are compared by hash
 * first and cached, so only changed folders are read. Commits are visited newest first, up to `VISITS_PER_COMMIT` times the window and at
 * least `VISITS_MIN`. In longer histories, commits behind one with a wrong clock can be missed; otherwise rows equal those of the git reader.
 * SHA-256, reftable refs and alternates are reported as unreadable.
 */
import { nextTurn } from "../../concurrency/next-turn.ts";
import { errorText } from "../files/read-file.ts";
import { chooseRemoteUrl, remotesIn } from "../git/config.ts";
import { resolveGitFolders } from "../git/folders.ts";
import type { Head } from "../git/git-state.ts";
import { NO_COMMITS, readability, readShallowCommits, shallowKey, trackedPaths } from "../git/git-state.ts";
import { type ObjectStore, openObjectStore, readCommit, readObject, readProblem } from "../git/object-store.ts";
import { type Commit, FOLDER_MODE, isUtf8Path, parseTree, SUBMODULE_MODE, type TreeEntry } from "../git/objects.ts";
import { readHeadRef } from "../git/refs.ts";
import { commitHeap } from "./commit-heap.ts";
import {
  type CommitRecord,
  type History,
  type HistoryOptions,
  type HistoryReader,
  headOf,
  knownRecord,
  newestCommits,
  noHistory,
} from "./history.ts";

const VISITS_PER_COMMIT = 4;
const VISITS_MIN = 5_000;

/** Cached trees: two generations of this many, or with this many entries. */
const TREES_CACHED = 10_000;
const ENTRIES_CACHED = 1_000_000;

/** More changed files or compared folders in one commit are an attack or an accident. */
const FILES_PER_COMMIT_MAX = 200_000;
const FOLDERS_PER_COMMIT_MAX = 400_000;
const PATH_CHARS_MAX = 32_768;
/** Entries of folders that all commits compare; 5,000 commits of the largest public repositories compare some 20 million. */
const ENTRIES_MAX = 200_000_000;
/** Entries between two turns of the event loop, some ten milliseconds. */
const ENTRIES_PER_TURN = 50_000;

export function builtinHistory(): HistoryReader {
  return {
    name: "builtin",
    readHead: (root) => withStore(root, (store) => readHead(store), headOf),
    readHistory: (root, options) =>
      withStore(
        root,
        (store) => readHistory(store, options),
        (history) => history,
      ),
    countLines: async () => new Map(),
  };
}

async function withStore<T>(
  root: string,
  read: (store: ObjectStore) => Promise<T>,
  failed: (history: History) => T,
): Promise<T> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return failed(noHistory(folders.why));
  const store = openObjectStore(folders);
  try {
    return await read(store);
  } catch (error) {
    return failed(noHistory(errorText(error)));
  } finally {
    store.close();
  }
}

async function readHead({ folders }: ObjectStore): Promise<Head> {
  const nowhere = { head: null, branch: null, remoteUrl: null, shallow: null };
  const { config, why } = readability(folders);
  if (why !== null) return { ...nowhere, problem: why };
  const ref = readHeadRef(folders);
  if (ref.kind === "problem") return { ...nowhere, problem: ref.why };
  const { head, branch } = ref;
  return {
    head,
    branch,
    remoteUrl: chooseRemoteUrl(remotesIn(config)),
    shallow: shallowKey(readShallowCommits(folders.commonFolder)),
    problem: head === null ? NO_COMMITS : null,
  };
}

async function readHistory(store: ObjectStore, options: HistoryOptions): Promise<History> {
  const head = await readHead(store);
  const tracked = trackedPaths(store.folders);
  if (head.head === null || options.commitsMax === 0) return { ...head, tracked, commits: [] };
  try {
    const commits = await readCommits(store, head.head, options);
    return { ...head, tracked, commits };
  } catch (error) {
    const problem = options.signal?.aborted ? "stopped" : readProblem(store, error);
    return { ...head, tracked, commits: [], problem };
  }
}

async function readCommits(
  store: ObjectStore,
  head: string,
  options: HistoryOptions,
): Promise<readonly CommitRecord[]> {
  const shallow = readShallowCommits(store.folders.commonFolder);
  const window = newestCommits(await visitCommits(store, head, shallow, options), options.commitsMax);
  const trees = treeReader(store, options.signal);
  const records: CommitRecord[] = [];
  for (const commit of window) {
    options.signal?.throwIfAborted();
    const known = shallow.has(commit.hash) ? undefined : knownRecord(options.known, commit.hash);
    const { hash, author, message, timestamp } = commit;
    const bare = options.withoutFiles === true ? { hash, author, message, timestamp, files: [] } : undefined;
    records.push(known ?? bare ?? (await recordOf(store, commit, shallow, trees)));
    options.onProgress?.(records.length, window.length);
  }
  return records;
}

async function visitCommits(
  store: ObjectStore,
  head: string,
  shallow: ReadonlySet<string>,
  { commitsMax, signal }: HistoryOptions,
): Promise<readonly Commit[]> {
  const seen = new Set([head]);
  const queue = commitHeap<Commit>();
  queue.push(await readCommit(store, head));
  const visited: Commit[] = [];
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    signal?.throwIfAborted();
    visited.push(commit);
    if (visited.length >= Math.max(commitsMax * VISITS_PER_COMMIT, VISITS_MIN)) break;
    if (shallow.has(commit.hash)) continue;
    for (const parent of commit.parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(await readCommit(store, parent));
    }
  }
  return visited;
}

type ReadTree = (hash: string) => Promise<readonly TreeEntry[]>;

/**
 * Reads trees and caches recent ones: adjacent commits share almost all of theirs. Counts what is compared, since few objects can name
 * one another without end, and lets the signal be heard.
 */
function treeReader(store: ObjectStore, signal: AbortSignal | undefined): ReadTree {
  let young = new Map<string, readonly TreeEntry[]>();
  let old = new Map<string, readonly TreeEntry[]>();
  let [compared, turnAt, cached] = [0, ENTRIES_PER_TURN, 0];
  return async (hash) => {
    const remembered = young.get(hash) ?? old.get(hash);
    const entries =
      remembered ?? parseTree(await readObject(store, hash, "tree")).filter(({ name }) => isUtf8Path(name));
    compared += entries.length + 1;
    if (compared > ENTRIES_MAX) throw new Error("its commits change too many files");
    if (compared > turnAt) {
      turnAt = compared + ENTRIES_PER_TURN;
      await nextTurn();
      signal?.throwIfAborted();
    }
    if (!young.has(hash)) cached += entries.length;
    young.set(hash, entries);
    if (young.size >= TREES_CACHED || cached >= ENTRIES_CACHED) {
      [old, young, cached] = [young, new Map(), 0];
    }
    return entries;
  };
}

async function recordOf(
  store: ObjectStore,
  commit: Commit,
  shallow: ReadonlySet<string>,
  trees: ReadTree,
): Promise<CommitRecord> {
  const { hash, author, message, timestamp, parents } = commit;
  const changes: Changes = { files: new Set(), folders: 0 };
  if (parents.length < 2 && !shallow.has(hash)) {
    const parent = parents[0] === undefined ? null : await readCommit(store, parents[0]);
    await compareTrees(trees, parent?.tree ?? null, commit.tree, "", changes);
  }
  return { hash, author, message, timestamp, files: [...changes.files].toSorted() };
}

type Changes = { readonly files: Set<string>; folders: number };

/** Adds the path of every file in which two trees differ; null is an empty tree. */
async function compareTrees(
  trees: ReadTree,
  before: string | null,
  after: string | null,
  prefix: string,
  changes: Changes,
): Promise<void> {
  if (before === after) return;
  changes.folders++;
  const isTooMuch = changes.files.size > FILES_PER_COMMIT_MAX || changes.folders > FOLDERS_PER_COMMIT_MAX;
  if (isTooMuch || prefix.length > PATH_CHARS_MAX) throw new Error("a commit changes too many files");
  const left = new Map((before === null ? [] : await trees(before)).map((entry) => [entry.name, entry]));
  const right = new Map((after === null ? [] : await trees(after)).map((entry) => [entry.name, entry]));
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    if (a?.hash === b?.hash && a?.mode === b?.mode) continue;
    const path = prefix + name;
    if (isFile(a) || isFile(b)) changes.files.add(path);
    const [folderA, folderB] = [folderHash(a), folderHash(b)];
    if (folderA !== null || folderB !== null) await compareTrees(trees, folderA, folderB, `${path}/`, changes);
  }
}

const isFile = (entry: TreeEntry | undefined): boolean =>
  entry !== undefined && entry.mode !== FOLDER_MODE && entry.mode !== SUBMODULE_MODE;
const folderHash = (entry: TreeEntry | undefined): string | null => (entry?.mode === FOLDER_MODE ? entry.hash : null);
