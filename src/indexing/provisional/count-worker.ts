/** The worker that reads and counts files, a batch at a time. */
import { readFile } from "../../source/files/read-file.ts";
import { holdsPackage } from "../../source/walk/saved-package.ts";
import { skipByAscii, skipByText } from "../../source/walk/skip.ts";
import { countFile } from "./count-file.ts";
import type { CountReply, CountRequest } from "./count-pool.ts";

declare const self: Worker;

/** Files are read into it; larger ones into new memory. */
const room = new Uint8Array(256 * 1024);

self.addEventListener("message", ({ data }: MessageEvent<CountRequest>) => {
  const { root, bytesMax, paths } = data;
  const read = (path: string, max: number) => readFile(root, path, max, room);
  const tree = { readFile: read, holdsPackage, skipByText, skipByAscii };
  const found = paths.map((path) => countFile(tree, path, bytesMax));
  // Handed over, not copied.
  const blobs = found.flatMap((one) => {
    const buffer = one.kind === "counted" ? one.counts.stats.buffer : null;
    return buffer instanceof ArrayBuffer ? [buffer] : [];
  });
  self.postMessage(found satisfies CountReply, blobs);
});
