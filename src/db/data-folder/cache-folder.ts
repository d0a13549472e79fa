/**
 * Chooses and creates the folder of the parse cache that all work trees of a repository share: `cra` in git's common folder.
 *
 * It is trusted like a data folder: only a real folder of this user, without symbolic links, in a folder of this user. Otherwise the
 * parse cache stays in the data folder.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { isWritable } from "../sqlite/writable.ts";
import { linkIn } from "./data-dir.ts";

/** "own": there is nothing to share, or it cannot be written. "refused": it is not trusted. */
export type CacheFolder =
  | { readonly kind: "shared"; readonly path: string }
  | { readonly kind: "own" }
  | { readonly kind: "refused"; readonly path: string; readonly why: string };

/** `common` is git's common folder, null where there is none. `uid` is the user's, null on systems without user ids. */
export function locateCacheFolder(common: string | null, uid: number | null): CacheFolder {
  if (common === null) return { kind: "own" };
  const path = join(common, "cra");
  const why = distrustReason(common, path, uid);
  if (why !== null) return { kind: "refused", path, why };
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isWritable(isThere ? path : common) ? { kind: "shared", path } : { kind: "own" };
}

function distrustReason(common: string, path: string, uid: number | null): string | null {
  const isForeign = (at: string): boolean => uid !== null && lstatSync(at).uid !== uid;
  if (isForeign(common)) return "git's folder is owned by another user";
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return "it is a symbolic link";
  if (!stat.isDirectory()) return "it is not a folder";
  if (isForeign(path)) return "it is owned by another user";
  const link = linkIn(path);
  return link === null ? null : `${link} in it is a symbolic link`;
}

/** Creates the folder, readable by this user only. Throws `io` when it cannot be created. */
export function createCacheFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const next = "check the permissions of git's folder, or choose another folder with --data-dir";
    throw new Failed({ code: "io", message: systemErrorWords(error), where: path, next }, { cause: error });
  }
}
