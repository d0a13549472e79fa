/**
 * Chooses and creates the folder for a repository's databases.
 *
 * `--data-dir` wins; otherwise `<repo>/.cra/` if it is writable and trusted; otherwise a folder in the user's state folder, keyed
 * by the repository's real path. Where neither can be written, `<repo>/.cra/` is still read. A `.cra` that came with the repository (a
 * symbolic link, holding one, tracked by git, or owned by another user) is not trusted. `chooseDataDir` is pure; `locateDataDir` reads the
 * file system.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import { isWritable, nearestExisting } from "../sqlite/writable.ts";
import { type DataPaths, dataPaths, folderIn, stateHome } from "./paths.ts";
import { tracksFolder } from "./tracked.ts";

export const CRA_FOLDER = ".cra";

/** The facts for the decision. Paths are absolute and real; `uid` is the user's, null on systems without user ids. */
export type DataDirFacts = {
  readonly repo: string;
  readonly explicit: string | null;
  readonly entry: {
    readonly kind: "absent" | "directory" | "link" | "other";
    readonly uid: number | null;
    readonly writable: boolean;
    /** The name of a symbolic link in the folder. cra makes none. */
    readonly link: string | null;
  };
  readonly tracked: boolean;
  readonly repoWritable: boolean;
  readonly uid: number | null;
  /** The user's state folder; null when the environment names none that is absolute. */
  readonly stateHome: string | null;
  /** Whether the folder for this repository in the state folder exists or can be created. */
  readonly stateUsable: boolean;
};

/** `inRepository`: the folder is in the work tree and must be hidden from git. */
export type DataDir = { readonly path: string; readonly inRepository: boolean; readonly notice: Notice | null };

export function chooseDataDir(facts: DataDirFacts): DataDir {
  if (facts.explicit !== null) {
    const inRepository = `${facts.explicit}${sep}`.startsWith(facts.repo.endsWith(sep) ? facts.repo : facts.repo + sep);
    return { path: facts.explicit, inRepository, notice: null };
  }
  const inside = join(facts.repo, CRA_FOLDER);
  const why = distrustReason(facts);
  const usable = why === null && (facts.entry.kind === "directory" ? facts.entry.writable : facts.repoWritable);
  // Where nothing can be written, an index that is there can still be read.
  if (usable || (why === null && !facts.stateUsable)) return { path: inside, inRepository: true, notice: null };
  if (facts.stateHome === null)
    throw new Failed({
      code: "usage",
      message: `nowhere to store the index: ${inside} is not used because ${why}, and HOME is not set`,
      next: "choose a folder with --data-dir",
    });
  const notice: Notice | null = why === null ? null : { code: "data-dir-ignored", path: inside, why };
  return { path: folderIn(facts.stateHome, facts.repo), inRepository: false, notice };
}

function distrustReason({ entry, tracked, uid }: DataDirFacts): string | null {
  if (entry.kind === "link") return "it is a symbolic link";
  if (entry.kind === "other") return "it is not a folder";
  if (entry.link !== null) return `${entry.link} in it is a symbolic link`;
  if (tracked) return "it is tracked by git, so it may come from someone else";
  if (entry.uid !== null && uid !== null && entry.uid !== uid) return "it is owned by another user";
  return null;
}

/**
 * Chooses the data folder without creating it. `env` provides XDG_STATE_HOME (or LOCALAPPDATA) and HOME (or USERPROFILE).
 * Throws `io` when the path exists and is not a folder that can be read.
 */
export function locateDataDir(
  repo: string,
  user: {
    readonly explicit: string | null;
    readonly uid: number | null;
    readonly env: Variables;
  },
): DataDir {
  const root = realpathSync(repo);
  const state = stateHome(user.env);
  const chosen = chooseDataDir({
    repo: root,
    explicit: user.explicit === null ? null : realPathOf(resolve(user.explicit)),
    entry: entryAt(join(root, CRA_FOLDER)),
    tracked: tracksFolder(root, CRA_FOLDER),
    repoWritable: isWritable(root),
    uid: user.uid,
    stateHome: state,
    stateUsable: state !== null && canBeFolder(folderIn(state, root)),
  });
  checkIsFolder(chosen.path);
  return chosen;
}

/** Checked once for every command; commands that only read would otherwise fail later with an internal error. */
function checkIsFolder(path: string): void {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    // One that is read may be somebody else's, and those that cra makes only their owner can enter.
    if (stat.isDirectory()) {
      accessSync(path, constants.R_OK | constants.X_OK);
      return;
    }
  } catch (error) {
    throw unusable(path, `cannot store data here: ${systemErrorWords(error)}`, error);
  }
  throw unusable(path, "cannot store data here: it is not a folder");
}

/**
 * Creates the folder and its sessions folder, readable by this user only and, in a repository, hidden from git. Throws `io`
 * when it cannot be written, or when it is in the repository and holds other files; `no-repository` when the repository is gone.
 */
export function createDataDir(dir: DataDir): DataPaths {
  const paths = dataPaths(dir.path);
  const isOwn = dir.inRepository && basename(dir.path) === CRA_FOLDER;
  // A process may outlive the repository that it opened.
  if (isOwn && !existsSync(dirname(dir.path)))
    throw new Failed({ code: "no-repository", path: dirname(dir.path), why: "there is no such folder" });
  try {
    mkdirSync(dir.path, { recursive: true, mode: 0o700 });
    if (dir.inRepository && !isOwn && isForeign(dir.path))
      throw unusable(dir.path, "this folder of the repository contains other files, so cra will not write into it");
    const link = dir.inRepository ? linkIn(dir.path) : null;
    if (link !== null)
      throw unusable(join(dir.path, link), "it is a symbolic link, so cra will not write into this folder");
    mkdirSync(paths.sessions, { recursive: true, mode: 0o700 });
    accessSync(dir.path, constants.W_OK);
    const ignore = join(dir.path, ".gitignore");
    if (dir.inRepository && lstatSync(ignore, { throwIfNoEntry: false }) === undefined) writeOnce(ignore, "*\n");
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw unusable(dir.path, `cannot store data here: ${systemErrorWords(error)}`, error);
  }
  return paths;
}

/** Writes a file unless it exists: another cra may have just created it. */
function writeOnce(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

const unusable = (where: string, message: string, cause?: unknown): Failed =>
  new Failed({ code: "io", message, where, next: "choose another folder with --data-dir" }, { cause });

/** Whether a folder has contents that show no use by cra. */
function isForeign(folder: string): boolean {
  const { curated, raw, lock, memory } = dataPaths("");
  const names = readdirSync(folder);
  if (names.includes(".git")) return true;
  return !names.some((name) => [curated, raw, lock, memory].includes(name)) && names.some((name) => !BEGUN.has(name));
}

/** The entries of a data folder before its first database. */
const BEGUN: ReadonlySet<string> = new Set([".gitignore", "sessions"]);

/** The path with links resolved in the part that exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

/** Whether a path is a folder, or one can be created there. */
function canBeFolder(path: string): boolean {
  try {
    const at = nearestExisting(path);
    return statSync(at).isDirectory() && (at === path || isWritable(at));
  } catch {
    return false; // A part of the path is a file, or may not be entered.
  }
}

function entryAt(path: string): DataDirFacts["entry"] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { kind: "absent", uid: null, writable: false, link: null };
  const kind = stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "directory" : "other";
  const isFolder = kind === "directory";
  return { kind, uid: stat.uid, writable: isFolder && isWritable(path), link: isFolder ? linkIn(path) : null };
}

/** The first symbolic link in a folder, through which cra would read or write another place; null in one that cannot be listed. */
export function linkIn(folder: string): string | null {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.map(({ name }) => name).sort()[0] ?? null;
  } catch {
    return null;
  }
}
