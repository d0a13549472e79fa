/**
 * The worker that writes a generation: opens the databases, writes, stores the index's checksum, answers.
 *
 * The main thread cancels by ending the worker; SQLite then rolls back.
 */

import { openIndexWriting } from "../../db/curated/index-writing.ts";
import { Failed } from "../../failure.ts";
import { readFile } from "../../source/files/read-file.ts";
import type { ReportProgress } from "../model/index-run.ts";
import { textReader } from "./scan-and-parse.ts";
import { type Generation, type GenerationEnd, type GenerationOutcome, openGeneration } from "./write-generation.ts";
import { charsOf, type OpenWriter, type WriterMessage, type WriterReply } from "./writer-client.ts";

declare const self: Worker;

const reply = (message: WriterReply): void => self.postMessage(message);

/** Closing it without finishing undoes everything. */
type Work = {
  readonly generation: Generation;
  close(): void;
  /** Stores the checksum of the closed index. */
  seal(): void;
};
let work: Work | null = null;
/** After a failure all messages are ignored. */
let isOver = false;

self.addEventListener("message", ({ data }: MessageEvent<WriterMessage>) => {
  if (isOver) return;
  try {
    if (data.kind === "open") work = open(data);
    else if (data.kind === "put") {
      work?.generation.put(data.files);
      reply({ kind: "written", chars: charsOf(data.files) });
    } else if (data.kind === "due") work?.generation.due(data.files, data.total);
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

function open({ root, files }: OpenWriter): Work {
  const { writer, cache, close, seal } = openIndexWriting(files);
  try {
    const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
    return { generation: openGeneration(writer, cache, readText, reporter()), close, seal };
  } catch (error) {
    close();
    throw error;
  }
}

/** Below this memory use, only the engine collects garbage. */
const BYTES_FREE_TO_TAKE = 250e6;
/** Above it, garbage is collected when memory has grown by this much. */
const BYTES_GROWN = 80e6;
const REPORTS_PER_LOOK = 5;

/** Collects garbage on progress reports, because the engine alone would let memory grow to a multiple. */
function reporter(): ReportProgress {
  let reports = 0;
  let bytesBefore = 0;
  return (progress) => {
    // A new step begins: the one before has left long-lived garbage.
    reports = progress.done === 0 ? 0 : reports + 1;
    if (reports % REPORTS_PER_LOOK === 0) {
      const bytes = process.memoryUsage.rss();
      if (bytes > BYTES_FREE_TO_TAKE && (reports === 0 || bytes > bytesBefore + BYTES_GROWN)) {
        Bun.gc(true);
        bytesBefore = process.memoryUsage.rss();
      }
    }
    reply({ kind: "progress", progress });
  };
}

function finish({ generation, close, seal }: Work, request: GenerationEnd): GenerationOutcome {
  const outcome = generation.finish(request);
  close();
  if (outcome.kind === "applied") seal();
  return outcome;
}
