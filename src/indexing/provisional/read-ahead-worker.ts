/** The worker that reads files, a batch at a time, and keeps nothing of them. */
import { readingInTurn } from "../../source/files/read-file.ts";
import type { ReadAheadMessage } from "./read-ahead.ts";

declare const self: Worker;

const room = new Uint8Array(1024 * 1024);

self.addEventListener("message", ({ data: { root, bytesMax, paths } }: MessageEvent<ReadAheadMessage>) => {
  readingInTurn(root, room, (read) => {
    for (const path of paths) read(path, bytesMax);
  });
  self.postMessage(null);
});
