/** The worker that reads and counts files, a batch at a time, until it becomes one that parses. */
import { readFile } from "../../source/files/read-file.ts";
import { holdsPackage } from "../../source/walk/saved-package.ts";
import { skipByAscii, skipByText } from "../../source/walk/skip.ts";
import { countBatch } from "./count-batch.ts";
import type { CountMessage } from "./count-pool.ts";
import { termStatsCache } from "./term-stats-cache.ts";

declare const self: Worker;

/** Files are read into it; larger ones into new memory. */
const room = new Uint8Array(256 * 1024);

let known = termStatsCache();

/** After so much text there is garbage, whose memory parsing needs. */
const BYTES_TO_COLLECT = 64 * 1024 * 1024;
let bytesCounted = 0;

function answer({ data }: MessageEvent<CountMessage>): void {
  if (data.kind === "parse") {
    self.removeEventListener("message", answer);
    known = termStatsCache();
    if (bytesCounted > BYTES_TO_COLLECT) Bun.gc(true);
    // It answers from then on.
    void import("../../syntax/parse/parse-worker.ts");
    return;
  }
  const { root, bytesMax, paths } = data;
  const read = (path: string, max: number) => readFile(root, path, max, room);
  const tree = { readFile: read, holdsPackage, skipByText, skipByAscii };
  const batch = countBatch(tree, paths, bytesMax, known);
  for (const size of batch.sizes) bytesCounted += size;
  // Handed over, not copied.
  const { buffer } = batch.block;
  self.postMessage(batch, buffer instanceof ArrayBuffer ? [buffer] : []);
}

self.addEventListener("message", answer);
