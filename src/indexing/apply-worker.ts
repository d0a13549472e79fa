/**
 * The worker that writes a generation: opens the databases, applies, answers.
 *
 * A worker entry is a composition root like `app.ts`, so it may open what `apply.ts` is only handed. It is
 * ended from outside to cancel; SQLite then rolls back.
 */
import { openCuratedWriter } from "../db/curated-write.ts";
import { openParseCache } from "../db/parse-cache.ts";
import { Failed } from "../failure.ts";
import { applyGeneration } from "./apply.ts";
import type { ApplyJob, ApplyReply } from "./apply-in-worker.ts";

declare const self: Worker;

const reply = (message: ApplyReply): void => self.postMessage(message);

self.addEventListener("message", (event: MessageEvent<ApplyJob>) => {
  try {
    reply({ kind: "outcome", outcome: applied(event.data) });
  } catch (error) {
    if (error instanceof Failed) reply({ kind: "failed", failure: error.failure });
    else reply({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function applied({ curatedPath, cachePath, extractorVersion, request }: ApplyJob) {
  const writer = openCuratedWriter(curatedPath);
  try {
    const cache = openParseCache(cachePath, extractorVersion);
    try {
      return applyGeneration(writer, cache, request, (progress) => reply({ kind: "progress", progress }));
    } finally {
      cache.close();
    }
  } finally {
    writer.close();
  }
}
