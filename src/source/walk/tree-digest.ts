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

/** `count` files: paths in UTF-8 with a NUL between them, and five numbers for each. */
export type PackedFiles = {
  readonly count: number;
  readonly paths: Uint8Array<ArrayBuffer>;
  readonly stats: Float64Array<ArrayBuffer>;
};

export function packFiles(files: readonly TreeFile[]): PackedFiles {
  // Hashing binary numbers is several times faster than formatting them.
  const stats = new Float64Array(NUMBERS * files.length);
  for (const [index, file] of files.entries()) {
    const at = NUMBERS * index;
    stats[at] = file.sizeBytes;
    stats[at + 1] = file.modifiedMs;
    stats[at + 2] = file.changedMs;
    stats[at + 3] = file.inode;
    stats[at + 4] = file.device;
  }
  return { count: files.length, paths: new TextEncoder().encode(files.map(({ path }) => path).join("\0")), stats };
}

/** Makes the files one by one, as often as they are asked for: an object for each takes several times the room. */
export const unpackFiles = ({ count, paths, stats }: PackedFiles): Iterable<TreeFile> => ({
  *[Symbol.iterator]() {
    let at = 0;
    for (const path of pathsIn(paths, count)) {
      yield {
        path,
        sizeBytes: stats[at] ?? 0,
        modifiedMs: stats[at + 1] ?? 0,
        changedMs: stats[at + 2] ?? 0,
        inode: stats[at + 3] ?? 0,
        device: stats[at + 4] ?? 0,
      };
      at += NUMBERS;
    }
  },
});

/** Decodes each path alone: a part of a long text keeps all of it in memory, and takes twice the room if one letter in it needs that. */
function* pathsIn(paths: Uint8Array<ArrayBuffer>, count: number): Generator<string> {
  const bytes = Buffer.from(paths.buffer, paths.byteOffset, paths.byteLength);
  for (let start = 0, index = 0; index < count; index += 1) {
    const next = bytes.indexOf(0, start);
    const end = next === -1 ? bytes.length : next;
    yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
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

export function listOf({ count, paths: bytes, stats }: PackedFiles): TreeList {
  const paths = [...pathsIn(bytes, count)];
  /** Where each path begins, and the next one would. */
  const starts = new Uint32Array(paths.length + 1);
  for (const [index, path] of paths.entries()) starts[index + 1] = (starts[index] ?? 0) + Buffer.byteLength(path) + 1;
  const part = (from: number, to: number): PackedFiles => ({
    count: to - from,
    paths: bytes.subarray(starts[from], Math.max(starts[from] ?? 0, (starts[to] ?? 0) - 1)),
    stats: stats.subarray(NUMBERS * from, NUMBERS * to),
  });
  return {
    paths,
    files: (from, to) => [...unpackFiles(part(from, to))],
    pathsHash: (from, to) => quickHash(part(from, to).paths).toString(36),
    hash(from, to) {
      const { stats: numbers, paths: names } = part(from, to);
      const inBytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      return quickHash(inBytes, quickHash(names)).toString(36);
    },
  };
}
