/** Packs the files of a tree for another thread, and makes a digest of their paths and stat keys. */
import { createHash } from "node:crypto";

/** A file's stat, which differs whenever its content may. Times are in milliseconds since 1970; programs cannot set `changedMs` (ctime). */
export type TreeFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
  readonly device: number;
};

/** Differs whenever a file was added, removed or may have changed. `newestMs` is the newest `changedMs` of a file. */
export type TreeDigest = { readonly hash: string; readonly files: number; readonly newestMs: number };

/** Sizes, times, inode and device of a file. */
const NUMBERS = 5;

/** Paths with a NUL between them, and five numbers for each file. */
export type PackedFiles = { readonly paths: string; readonly stats: Float64Array<ArrayBuffer> };

export function packFiles(files: readonly TreeFile[]): PackedFiles {
  // Hashing binary numbers is several times faster than formatting them.
  const stats = new Float64Array(NUMBERS * files.length);
  let paths = "";
  for (let index = 0; index < files.length; index += 1) {
    const file = files[index];
    if (file === undefined) continue;
    const at = NUMBERS * index;
    paths += index === 0 ? file.path : `\0${file.path}`;
    stats[at] = file.sizeBytes;
    stats[at + 1] = file.modifiedMs;
    stats[at + 2] = file.changedMs;
    stats[at + 3] = file.inode;
    stats[at + 4] = file.device;
  }
  return { paths, stats };
}

export function unpackFiles({ paths, stats }: PackedFiles): readonly TreeFile[] {
  const names = paths === "" ? [] : paths.split("\0");
  return names.map((path, index): TreeFile => {
    const at = NUMBERS * index;
    return {
      path,
      sizeBytes: stats[at] ?? 0,
      modifiedMs: stats[at + 1] ?? 0,
      changedMs: stats[at + 2] ?? 0,
      inode: stats[at + 3] ?? 0,
      device: stats[at + 4] ?? 0,
    };
  });
}

export function digestOf({ paths, stats }: PackedFiles): TreeDigest {
  const files = stats.length / NUMBERS;
  let newestMs = 0;
  for (let at = 2; at < stats.length; at += NUMBERS) newestMs = Math.max(newestMs, stats[at] ?? 0);
  const hash = createHash("sha256").update(stats).update(paths).digest("hex");
  return { hash, files, newestMs };
}

/** The files of a tree in path order, to look at some of them. Positions are from one on and before another. */
export type TreeList = {
  readonly paths: readonly string[];
  files(from: number, to: number): readonly TreeFile[];
  /** A hash of their paths, and one of these and their stats. */
  pathsHash(from: number, to: number): string;
  hash(from: number, to: number): string;
};

/** There are thousands of parts, and who writes files cannot choose what their stats will be. */
const quickHash = Bun.hash.xxHash64;

export function listOf(packed: PackedFiles): TreeList {
  const paths = packed.paths === "" ? [] : packed.paths.split("\0");
  const part = (from: number, to: number): PackedFiles => ({
    paths: paths.slice(from, to).join("\0"),
    stats: packed.stats.subarray(NUMBERS * from, NUMBERS * to),
  });
  return {
    paths,
    files: (from, to) => unpackFiles(part(from, to)),
    pathsHash: (from, to) => quickHash(part(from, to).paths).toString(36),
    hash(from, to) {
      const { stats, paths: names } = part(from, to);
      return quickHash(new Uint8Array(stats.buffer, stats.byteOffset, stats.byteLength), quickHash(names)).toString(36);
    },
  };
}
