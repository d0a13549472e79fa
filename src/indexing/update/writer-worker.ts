/**
 * The worker that writes a generation: opens the databases, writes what comes in, seals the index, answers.
 *
 * A worker entry is a composition root like `app.ts`, so it may open what `write-generation.ts` is only handed. It is
 * ended from outside to cancel; SQLite then rolls back.
 */
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { openCuratedWriter } from "../../db/curated/write.ts";
import { openParseCache } from "../../db/parse-cache/parse-cache.ts";
import { dropChecksum, writeChecksum } from "../../db/sqlite/checksum.ts";
import { Failed } from "../../failure.ts";
import type { ReportProgress } from "./progress.ts";
import { type ApplyOutcome, type ApplyRequest, type Generation, openGeneration } from "./write-generation.ts";
import type { ApplyMessage, ApplyPaths, ApplyReply } from "./writer-client.ts";

declare const self: Worker;

const reply = (message: ApplyReply): void => self.postMessage(message);

/** What is open; closing without having finished undoes everything. */
type Work = {
  readonly generation: Generation;
  readonly curatedPath: string;
  close(): void;
};
let work: Work | null = null;
/** After a failure nothing more is heard. */
let isOver = false;

self.addEventListener("message", ({ data }: MessageEvent<ApplyMessage>) => {
  if (isOver) return;
  try {
    if (data.kind === "open") work = open(data);
    else if (data.kind === "put") work?.generation.put(data.files);
    else if (work !== null) {
      const outcome = finish(work, data.request);
      work = null;
      reply({ kind: "outcome", outcome });
    }
  } catch (error) {
    isOver = true;
    work?.close();
    if (error instanceof Failed) reply({ kind: "failed", failure: error.failure });
    else reply({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function open({ curatedPath, cachePath, extractorVersion }: ApplyPaths): Work {
  const writer = openCuratedWriter(curatedPath);
  try {
    const cache = openParseCache(cachePath, extractorVersion);
    try {
      dropChecksum(curatedPath);
      const generation = openGeneration(writer, cache, reporter());
      const close = (): void => {
        cache.close();
        writer.close();
      };
      return { generation, curatedPath, close };
    } catch (error) {
      cache.close();
      throw error;
    }
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** While the process takes less than this, nothing is collected but by the engine itself. */
const BYTES_FREE_TO_TAKE = 250e6;
/** How many reports lie between collections that go on beside the work, and between those that it waits for. */
const REPORTS_PER_HINT = 20;
const REPORTS_PER_FULL = 160;

/** Collects what the work has left at reports: the engine by itself would let its memory grow to a multiple. */
function reporter(): ReportProgress {
  let reports = 0;
  return (progress) => {
    // Where a step begins, the one before has left what had lived long.
    reports = progress.done === 0 ? 0 : reports + 1;
    if (reports % REPORTS_PER_HINT === 0 && process.memoryUsage.rss() > BYTES_FREE_TO_TAKE)
      Bun.gc(reports % REPORTS_PER_FULL === 0);
    reply({ kind: "progress", progress });
  };
}

function finish({ generation, curatedPath, close }: Work, request: ApplyRequest): ApplyOutcome {
  const outcome = generation.finish(request);
  close();
  if (outcome.kind === "applied") writeChecksum(curatedPath, CURATED_SCHEMA);
  return outcome;
}
