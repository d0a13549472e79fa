/** The worker that walks a work tree. */
import { gitStateInFiles } from "../git/git-state.ts";
import { walkTree } from "./tree.ts";
import { packTree, type WalkMessage, type WalkRequest } from "./walk-thread.ts";

declare const self: Worker;

self.addEventListener("message", async ({ data: { root, ...options } }: MessageEvent<WalkRequest>) => {
  const walkedAt = Date.now();
  let isKnown = true;
  const readTracked = async (): Promise<readonly string[] | null> => {
    const tracked = gitStateInFiles(root)?.tracked() ?? null;
    isKnown &&= tracked !== null;
    return tracked;
  };
  const onProgress = (files: number): void => self.postMessage({ kind: "progress", files } satisfies WalkMessage);
  const tree = await walkTree(root, { ...options, readTracked, onProgress });
  const packed = isKnown ? packTree({ ...tree, walkedAt }) : null;
  self.postMessage(
    { kind: "walked", packed } satisfies WalkMessage,
    packed === null ? [] : [packed.packedFiles.stats.buffer],
  );
});
