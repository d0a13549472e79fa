/**
 * Reads one file of a repository, and nothing else.
 *
 * The path may have changed since it was listed, and a repository is hostile: only a regular file whose
 * real path lies below the root is read, through a descriptor opened without following a link, and
 * never more than the limit. Failing is an answer, not an exception.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { systemErrorWords } from "../../text/system-errors.ts";

export type FileRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly why: string };

/**
 * Reads `path` (relative to `root`, `/` separated) when it has at most `bytesMax` bytes. `root` must be
 * a real path (`realpathSync`); a file that grows while it is read is a problem, not a part of a file.
 */
export function readFile(root: string, path: string, bytesMax: number): FileRead {
  if (!isRepositoryPath(path)) return problem("not a path inside the repository");
  const full = join(root, path);
  let descriptor: number | null = null;
  try {
    // Opening a pipe or a device can hang or act, so its kind is looked at first (and again once open).
    if (!lstatSync(full).isFile()) return problem("not a regular file");
    const real = realpathSync(full);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return problem("lies outside the repository");
    descriptor = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return problem("not a regular file");
    if (stat.size > bytesMax) return problem(`larger than ${bytesMax} bytes`);
    return readWhole(descriptor, stat.size);
  } catch (error) {
    return problem(errorText(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/**
 * Reads a file that the user or git's layout names, wherever it is, links followed: when it is a regular one of at
 * most `bytesMax` bytes. For what is only looked at, never shown.
 */
export function readGivenFile(path: string, bytesMax: number): FileRead {
  let descriptor: number | null = null;
  try {
    if (!statSync(path).isFile()) return problem("not a regular file");
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return problem("not a regular file");
    return stat.size > bytesMax ? problem(`larger than ${bytesMax} bytes`) : readWhole(descriptor, stat.size);
  } catch (error) {
    return problem(errorText(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Whether a path is relative, `/` separated, and cannot leave the folder it is joined to. */
export function isRepositoryPath(path: string): boolean {
  return (
    path !== "" && !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/**
 * What went wrong, in few words: the system's code where there is one, never an absolute path. Throws what is no fault of
 * this file but of the whole process: without it, all files would seem to be gone.
 */
export function errorText(error: unknown): string {
  if (error instanceof Error) {
    if ("code" in error && (error.code === "EMFILE" || error.code === "ENFILE")) throw error;
    if ("code" in error && typeof error.code === "string") return CODES.get(error.code) ?? systemErrorWords(error);
    return error.message;
  }
  return String(error);
}

/** What these codes mean for a file that was listed a moment ago. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it no longer exists"],
  ["ELOOP", "it is a symbolic link"],
  ["ENAMETOOLONG", "its path is too long"],
  ["ENOTDIR", "a folder on its path is none"],
]);

function readWhole(descriptor: number, size: number): FileRead {
  // One byte more than expected is asked for, so that growth shows.
  const buffer = new Uint8Array(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length > size ? problem("it changed while it was read") : { kind: "bytes", bytes: buffer.subarray(0, length) };
}

const problem = (why: string): FileRead => ({ kind: "problem", why });
