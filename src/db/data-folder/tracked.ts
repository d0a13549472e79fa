/**
 * Tells whether git tracks files in a top-level folder, by reading git's index file directly.
 *
 * It runs before every command, so it starts no process and loads no git library. An unreadable index counts as "not tracked"; the
 * other checks of `data-dir.ts` still apply. One that is too large to be read counts as "tracked". Format: gitformat-index(5), versions 2 to
 * 4, SHA-1 and SHA-256; of a split index the shared part is read too, and what the other part removes from it still counts.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** No repository has an index of several million files. */
const INDEX_BYTES_MAX = 512 * 1024 * 1024;
const POINTER_BYTES_MAX = 64 * 1024;

/** `folder` is the name of a folder directly below the work tree `root`. */
export function tracksFolder(root: string, folder: string): boolean {
  const gitDir = gitDirOf(join(root, ".git"));
  if (gitDir === null) return false;
  const bytes = regularFile(join(gitDir, "index"), INDEX_BYTES_MAX);
  if (bytes === null) return false;
  const isIn = (index: Buffer | TooLarge): boolean =>
    index === "too large" || indexTracks(index, folder, 20) || indexTracks(index, folder, 32);
  return bytes === "too large" || isIn(bytes) || sharedIndexes(gitDir, bytes).some(isIn);
}

/** The shared indexes that a split index names by their hash. */
function sharedIndexes(gitDir: string, index: Buffer): readonly (Buffer | TooLarge)[] {
  return (orNull(() => readdirSync(gitDir)) ?? []).flatMap((name) => {
    const hash = /^sharedindex\.([0-9a-f]{40}|[0-9a-f]{64})$/.exec(name)?.[1];
    const shared =
      hash !== undefined && index.includes(hash, "hex") ? regularFile(join(gitDir, name), INDEX_BYTES_MAX) : null;
    return shared === null ? [] : [shared];
  });
}

/**
 * `hashBytes` is the length of an object hash. Entries are sorted by path, so the search stops early. Only the beginning of a path is read:
 * in version 4 a small index can hold very long paths.
 */
export function indexTracks(bytes: Buffer, folder: string, hashBytes: 20 | 32): boolean {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return false;
  const wanted = `${folder}/`;
  let at = 12;
  let previous = { start: "", length: 0 };
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    const flagsAt = start + 40 + hashBytes;
    if (flagsAt + 2 > bytes.length) return false;
    const isExtended = version > 2 && (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
    at = flagsAt + (isExtended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const cut = offsetAt(bytes, at);
      kept = Math.max(0, previous.length - cut.value);
      at = cut.next;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0) return false;
    const added = bytes.toString("latin1", at, Math.min(end, at + wanted.length));
    const path = (previous.start.slice(0, kept) + added).slice(0, wanted.length);
    if (path === folder || path.startsWith(wanted)) return true;
    if (path > wanted && !wanted.startsWith(path)) return false;
    previous = { start: path, length: kept + end - at };
    // Versions 2 and 3 pad entries with 1 to 8 NULs to a multiple of eight bytes.
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  }
  return false;
}

/** The variable-length number before a path in version 4: how many bytes of the previous path to drop. */
function offsetAt(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

/** A linked work tree or submodule has a `.git` file that names its git folder. Symbolic links are followed, as git does. */
function gitDirOf(path: string): string | null {
  if (orNull(() => statSync(path))?.isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec(regularFile(path, POINTER_BYTES_MAX)?.toString("utf8") ?? "")?.[1];
  return named === undefined ? null : resolve(path, "..", named.trim());
}

type TooLarge = "too large";

/** Null for what is no file. */
const regularFile = (path: string, bytesMax: number): Buffer | TooLarge | null =>
  orNull(() => {
    const found = statSync(path);
    if (!found.isFile()) return null;
    return found.size > bytesMax ? "too large" : readFileSync(path);
  });

/** Null for what is not there or cannot be read, such as a link to itself. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null; // An unreadable index counts as "not tracked".
  }
}
