/** The worker that reads and counts files, a batch at a time, until it becomes one that parses. */
import { readingInTurn } from "../../source/files/read-file.ts";
import { holdsPackage } from "../../source/walk/saved-package.ts";
import { skipByAscii, skipByText } from "../../source/walk/skip.ts";
import { countBatch } from "./count-batch.ts";
import type { CountAnswer, CountMessage } from "./count-pool.ts";
import { termStatsCache } from "./term-stats-cache.ts";

declare const self: Worker;

/** Files are read into it; larger ones into new memory. */
const room = new Uint8Array(256 * 1024);

let known = termStatsCache();

/** After this much text there is garbage whose memory parsing needs. */
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
  let readMs = 0;
  const batch = readingInTurn(root, room, (read) => {
    const readFile: typeof read = (path, max) => {
      const begun = performance.now();
      const found = read(path, max);
      readMs += performance.now() - begun;
      return found;
    };
    return countBatch({ readFile, holdsPackage, skipByText, skipByAscii }, paths, bytesMax, known);
  });
  for (const size of batch.sizes) bytesCounted += size;
  // Handed over, not copied.
  const { buffer } = batch.block;
  self.postMessage({ batch, readMs } satisfies CountAnswer, buffer instanceof ArrayBuffer ? [buffer] : []);
}

self.addEventListener("message", answer);
