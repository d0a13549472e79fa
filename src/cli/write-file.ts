/**
 * Writes an output file whole or not at all.
 *
 * The text goes to a new file in the same folder, is forced to the disk, and takes the target's name in
 * one step; when anything fails the target keeps its old content. A file that exists is replaced only
 * when told to. A link is followed; a device or pipe (`/dev/null`) is written to, never replaced.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failed } from "../failure.ts";

export type Overwrite = { readonly force: boolean };

/** Throws when the file cannot be written for a reason that is known beforehand, so that no work is lost. */
export function checkTarget(path: string, { force }: Overwrite): void {
  const found = statOf(path);
  if (found?.isDirectory()) throw failed(path, "is a folder");
  if (found?.isFile() && !force) {
    throw new Failed({ code: "usage", message: `--output: ${path} exists`, next: "add --force to overwrite it" });
  }
  if (found === null && !statOf(dirname(path))?.isDirectory()) throw failed(path, "there is no such folder");
}

/** Throws an input/output failure; then the target is as it was. */
export function writeWhole(path: string, text: string, overwrite: Overwrite): void {
  checkTarget(path, overwrite);
  const found = statOf(path);
  const bytes = new TextEncoder().encode(text);
  try {
    if (found !== null && !found.isFile()) writeTo(path, "w", bytes, 0o666);
    else replace(found === null ? path : realpathSync(path), bytes, found === null ? 0o666 : found.mode & 0o777);
  } catch (error) {
    throw failed(path, wordsOf(error), error);
  }
}

function replace(path: string, bytes: Uint8Array, mode: number): void {
  const beside = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeTo(beside, "wx", bytes, mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  // The new name outlives a power cut only when the folder is on the disk too; not all systems allow it.
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
    // Best effort: the file itself is already whole.
  }
}

/** What a path leads to, links followed; null when there is nothing. A link to nowhere is an error. */
function statOf(path: string): Stats | null {
  try {
    const found = lstatSync(path);
    return found.isSymbolicLink() ? lstatSync(realpathSync(path)) : found;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !isDanglingLink(path)) return null;
    throw failed(path, wordsOf(error), error);
  }
}

const isDanglingLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** System errors in words. */
const WORDS = new Map([
  ["ENOSPC", "no space left on the disk"],
  ["EDQUOT", "the disk quota is used up"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EISDIR", "is a folder"],
  ["ELOOP", "too many symbolic links"],
  ["EFBIG", "the file would be too large"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EIO", "the device reports an error"],
]);

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** A system error in words; its code when there are none for it. Anything else is a bug and is thrown on. */
export function wordsOf(error: unknown): string {
  if (error instanceof Failed) throw error;
  const code = codeOf(error);
  if (typeof code !== "string") throw error;
  return WORDS.get(code) ?? code;
}

const failed = (where: string, message: string, cause?: unknown) =>
  new Failed({ code: "io", where, message }, { cause });
