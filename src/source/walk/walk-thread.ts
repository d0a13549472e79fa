/**
 * Walks a work tree in a thread of its own, while its caller does something else.
 *
 * The thread reads what git tracks from git's files. Where only git itself can tell, it finds nothing.
 */

import type { Tree, WalkOptions } from "./tree.ts";
import { listOf, type TreeDigest, unpackFiles } from "./tree-digest.ts";

/** Where and how to walk, as plain data. */
export type WalkRequest = Pick<WalkOptions, "ignore" | "dataDir" | "variables"> & {
  readonly root: string;
  /** The `listings` of an earlier tree, null for none yet. Undefined if none are wanted. */
  readonly stored?: Uint8Array | null;
};

export type WalkThread = {
  /** The tree, once; null where it has to be walked by the caller. Throws the signal's reason. */
  take(options: Pick<WalkOptions, "signal" | "onProgress">): Promise<Tree | null>;
  /** Ends the thread. Can be repeated. */
  close(): void;
};

/** A tree on its way between threads. */
type PackedTree = Omit<Tree, "files" | "digest" | "list"> & { readonly made: TreeDigest };

export type WalkMessage =
  | { readonly kind: "progress"; readonly files: number }
  | { readonly kind: "walked"; readonly packed: PackedTree | null };

/** Begins to walk. `request` is asked while the thread starts. */
export function startWalk(request: () => WalkRequest): WalkThread {
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
  worker.postMessage(request());
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

export function packTree({ files: _, digest, list: __, ...plain }: Tree): PackedTree {
  return { ...plain, made: digest() };
}

/** Where the digest says that nothing has changed, nobody asks for the files. */
const unpackTree = ({ made, ...plain }: PackedTree): Tree => ({
  ...plain,
  files: unpackFiles(plain.packed),
  digest: () => made,
  list: () => listOf(plain.packed),
});
