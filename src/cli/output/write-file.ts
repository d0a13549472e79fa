/**
 * Writes an output file completely or not at all.
 *
 * The content goes to a new file in the same folder, is synced to disk, and is renamed to the target; on failure the target
 * keeps its old content. A link is followed. A character device (`/dev/null`) is written to. A pipe or a socket is refused,
 * since writing to it may never finish.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";

type Overwrite = { readonly force: boolean };

/** Throws, before any work, for a file that cannot be written. */
export function checkTarget(path: string, { force }: Overwrite): void {
  if (isTaken(path) && !force)
    throw new Failed({ code: "usage", message: `--output: ${path} exists`, next: "add --force to overwrite it" });
}

/** Whether writing would replace a file, also through a link. Throws when the path cannot be written. */
export function isTaken(path: string): boolean {
  const found = statOf(path);
  if (found === null) {
    const folder = dirname(path);
    if (statOf(folder)?.isDirectory()) return false;
    throw failed(folder, "there is no such folder", "create it, or name another file");
  }
  if (found.isDirectory()) throw failed(path, "is a folder", "name a file in it");
  if (found.isFile() || found.isCharacterDevice()) return found.isFile();
  const what = found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a disk";
  throw failed(path, `is ${what}, not a file`, "name another file");
}

/** Throws an `io` failure and leaves the target unchanged. */
export function writeWhole(path: string, content: string | Uint8Array, overwrite: Overwrite): void {
  checkTarget(path, overwrite);
  const found = statOf(path);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    if (found !== null && !found.isFile()) writeTo(path, "w", bytes, 0o666);
    else if (found === null) replace(path, bytes, 0o666, false);
    else replace(realpathSync(path), bytes, found.mode & 0o777, true);
  } catch (error) {
    throw error instanceof Failed ? error : notWritten(path, error);
  }
}

function replace(path: string, bytes: Uint8Array, mode: number, isReplacing: boolean): void {
  const beside = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeTo(beside, "wx", bytes, mode);
    // The system takes rights from a new file that the one before it may have.
    if (isReplacing) chmodSync(beside, mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  // The rename survives a power cut only if the folder is synced too, which not all systems allow.
  tryToSync(dirname(path));
}

function writeTo(path: string, flags: "w" | "wx", bytes: Uint8Array, mode: number): void {
  const handle = openSync(path, flags, mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    if (flags === "wx") fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function tryToSync(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Best effort: the file itself is complete.
  }
}

/** The target of a path, through links; null when nothing is there. A dangling link is an error. */
function statOf(path: string): Stats | null {
  try {
    const found = lstatSync(path);
    return found.isSymbolicLink() ? statSync(path) : found;
  } catch (error) {
    if (errorCode(error) === "ENOENT" && !isDanglingLink(path)) return null;
    throw notWritten(path, error);
  }
}

const isDanglingLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const notWritten = (path: string, error: unknown) =>
  failed(path, systemErrorWords(error), "nothing was changed; name another file", error);

const failed = (where: string, message: string, next: string, cause?: unknown) =>
  new Failed({ code: "io", where, message, next }, { cause });
