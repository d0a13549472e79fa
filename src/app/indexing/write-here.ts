/** Writes a small generation on the calling thread (`small-run.ts`). */
import { type IndexFiles, openIndexWriting } from "../../db/curated/index-writing.ts";
import type { ReportProgress } from "../../indexing/model/index-run.ts";
import {
  type GenerationOutcome,
  type GenerationRequest,
  openGeneration,
} from "../../indexing/update/write-generation.ts";

/** An abort counts until writing begins. A failure leaves the old generation. */
export function writeHere(
  files: IndexFiles,
  request: GenerationRequest,
  report: ReportProgress,
  signal: AbortSignal,
): GenerationOutcome {
  signal.throwIfAborted();
  const { writer, cache, close, seal } = openIndexWriting(files);
  let outcome: GenerationOutcome;
  try {
    outcome = openGeneration(writer, cache, report).finish(request);
  } finally {
    close();
  }
  if (outcome.kind === "applied") seal();
  return outcome;
}
