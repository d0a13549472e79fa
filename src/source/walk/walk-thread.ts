/**
 * Walks a work tree in a thread of its own, while its caller does something else.
 *
 * The thread reads what git tracks from git's files. Where only git itself can tell, it finds nothing.
 */
import type { Tree, TreeFile, WalkOptions } from "./tree.ts";

/** Where and how to walk, as plain data. */
export type WalkRequest = Pick<WalkOptions, "ignore" | "dataDir" | "variables"> & { readonly root: string };

export type WalkThread = {
  /** The tree, once; null where it has to be walked by the caller. Throws the signal's reason. */
  take(options: Pick<WalkOptions, "signal" | "onProgress">): Promise<Tree | null>;
  /** Ends the thread. Can be repeated. */
  close(): void;
};

/** A tree on its way between threads: paths with a NUL between them, and five numbers for each file. */
type PackedTree = Omit<Tree, "files"> & { readonly paths: string; readonly stats: ArrayBuffer };

export type WalkMessage =
  | { readonly kind: "progress"; readonly files: number }
  | { readonly kind: "walked"; readonly packed: PackedTree | null };

/** Begins to walk. */
export function startWalk(request: WalkRequest): WalkThread {
  const worker = new Worker(new URL("./walk-worker.ts", import.meta.url).href);
  let report: WalkOptions["onProgress"];
  const { promise: walked, resolve } = Promise.withResolvers<Tree | null>();
  const end = (found: Tree | null): void => {
    resolve(found);
    worker.terminate();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<WalkMessage>) => {
    if (data.kind === "progress") return report?.(data.files);
    end(data.packed === null ? null : unpackTree(data.packed));
  });
  worker.addEventListener("error", (event) => {
    // The caller meets the same problem when it walks.
    event.preventDefault();
    end(null);
  });
  worker.postMessage(request);
  const stop = (): void => end(null);
  let isTaken = false;
  return {
    async take({ signal, onProgress }) {
      if (isTaken) return null;
      isTaken = true;
      report = onProgress;
      signal?.addEventListener("abort", stop);
      const found = await walked;
      signal?.removeEventListener("abort", stop);
      signal?.throwIfAborted();
      return found;
    },
    close: stop,
  };
}

/** Sizes, times, inode and device of a file. */
const NUMBERS = 5;

export function packTree({ files, ...rest }: Tree): PackedTree {
  const stats = new Float64Array(NUMBERS * files.length);
  for (const [index, { sizeBytes, modifiedMs, changedMs, inode, device }] of files.entries())
    stats.set([sizeBytes, modifiedMs, changedMs, inode, device], NUMBERS * index);
  return { ...rest, paths: files.map(({ path }) => path).join("\0"), stats: stats.buffer };
}

function unpackTree({ paths, stats, ...rest }: PackedTree): Tree {
  const numbers = new Float64Array(stats);
  const names = paths === "" ? [] : paths.split("\0");
  const files = names.map((path, index): TreeFile => {
    const at = NUMBERS * index;
    return {
      path,
      sizeBytes: numbers[at] ?? 0,
      modifiedMs: numbers[at + 1] ?? 0,
      changedMs: numbers[at + 2] ?? 0,
      inode: numbers[at + 3] ?? 0,
      device: numbers[at + 4] ?? 0,
    };
  });
  return { ...rest, files };
}
