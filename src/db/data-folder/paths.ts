/**
 * Decides where a repository's databases live, and names them.
 *
 * `--data-dir` wins; else `<repo>/.cra/` when it can be written and is ours; else the user's state folder,
 * keyed by the repository's real path. A `.cra` that came with the repository (a symbolic link, tracked by
 * git, owned by someone else) is hostile and is not used, and no folder of the repository that holds other
 * things is taken. `chooseDataDir` is pure; `locateDataDir` looks.
 * Not here: opening (`open.ts`).
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Failed, type Notice } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { tracksFolder } from "./tracked.ts";

export const CRA_FOLDER = ".cra";

/** What the decision rests on. Paths are absolute and real; `uid` is the user's, null where there is none. */
export type DataDirFacts = {
  readonly repo: string;
  readonly explicit: string | null;
  readonly entry: {
    readonly kind: "absent" | "directory" | "link" | "other";
    readonly uid: number | null;
    readonly writable: boolean;
  };
  readonly tracked: boolean;
  readonly repoWritable: boolean;
  readonly uid: number | null;
  readonly stateHome: string;
};

/** `inRepository`: the folder is in the work tree, so it hides itself from git. */
export type DataDir = { readonly path: string; readonly inRepository: boolean; readonly notice: Notice | null };

/** A data folder and its files. */
export type DataPaths = {
  readonly folder: string;
  readonly curated: string;
  readonly raw: string;
  readonly parseCache: string;
  readonly memory: string;
  /** Vectors of texts in the index: a cache. */
  readonly vectors: string;
  readonly lock: string;
  /** Held while a model is asked about files. */
  readonly enriching: string;
  readonly sessions: string;
};

export function chooseDataDir(facts: DataDirFacts): DataDir {
  if (facts.explicit !== null) {
    const inRepository = `${facts.explicit}${sep}`.startsWith(facts.repo.endsWith(sep) ? facts.repo : facts.repo + sep);
    return { path: facts.explicit, inRepository, notice: null };
  }
  const inside = join(facts.repo, CRA_FOLDER);
  const why = distrust(facts);
  const usable = why === null && (facts.entry.kind === "directory" ? facts.entry.writable : facts.repoWritable);
  if (usable) return { path: inside, inRepository: true, notice: null };
  const key = createHash("sha256").update(facts.repo).digest("hex").slice(0, 32);
  const notice: Notice | null = why === null ? null : { code: "data-dir-ignored", path: inside, why };
  return { path: join(facts.stateHome, "cra", key), inRepository: false, notice };
}

function distrust({ entry, tracked, uid }: DataDirFacts): string | null {
  if (entry.kind === "link") return "it is a symbolic link";
  if (entry.kind === "other") return "it is not a folder";
  if (tracked) return "it is tracked by git, so it may come from someone else";
  if (entry.uid !== null && uid !== null && entry.uid !== uid) return "it is owned by another user";
  return null;
}

/**
 * Looks at the repository and chooses. Creates nothing. `env` gives XDG_STATE_HOME (or LOCALAPPDATA) and
 * HOME (or USERPROFILE). Throws `io` when something that is no folder is in the way of it.
 */
export function locateDataDir(
  repo: string,
  user: {
    readonly explicit: string | null;
    readonly uid: number | null;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): DataDir {
  const root = realpathSync(repo);
  const chosen = chooseDataDir({
    repo: root,
    explicit: user.explicit === null ? null : realPathOf(resolve(user.explicit)),
    entry: entryAt(join(root, CRA_FOLDER)),
    tracked: tracksFolder(root, CRA_FOLDER),
    repoWritable: isWritable(root),
    uid: user.uid,
    stateHome: stateHome(user.env),
  });
  checkWay(chosen.path);
  return chosen;
}

/** Told here, once for every command: what only reads would else meet it as a bug of its own. */
function checkWay(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true) return;
  } catch (error) {
    throw unusable(path, `the index cannot be kept here: ${systemErrorWords(error)}`, error);
  }
  throw unusable(path, "the index cannot be kept here: it is not a folder");
}

/**
 * Creates the folder with its sessions, for this user only, hidden from git where it stands in a repository.
 * Throws `io` when it cannot be written, and when it is in the repository and holds other things.
 */
export function createDataDir(dir: DataDir): DataPaths {
  const paths = dataPaths(dir.path);
  try {
    mkdirSync(dir.path, { recursive: true, mode: 0o700 });
    if (dir.inRepository && basename(dir.path) !== CRA_FOLDER && isForeign(dir.path))
      throw unusable(
        dir.path,
        "this folder of the repository holds other files, and what cra writes would be among them",
      );
    mkdirSync(paths.sessions, { recursive: true, mode: 0o700 });
    const ignore = join(dir.path, ".gitignore");
    if (dir.inRepository && lstatSync(ignore, { throwIfNoEntry: false }) === undefined) writeOnce(ignore, "*\n");
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw unusable(dir.path, `the index cannot be kept here: ${systemErrorWords(error)}`, error);
  }
  return paths;
}

/** Writes a file, unless another cra has done so at this very moment. */
function writeOnce(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

const unusable = (where: string, message: string, cause?: unknown): Failed =>
  new Failed({ code: "io", message, where, next: "name another folder with --data-dir" }, { cause });

/** Whether a folder holds something, and none of what tells that cra has begun to use it. */
function isForeign(folder: string): boolean {
  const { curated, raw, lock, memory } = dataPaths("");
  const names = readdirSync(folder);
  if (names.includes(".git")) return true;
  return !names.some((name) => [curated, raw, lock, memory].includes(name)) && names.some((name) => !BEGUN.has(name));
}

/** What is in a data folder before its first database. */
const BEGUN: ReadonlySet<string> = new Set([".gitignore", "sessions"]);

/** The path with links resolved as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

export function dataPaths(folder: string): DataPaths {
  return {
    folder,
    curated: join(folder, "curated.sqlite"),
    raw: join(folder, "raw.sqlite"),
    parseCache: join(folder, "parse-cache.sqlite"),
    memory: join(folder, "memory.sqlite"),
    vectors: join(folder, "vectors.sqlite"),
    lock: join(folder, "lock.sqlite"),
    enriching: join(folder, "enrich-lock.sqlite"),
    sessions: join(folder, "sessions"),
  };
}

/** Where a user's programs keep what is worth keeping but not worth backing up (XDG base directories). */
function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  const given = env.XDG_STATE_HOME ?? env.LOCALAPPDATA;
  if (given) return resolve(given);
  const home = env.HOME ?? env.USERPROFILE;
  if (home) return resolve(home, ".local", "state");
  throw new Failed({
    code: "usage",
    message: "no place to keep the index: HOME is not set",
    next: "name one with --data-dir",
  });
}

function entryAt(path: string): DataDirFacts["entry"] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { kind: "absent", uid: null, writable: false };
  const kind = stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "directory" : "other";
  return { kind, uid: stat.uid, writable: kind === "directory" && isWritable(path) };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false; // The reason does not matter: another folder is used.
  }
}
