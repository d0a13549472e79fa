/**
 * Reads a single file of an untrusted repository safely.
 *
 * Only a regular file that lies at its path is read, and never more than the limit: the path may have changed since it was listed.
 * Failures are results, not exceptions.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import { filesInside, type OpenedFile, openFileInside } from "./open-inside.ts";

export type FileRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly why: string };

/**
 * Reads `path` (relative to `root`, `/` separated) if it has at most `bytesMax` bytes. `root` must be a real path
 * (`realpathSync`). A file that grows while it is read is a problem.
 */
export const readFile = (root: string, path: string, bytesMax: number): FileRead =>
  readOpened(() => openFileInside(root, path), path, bytesMax);

/**
 * Calls `use` with a function that reads as `readFile` does, but takes half of the time where files of one folder follow one another. The bytes
 * of a file lie in `room` if they fit, until the next file is read.
 */
export function readingInTurn<T>(root: string, room: Uint8Array, use: (read: ReadOne) => T): T {
  const files = filesInside(root);
  try {
    return use((path, bytesMax) => readOpened(() => files.open(path), path, bytesMax, room));
  } finally {
    files.close();
  }
}

type ReadOne = (path: string, bytesMax: number) => FileRead;

function readOpened(open: () => OpenedFile, path: string, bytesMax: number, room?: Uint8Array): FileRead {
  if (!isRepositoryPath(path)) return problem("not a path inside the repository");
  let descriptor: number | null = null;
  try {
    const opened = open();
    descriptor = opened.descriptor;
    const { size } = opened.stat;
    return size > bytesMax ? problem(`larger than ${bytesMax} bytes`) : readWhole(descriptor, size, room);
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
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  if (code === "EMFILE" || code === "ENFILE") throw error;
  return code === null ? error.message : (CODES.get(code) ?? systemErrorWords(error));
}

/** The meaning of these codes for a file that was just listed. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it no longer exists"],
  ["ELOOP", "it is a symbolic link"],
  ["ENAMETOOLONG", "its path is too long"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);

function readWhole(descriptor: number, size: number, room?: Uint8Array): FileRead {
  // One extra byte is requested to detect growth.
  const buffer = room !== undefined && size < room.length ? room.subarray(0, size + 1) : new Uint8Array(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
    // All that it had, and the end: a file that has grown gives the extra byte.
    if (length === size) break;
  }
  return length > size ? problem("it changed while it was read") : { kind: "bytes", bytes: buffer.subarray(0, length) };
}

const problem = (why: string): FileRead => ({ kind: "problem", why });
