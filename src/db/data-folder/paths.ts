/** Names the files of a data folder, and what all repositories of a user share in the state folder. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Variables } from "../../config/variables.ts";

export type DataPaths = {
  readonly folder: string;
  /** The folder of the parse cache: `folder`, or one that all work trees of a repository share. */
  readonly cacheFolder: string;
  readonly curated: string;
  readonly raw: string;
  readonly parseCache: string;
  /** Where the parse cache is if it is not shared. */
  readonly ownParseCache: string;
  readonly statCache: string;
  readonly memory: string;
  /** A cache of vectors of texts in the index. */
  readonly vectors: string;
  readonly lock: string;
  /** The lock for asking a model about files. */
  readonly enriching: string;
  readonly sessions: string;
};

/** The folder of a repository in the state folder. */
export const folderIn = (stateHome: string, repo: string): string =>
  join(stateHome, "cra", createHash("sha256").update(repo).digest("hex").slice(0, 32));

/** The folder of cra in the user's state folder; null when the environment names none that is absolute. */
export function userStateFolder(env: Variables): string | null {
  const state = stateHome(env);
  return state === null ? null : join(state, "cra");
}

export function dataPaths(folder: string, cacheFolder: string = folder): DataPaths {
  return {
    folder,
    cacheFolder,
    curated: join(folder, "curated.sqlite"),
    raw: join(folder, "raw.sqlite"),
    parseCache: join(cacheFolder, PARSE_CACHE_NAME),
    ownParseCache: join(folder, PARSE_CACHE_NAME),
    statCache: join(folder, "stat-cache.sqlite"),
    memory: join(folder, "memory.sqlite"),
    vectors: join(folder, "vectors.sqlite"),
    lock: join(folder, "lock.sqlite"),
    enriching: join(folder, "enrich-lock.sqlite"),
    sessions: join(folder, "sessions"),
  };
}

const PARSE_CACHE_NAME = "parse-cache.sqlite";

/**
 * The lock for asking a model server, the same for all repositories of the user: a server answers one question at a time.
 * Null where no state folder can be written.
 */
export function serverLockPath(server: string, env: Variables): string | null {
  const folder = stateFolder(env);
  return folder && join(folder, `server-${createHash("sha256").update(server).digest("hex").slice(0, 16)}.sqlite`);
}

/** The file with the secret that fences are made from; null where no state folder can be written. */
export function fenceSecretPath(env: Variables): string | null {
  const folder = stateFolder(env);
  return folder && join(folder, "fence-secret");
}

/** The folder for what all repositories of the user share, created if it is missing; null where it cannot be. */
function stateFolder(env: Variables): string | null {
  const folder = userStateFolder(env);
  if (folder === null) return null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return null; // Without the folder, runs do not wait for each other, and each draws its own secret.
  }
  return folder;
}

/** The user's state folder (XDG base directories); null when no variable names one. */
export function stateHome(env: Variables): string | null {
  // The XDG specification ignores relative values, and a relative home would be a folder in some repository.
  const absolute = (path: string | undefined): string | null => (path && isAbsolute(path) ? path : null);
  const home = absolute(env.HOME ?? env.USERPROFILE);
  return absolute(env.XDG_STATE_HOME ?? env.LOCALAPPDATA) ?? (home && join(home, ".local", "state"));
}
