/**
 * Reads a single file of an untrusted repository safely.
 *
 * Only a regular file whose real path is below the root is read, through a descriptor that follows no link, and never more than the
 * limit: the path may have changed since it was listed. Failures are results, not exceptions.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { systemErrorWords } from "../../text/system-errors.ts";

export type FileRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly why: string };

/**
 * Reads `path` (relative to `root`, `/` separated) if it has at most `bytesMax` bytes. `root` must be a real path
 * (`realpathSync`). A file that grows while it is read is a problem.
 */
export function readFile(root: string, path: string, bytesMax: number): FileRead {
  if (!isRepositoryPath(path)) return problem("not a path inside the repository");
  const full = join(root, path);
  let descriptor: number | null = null;
  try {
    // Opening a pipe or device can hang or have effects, so the type is checked before opening and again after.
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
 * Reads a regular file of at most `bytesMax` bytes that the user or git's layout names, wherever it is, following links. For
 * contents that are never shown.
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
 * A short description of an error, never with an absolute path. Rethrows when the process has too many open files:
 * otherwise every file would seem to be gone.
 */
export function errorText(error: unknown): string {
  if (error instanceof Error) {
    if ("code" in error && (error.code === "EMFILE" || error.code === "ENFILE")) throw error;
    if ("code" in error && typeof error.code === "string") return CODES.get(error.code) ?? systemErrorWords(error);
    return error.message;
  }
  return String(error);
}

/** The meaning of these codes for a file that was just listed. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it no longer exists"],
  ["ELOOP", "it is a symbolic link"],
  ["ENAMETOOLONG", "its path is too long"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);

function readWhole(descriptor: number, size: number): FileRead {
  // One extra byte is requested to detect growth.
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
