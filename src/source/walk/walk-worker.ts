/** The worker that walks a work tree. */
import { gitStateInFiles } from "../git/git-state.ts";
import { listings, tellsChanges } from "./listings.ts";
import { walkTree } from "./tree.ts";
import { packTree, type WalkMessage, type WalkRequest } from "./walk-thread.ts";

declare const self: Worker;

self.addEventListener("message", async ({ data: { root, stored, ...options } }: MessageEvent<WalkRequest>) => {
  const walkedAt = Date.now();
  let isKnown = true;
  const readTracked = async (): Promise<readonly string[] | null> => {
    const tracked = gitStateInFiles(root)?.tracked() ?? null;
    isKnown &&= tracked !== null;
    return tracked;
  };
  const onProgress = (files: number): void => self.postMessage({ kind: "progress", files } satisfies WalkMessage);
  const known = stored === undefined || !tellsChanges(root) ? undefined : listings(stored);
  const tree = await walkTree(root, { ...options, readTracked, onProgress, listings: known });
  const found = known?.packed(walkedAt) ?? null;
  const packed = isKnown ? packTree({ ...tree, walkedAt, ...(found === null ? {} : { listings: found }) }) : null;
  self.postMessage(
    { kind: "walked", packed } satisfies WalkMessage,
    packed === null ? [] : [packed.packed.paths.buffer, packed.packed.stats.buffer],
  );
});
