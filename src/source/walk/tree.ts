/**
 * Lists the files of a repository's work tree.
 *
 * Never follows a symbolic link, never enters `.git`, `.cra`, the data folder or (unless asked to) a nested repository,
 * leaves out what is ignored (`ignore.ts`), and goes on after a folder that cannot be read. A file that git tracks
 * counts although `.gitignore` names it, as it does for git; `.craignore` leaves out tracked files too.
 *
 * Invariants: the result depends on the tree alone, is sorted by path, and every path is UTF-8, relative
 * and `/` separated; everything that was left out for another reason than being ignored is named.
 * Not here: reading (`read-file.ts`), and which files are worth indexing (`skip.ts`).
 */
import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { byPath } from "../../text/order.ts";
import { errorText, readFile } from "../files/read-file.ts";
import { isGitRepository } from "../git/folders.ts";
import type { Environment } from "../git/process.ts";
import { readExcludes } from "./excludes.ts";
import { type IgnoreRules, ignoreRules } from "./ignore.ts";

/**
 * What the system says of a file. All of it together differs whenever the content may. Times are milliseconds since the
 * epoch; `changedMs` is when the system last saw it change, which a program cannot set back.
 */
export type TreeFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
  readonly device: number;
};

/** Why an entry is not among the files. `repository`: a folder that is one of its own; `name`: not UTF-8. */
export type LeftOut = { readonly path: string; readonly reason: "link" | "special" | "repository" | "name" };

/** A folder or file that could not be looked at. */
export type TreeProblem = { readonly path: string; readonly why: string };

export type Tree = {
  readonly files: readonly TreeFile[];
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly TreeProblem[];
};

/**
 * `readTracked`: the paths in git's index, or null when unknown; called at most once, and only where something is ignored or
 * is a repository of its own. `ignore`: patterns of the configuration, which
 * count as a `.craignore` above the root's own. `dataDir`: cra's own folder, absolute, wherever it is. `variables`: the
 * caller's, which say where the user's own ignore file is. `readNested`: enter nested repositories, by their own ignore
 * rules; reads what one tracks, given its folder. `onProgress` is told the number of files so far.
 */
export type WalkOptions = {
  readonly readTracked: () => Promise<readonly string[] | null>;
  readonly ignore?: readonly string[] | undefined;
  readonly dataDir?: string | undefined;
  readonly variables?: Environment | undefined;
  readonly readNested?: ((root: string) => Promise<readonly string[] | null>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
};

/** Larger ignore files are not read; git's own limit is 100 MiB. */
const IGNORE_FILE_BYTES_MAX = 1024 * 1024;

/** After this many entries the event loop gets a turn, so that a signal is heard within some milliseconds. */
const ENTRIES_PER_TURN = 500;

const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", ".cra"]);

/** `root` must be a real path. Throws only the signal's reason. */
export async function walkTree(root: string, options: WalkOptions): Promise<Tree> {
  const { readTracked, ignore = [], variables = null, readNested, signal, onProgress } = options;
  const own = pathInside(root, options.dataDir);
  const excludes = readExcludes(root, variables);
  let index: TrackedPaths | null = null;
  const indexed = async (): Promise<TrackedPaths> =>
    (index ??= trackedPaths(excludes.foldsCase, (await readTracked()) ?? []));
  const files: TreeFile[] = [];
  const leftOut: LeftOut[] = [];
  const problems: TreeProblem[] = [];
  const configured = ignore.length === 0 ? null : new TextEncoder().encode(ignore.join("\n"));
  const rules = ignoreRules(excludes).enter("", { git: null, cra: configured });
  const folders: Folder[] = [{ path: "", rules, trackedOnly: false }];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = namesIn(root, folder.path, problems);
    let outer = folder;
    if (folder.path !== "" && names.includes(".git") && isNested(root, folder.path, await indexed())) {
      if (readNested === undefined) {
        leftOut.push({ path: folder.path, reason: "repository" });
        continue;
      }
      const inner = join(root, folder.path);
      (await indexed()).add(`${folder.path}/`, (await readNested(inner)) ?? []);
      outer = { ...folder, rules: folder.rules.nest(folder.path, readExcludes(inner, variables)), trackedOnly: false };
    }
    const rules = enterFolder(root, outer, names);
    for (const name of names) {
      if (++entries % ENTRIES_PER_TURN === 0) {
        onProgress?.(files.length);
        await new Promise((resolve) => setImmediate(resolve));
      }
      signal?.throwIfAborted();
      const path = folder.path === "" ? name : `${folder.path}/${name}`;
      const stat = statOf(root, path, problems, leftOut);
      if (stat === null) continue;
      const isFolder = stat.isDirectory();
      if (isFolder && (NEVER_ENTERED.has(name) || path === own)) continue;
      if (name === ".git") continue;
      const { verdict, by } = rules.decide(path, isFolder);
      if (verdict === "ignored" && by === "cra") continue;
      const ignored = outer.trackedOnly || verdict === "ignored";
      if (isFolder) {
        if (!ignored || (await indexed()).hasFolder(path)) folders.push({ path, rules, trackedOnly: ignored });
      } else if (!ignored || (await indexed()).hasFile(path)) {
        if (stat.isFile()) files.push(treeFile(path, stat));
        else leftOut.push({ path, reason: stat.isSymbolicLink() ? "link" : "special" });
      }
    }
  }
  onProgress?.(files.length);
  return { files: files.toSorted(byPath), leftOut: leftOut.toSorted(byPath), problems: problems.toSorted(byPath) };
}

/** A folder to look into. `trackedOnly`: it is ignored, and entered for what git tracks in it. */
type Folder = { readonly path: string; readonly rules: IgnoreRules; readonly trackedOnly: boolean };

const treeFile = (path: string, { size, mtimeMs, ctimeMs, ino, dev }: Stats): TreeFile => ({
  path,
  sizeBytes: size,
  modifiedMs: mtimeMs,
  changedMs: ctimeMs,
  inode: ino,
  device: dev,
});

/** The path of a folder relative to the root, or null where there is no such folder. */
function pathInside(root: string, folder: string | undefined): string | null {
  try {
    return folder === undefined ? null : relative(root, realpathSync(folder)).replaceAll(sep, "/");
  } catch {
    return null; // What does not exist is not met on the walk.
  }
}

/** A folder in which the outer repository tracks files is a part of it, although there is a repository in it too. */
const isNested = (root: string, path: string, index: TrackedPaths): boolean =>
  !index.hasFolder(path) && isGitRepository(join(root, path));

type TrackedPaths = {
  add(prefix: string, paths: readonly string[]): void;
  hasFile(path: string): boolean;
  /** Whether a tracked file lies in it. */
  hasFolder(path: string): boolean;
};

function trackedPaths(foldsCase: boolean, paths: readonly string[]): TrackedPaths {
  const key = (path: string): string => (foldsCase ? path.toLowerCase() : path);
  // Few are asked for, so all of them are only put in order.
  const lists = [{ prefix: "", sorted: paths.map(key).toSorted() }];
  const hasBeginning = (path: string, ending: "" | "/"): boolean =>
    lists.some(({ prefix, sorted }) => {
      if (!path.startsWith(prefix)) return false;
      const wanted = path.slice(prefix.length) + ending;
      const next = sorted[firstFrom(sorted, wanted)];
      return ending === "" ? next === wanted : next?.startsWith(wanted) === true;
    });
  return {
    add: (prefix, more) => void lists.push({ prefix: key(prefix), sorted: more.map(key).toSorted() }),
    hasFile: (path) => hasBeginning(key(path), ""),
    hasFolder: (path) => hasBeginning(key(path), "/"),
  };
}

/** The place of the first entry that does not come before `wanted`. */
function firstFrom(sorted: readonly string[], wanted: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Names that were not UTF-8 arrive with U+FFFD in them, possibly several alike; `statOf` finds those. */
function namesIn(root: string, folder: string, problems: TreeProblem[]): readonly string[] {
  try {
    return [...new Set(readdirSync(join(root, folder)))];
  } catch (error) {
    problems.push({ path: folder === "" ? "." : folder, why: errorText(error) });
    return [];
  }
}

function enterFolder(root: string, folder: Folder, names: readonly string[]): IgnoreRules {
  const contentOf = (name: string): Uint8Array | null => {
    if (!names.includes(name)) return null;
    const read = readFile(root, folder.path === "" ? name : `${folder.path}/${name}`, IGNORE_FILE_BYTES_MAX);
    return read.kind === "bytes" ? read.bytes : null;
  };
  const [git, cra] = [contentOf(".gitignore"), contentOf(".craignore")];
  return git === null && cra === null ? folder.rules : folder.rules.enter(folder.path, { git, cra });
}

function statOf(root: string, path: string, problems: TreeProblem[], leftOut: LeftOut[]): Stats | null {
  try {
    return lstatSync(`${root}${sep}${path}`);
  } catch (error) {
    if (path.includes("\u{fffd}")) leftOut.push({ path, reason: "name" });
    else problems.push({ path, why: errorText(error) });
    return null;
  }
}
