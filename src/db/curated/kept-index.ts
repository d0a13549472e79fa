/**
 * Keeps the index of a work tree for others of the same repository, also when that work tree is removed.
 *
 * In the folder that work trees share, the file of the index has a second name (a hard link), and its checksum a copy. That takes no room
 * while the work tree is there; afterwards it is the only name. A file with two names is never opened here: SQLite would look for two logs.
 */
import { type BigIntStats, copyFileSync, linkSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CHECKSUM_SUFFIX, hasChecksum } from "../sqlite/checksum.ts";
import { removePart } from "./index-part.ts";

/** How many indexes of work trees that are gone are kept, and for how long. */
const KEPT_MAX = 1;
const KEPT_MS = 60 * 86_400_000;

/** The name has the numbers of the file's device and inode, which no other file can get while the file exists. */
const NAME = /^index-[0-9a-f]+-[0-9a-f]+\.sqlite$/;

/** Whether a file of the shared folder is such an index. */
export const isKeptIndex = (name: string): boolean => NAME.test(name);

/** Whether another name of a file is in use, so that this one takes no room. */
export const hasOtherName = (path: string): boolean => (statOf(path)?.nlink ?? 0n) > 1n;

/**
 * Keeps the index at `curated` in `folder` as it is now, and forgets those that are too many or too old. Does nothing where a file cannot
 * have two names.
 */
export function keepIndex(curated: string, folder: string, nowMs: number): void {
  try {
    const own = statOf(curated);
    if (own === null) return;
    const name = `index-${own.dev.toString(16)}-${own.ino.toString(16)}.sqlite`;
    for (const other of namesIn(folder)) {
      const stat = statOf(join(folder, other));
      // The folder may be a copy.
      if ((other === name) !== (stat !== null && isSame(stat, own))) removePart(join(folder, other));
    }
    const kept = join(folder, name);
    if (statOf(kept) === null) linkSync(curated, kept);
    rmSync(kept + CHECKSUM_SUFFIX, { force: true });
    if (hasChecksum(curated)) copyFileSync(curated + CHECKSUM_SUFFIX, kept + CHECKSUM_SUFFIX);
    for (const path of [...keptIndexes(folder)].filter((path, at) => at >= KEPT_MAX || isOld(path, nowMs)))
      removePart(path);
  } catch (error) {
    // Another file system, or one without links. Every other work tree then begins with one that is there.
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** The indexes of work trees that are gone, the newest first. */
export function keptIndexes(folder: string): readonly string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const stat = statOf(path);
      return stat?.nlink === 1n ? [{ path, at: stat.mtimeMs }] : [];
    })
    .sort((a, b) => Number(b.at - a.at))
    .map(({ path }) => path);
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev;

const isOld = (path: string, nowMs: number): boolean => Number(statOf(path)?.mtimeMs ?? 0n) < nowMs - KEPT_MS;

/** Of a regular file; null for anything else. */
function statOf(path: string): BigIntStats | null {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() === true ? stat : null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isKeptIndex).sort();
  } catch {
    return []; // There is none.
  }
}
