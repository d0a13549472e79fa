/**
 * The worker that writes a generation: opens the databases, writes, stores the index's checksum, answers.
 *
 * The main thread cancels by ending the worker; SQLite then rolls back.
 */

import { openIndexWriting } from "../../../db/curated/write/index-writing.ts";
import { Failed } from "../../../failure.ts";
import { readFile } from "../../../source/files/read-file.ts";
import type { LinkInbox } from "../../links/links-elsewhere.ts";
import type { ReportProgress } from "../../model/index-run.ts";
import { textReader } from "../scan/file-content.ts";
import { garbageCollector } from "./collect-garbage.ts";
import type { GenerationHistory } from "./generation-history.ts";
import { type Generation, type GenerationEnd, type GenerationOutcome, openGeneration } from "./write-generation.ts";
import { charsOf, type OpenMessage, type WriterMessage, type WriterReply } from "./writer-client.ts";

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
/** Until the generation is finished. */
let history: GenerationHistory | null = null;
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
    else if (data.kind === "history") ({ history } = data);
    else if (work !== null) {
      const outcome = finish(work, data.request, data.links);
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

function open({ root, files, sparesMemory }: OpenMessage): Work {
  const { writer, cache, close, seal } = openIndexWriting(files);
  try {
    const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
    return { generation: openGeneration(writer, cache, readText, reporter(sparesMemory)), close, seal };
  } catch (error) {
    close();
    throw error;
  }
}

const REPORTS_PER_LOOK = 5;

/** Collects garbage on progress reports, if memory is spared. */
function reporter(sparesMemory: boolean): ReportProgress {
  const collect = garbageCollector(process.memoryUsage.rss);
  let reports = 0;
  return (progress) => {
    reports = progress.done === 0 ? 0 : reports + 1;
    if (sparesMemory && reports % REPORTS_PER_LOOK === 0) collect(reports === 0);
    reply({ kind: "progress", progress });
  };
}

function finish({ generation, close, seal }: Work, request: GenerationEnd, links: LinkInbox | null): GenerationOutcome {
  const takeHistory = (): GenerationHistory | null => {
    const taken = history;
    history = null;
    return taken;
  };
  const outcome = generation.finish(request, takeHistory, links);
  close();
  if (outcome.kind === "applied") seal();
  return outcome;
}
