/** The worker that reads and counts files, a batch at a time. */
import { readFile } from "../../source/files/read-file.ts";
import { holdsPackage } from "../../source/walk/saved-package.ts";
import { skipByText } from "../../source/walk/skip.ts";
import { countFile } from "./count-file.ts";
import type { CountReply, CountRequest } from "./count-pool.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<CountRequest>) => {
  const { root, bytesMax, paths } = data;
  const tree = { readFile: (path: string, max: number) => readFile(root, path, max), holdsPackage, skipByText };
  const found = paths.map((path) => countFile(tree, path, bytesMax));
  // Handed over, not copied.
  const blobs = found.flatMap((one) => {
    const buffer = one.kind === "counted" ? one.counts.stats.buffer : null;
    return buffer instanceof ArrayBuffer ? [buffer] : [];
  });
  self.postMessage(found satisfies CountReply, blobs);
});
