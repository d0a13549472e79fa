/**
 * Reads history without a git executable; the only door to isomorphic-git.
 *
 * It lends the object store, the refs and the index; commits and trees are parsed by `git-objects.ts` as
 * for the other reader. Trees are compared by hash first, and remembered, so that only changed folders
 * are read.
 *
 * Commits are visited newest first. All of them are looked at, up to `VISITS_PER_COMMIT` times the
 * window: a window that is smaller than the history by more than that factor can miss commits that hide
 * behind an ancestor-side commit whose clock was wrong; otherwise rows equal those of the git reader.
 * Not readable here, and said so: SHA-256 repositories, reftable refs, alternates, packs over 1 GiB.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import git from "isomorphic-git";
import { type GitFolders, resolveGitFolders } from "./git-folders.ts";
import {
  type Commit,
  FOLDER_MODE,
  isWholePath,
  parseCommit,
  parseTree,
  SUBMODULE_MODE,
  type TreeEntry,
} from "./git-objects.ts";
import { gitReaderFiles } from "./git-reader-files.ts";
import {
  type CommitRecord,
  type Head,
  type History,
  type HistoryOptions,
  type HistoryReader,
  NO_COMMITS,
  newestCommits,
  noHistory,
} from "./history.ts";
import { newestQueue } from "./newest-queue.ts";
import { errorText, readFile } from "./read-file.ts";
import { chooseRemoteUrl } from "./remote-url.ts";
import { readShallowCommits } from "./shallow.ts";

const VISITS_PER_COMMIT = 4;

/** SHA-1: the only kind of hash that isomorphic-git knows. */
const HASH_BYTES = 20;

/** Trees that are remembered: two generations of this many. */
const TREES_REMEMBERED = 10_000;

/** More changed files than this in one commit is an attack or an accident. */
const FILES_PER_COMMIT_MAX = 200_000;

const SMALL_FILE_BYTES_MAX = 1024 * 1024;

type Store = {
  readonly folders: Extract<GitFolders, { kind: "found" }>;
  readonly fs: ReturnType<typeof gitReaderFiles>;
  /** Isomorphic-git keeps packs and their indexes here; one per run. */
  readonly cache: object;
};

export function builtinHistory(): HistoryReader {
  return {
    name: "builtin",
    readHead: (root) =>
      withStore(
        root,
        (store) => readHead(store),
        ({ head, branch, remoteUrl, problem }) => ({ head, branch, remoteUrl, problem }),
      ),
    readHistory: (root, options) =>
      withStore(
        root,
        (store) => readHistory(root, store, options),
        (history) => history,
      ),
  };
}

async function withStore<T>(
  root: string,
  read: (store: Store) => Promise<T>,
  failed: (history: History) => T,
): Promise<T> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return failed(noHistory(folders.why));
  try {
    return await read({ folders, fs: gitReaderFiles(), cache: {} });
  } catch (error) {
    return failed(noHistory(errorText(error)));
  }
}

async function readHead(store: Store): Promise<Head> {
  const { fs, folders } = store;
  const nowhere = { head: null, branch: null, remoteUrl: null };
  if (existsSync(join(folders.commonFolder, "reftable")))
    return { ...nowhere, problem: "only git can read its refs (reftable)" };
  const format = await git.getConfig({ fs, gitdir: folders.commonFolder, path: "extensions.objectformat" });
  if (format === "sha256") return { ...nowhere, problem: "only git can read its objects (SHA-256)" };
  const file = readFile(folders.folder, "HEAD", SMALL_FILE_BYTES_MAX);
  if (file.kind === "problem") return { ...nowhere, problem: `its HEAD cannot be read: ${file.why}` };
  const remotes = await git.listRemotes({ fs, gitdir: folders.commonFolder });
  const remoteUrl = chooseRemoteUrl(remotes.map(({ remote, url }) => ({ name: remote, url })));
  const text = new TextDecoder().decode(file.bytes).trim();
  const ref = /^ref:\s*(\S.*)$/.exec(text)?.[1];
  const head = ref === undefined ? text : await resolveRef(store, ref);
  return {
    head,
    branch: ref?.replace(/^refs\/heads\//, "") ?? null,
    remoteUrl,
    problem: head === null ? NO_COMMITS : null,
  };
}

/** Refs are shared by linked work trees, but for a few. Null when the branch has no commit yet. */
async function resolveRef({ fs, folders }: Store, ref: string): Promise<string | null> {
  const gitdir = /^refs\/(bisect|worktree|rewritten)\//.test(ref) ? folders.folder : folders.commonFolder;
  try {
    return await git.resolveRef({ fs, gitdir, ref });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) return null;
    throw error;
  }
}

async function readHistory(root: string, store: Store, options: HistoryOptions): Promise<History> {
  const head = await readHead(store);
  const tracked = await readTracked(root, store);
  if (head.head === null) return { ...head, tracked, commits: [] };
  try {
    const commits = await readCommits(store, head.head, options);
    return { ...head, tracked, commits };
  } catch (error) {
    const problem = options.signal?.aborted ? "stopped" : `the built-in git reader failed: ${errorText(error)}`;
    return { ...head, tracked, commits: [], problem };
  }
}

async function readTracked(root: string, { fs, folders, cache }: Store): Promise<readonly string[] | null> {
  try {
    const paths = await git.listFiles({ fs, dir: root, gitdir: folders.folder, cache });
    return [...new Set(paths)].filter(isWholePath).toSorted();
  } catch {
    // An index in a format that isomorphic-git does not know: then nothing is known about tracked files.
    return null;
  }
}

async function readCommits(store: Store, head: string, options: HistoryOptions): Promise<readonly CommitRecord[]> {
  const shallow = readShallowCommits(store.folders.commonFolder);
  const window = newestCommits(await visitCommits(store, head, shallow, options), options.commitsMax);
  const trees = treeReader(store);
  const records: CommitRecord[] = [];
  for (const commit of window) {
    options.signal?.throwIfAborted();
    records.push(options.known?.get(commit.hash) ?? (await recordOf(store, commit, shallow, trees)));
    options.onProgress?.(records.length, window.length);
  }
  return records;
}

async function visitCommits(
  store: Store,
  head: string,
  shallow: ReadonlySet<string>,
  { commitsMax, signal }: HistoryOptions,
): Promise<readonly Commit[]> {
  const seen = new Set([head]);
  const queue = newestQueue<Commit>();
  queue.push(await readCommit(store, head));
  const visited: Commit[] = [];
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    signal?.throwIfAborted();
    visited.push(commit);
    if (visited.length >= commitsMax * VISITS_PER_COMMIT) break;
    if (shallow.has(commit.hash)) continue;
    for (const parent of commit.parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(await readCommit(store, parent));
    }
  }
  return visited;
}

async function readCommit(store: Store, hash: string): Promise<Commit> {
  const commit = parseCommit(hash, await readObject(store, hash, "commit"));
  if (commit === null) throw new Error(`object ${hash} is not a commit`);
  return commit;
}

async function readObject({ fs, folders, cache }: Store, oid: string, type: "commit" | "tree"): Promise<Uint8Array> {
  const read = await git.readObject({ fs, gitdir: folders.commonFolder, oid, format: "content", cache });
  if (read.type !== type || !(read.object instanceof Uint8Array)) throw new Error(`object ${oid} is not a ${type}`);
  return read.object;
}

type ReadTree = (hash: string) => Promise<readonly TreeEntry[]>;

/** Reads trees and remembers the recent ones: neighbours in history share almost all of theirs. */
function treeReader(store: Store): ReadTree {
  let young = new Map<string, readonly TreeEntry[]>();
  let old = new Map<string, readonly TreeEntry[]>();
  return async (hash) => {
    const remembered = young.get(hash) ?? old.get(hash);
    const entries =
      remembered ??
      parseTree(await readObject(store, hash, "tree"), HASH_BYTES).filter(({ name }) => isWholePath(name));
    young.set(hash, entries);
    if (young.size >= TREES_REMEMBERED) {
      old = young;
      young = new Map();
    }
    return entries;
  };
}

async function recordOf(
  store: Store,
  commit: Commit,
  shallow: ReadonlySet<string>,
  trees: ReadTree,
): Promise<CommitRecord> {
  const { hash, author, message, timestamp, parents } = commit;
  const files = new Set<string>();
  if (parents.length < 2 && !shallow.has(hash)) {
    const parent = parents[0] === undefined ? null : await readCommit(store, parents[0]);
    await compareTrees(trees, parent?.tree ?? null, commit.tree, "", files);
  }
  return { hash, author, message, timestamp, files: [...files].toSorted() };
}

/** Adds every file path in which two trees differ; null stands for a tree without entries. */
async function compareTrees(
  trees: ReadTree,
  before: string | null,
  after: string | null,
  prefix: string,
  files: Set<string>,
): Promise<void> {
  if (before === after) return;
  if (files.size > FILES_PER_COMMIT_MAX) throw new Error(`a commit changes more than ${FILES_PER_COMMIT_MAX} files`);
  const left = new Map((before === null ? [] : await trees(before)).map((entry) => [entry.name, entry]));
  const right = new Map((after === null ? [] : await trees(after)).map((entry) => [entry.name, entry]));
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    if (a?.hash === b?.hash && a?.mode === b?.mode) continue;
    const path = prefix + name;
    if (isFile(a) || isFile(b)) files.add(path);
    const [folderA, folderB] = [folderHash(a), folderHash(b)];
    if (folderA !== null || folderB !== null) await compareTrees(trees, folderA, folderB, `${path}/`, files);
  }
}

const isFile = (entry: TreeEntry | undefined): boolean =>
  entry !== undefined && entry.mode !== FOLDER_MODE && entry.mode !== SUBMODULE_MODE;
const folderHash = (entry: TreeEntry | undefined): string | null => (entry?.mode === FOLDER_MODE ? entry.hash : null);
