/** Writes a small generation on the calling thread (`small-run.ts`). */
import { openIndexWriting } from "../../db/curated/write/index-writing.ts";
import type { ReportProgress } from "../../indexing/model/index-run.ts";
import { textReader } from "../../indexing/update/scan/file-content.ts";
import type { IndexedTree } from "../../indexing/update/writer/link-client.ts";
import {
  type GenerationOutcome,
  type GenerationRequest,
  openGeneration,
} from "../../indexing/update/writer/write-generation.ts";
import { readFile } from "../../source/files/read-file.ts";

/** An abort counts until writing begins. A failure leaves the old generation. */
export function writeHere(
  { root, files }: IndexedTree,
  request: GenerationRequest,
  report: ReportProgress,
  signal: AbortSignal,
): GenerationOutcome {
  signal.throwIfAborted();
  const { writer, cache, close, seal } = openIndexWriting(files);
  const readText = textReader((path, bytesMax) => readFile(root, path, bytesMax));
  let outcome: GenerationOutcome;
  try {
    const generation = openGeneration(writer, cache, readText, report);
    generation.due(request.due.slice(), request.due.length);
    outcome = generation.finish(request, () => request.history);
  } finally {
    close();
  }
  if (outcome.kind === "applied") seal();
  return outcome;
}
