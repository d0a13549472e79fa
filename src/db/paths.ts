/**
 * Decides where a repository's databases live, and names them.
 *
 * `--data-dir` wins; else `<repo>/.cra/` when it can be written and is ours; else the user's state folder,
 * keyed by the repository's real path. A `.cra` that came with the repository (a symbolic link, tracked by
 * git, owned by someone else) is hostile and is not used. `chooseDataDir` is pure; `locateDataDir` looks.
 * Not here: opening (`open.ts`).
 */
import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failed, type Notice } from "../failure.ts";
import { tracksFolder } from "./tracked.ts";

export const CRA_FOLDER = ".cra";

/** What the decision rests on. Paths are absolute; `home` is the user's; `uid` is null where there is none. */
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

/** `inRepository` means that the folder must hide itself from git. */
export type DataDir = { readonly path: string; readonly inRepository: boolean; readonly notice: Notice | null };

/** The files of one data folder. */
export type DataPaths = {
  readonly curated: string;
  readonly raw: string;
  readonly parseCache: string;
  readonly memory: string;
  readonly lock: string;
  readonly sessions: string;
};

export function chooseDataDir(facts: DataDirFacts): DataDir {
  if (facts.explicit !== null) return { path: resolve(facts.explicit), inRepository: false, notice: null };
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
 * HOME (or USERPROFILE).
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
  return chooseDataDir({
    repo: root,
    explicit: user.explicit,
    entry: entryAt(join(root, CRA_FOLDER)),
    tracked: tracksFolder(root, CRA_FOLDER),
    repoWritable: isWritable(root),
    uid: user.uid,
    stateHome: stateHome(user.env),
  });
}

/** Creates the folder with its sessions, for this user only, hidden from git where it stands in a repository. */
export function createDataDir(dir: DataDir): DataPaths {
  const paths = dataPaths(dir.path);
  try {
    mkdirSync(dir.path, { recursive: true, mode: 0o700 });
    mkdirSync(paths.sessions, { recursive: true, mode: 0o700 });
    const ignore = join(dir.path, ".gitignore");
    if (dir.inRepository && lstatSync(ignore, { throwIfNoEntry: false }) === undefined)
      writeFileSync(ignore, "*\n", { flag: "wx" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failed(
      { code: "io", message, where: dir.path, next: "name another folder with --data-dir" },
      { cause: error },
    );
  }
  return paths;
}

export function dataPaths(folder: string): DataPaths {
  return {
    curated: join(folder, "curated.sqlite"),
    raw: join(folder, "raw.sqlite"),
    parseCache: join(folder, "parse-cache.sqlite"),
    memory: join(folder, "memory.sqlite"),
    lock: join(folder, "lock.sqlite"),
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
