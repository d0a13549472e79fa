/**
 * Runs `apply.ts` in a worker, so that the main thread keeps hearing signals and drawing.
 *
 * Not here: what is written (`apply.ts`).
 */
import { Failed, type Failure } from "../failure.ts";
import type { ApplyOutcome, ApplyRequest } from "./apply.ts";
import type { IndexProgress, ReportProgress } from "./progress.ts";

export type ApplyPaths = {
  readonly curatedPath: string;
  readonly cachePath: string;
  readonly extractorVersion: string;
};
export type ApplyJob = ApplyPaths & { readonly request: ApplyRequest };
export type ApplyReply =
  | { readonly kind: "progress"; readonly progress: IndexProgress }
  | { readonly kind: "outcome"; readonly outcome: ApplyOutcome }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "error"; readonly message: string };

/** Aborting ends the worker, which leaves the index as it was, and throws the signal's reason. */
export async function applyInWorker(
  paths: ApplyPaths,
  request: ApplyRequest,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<ApplyOutcome> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./apply-worker.ts", import.meta.url).href);
  const stop = (): void => worker.terminate();
  signal.addEventListener("abort", stop);
  let answer: Exclude<ApplyReply, { kind: "progress" }> | null = null;
  let death = "the worker ended without an answer";
  worker.addEventListener("message", (event: MessageEvent<ApplyReply>) => {
    if (event.data.kind === "progress") return report(event.data.progress);
    answer = event.data;
    worker.terminate();
  });
  worker.addEventListener("error", (event: ErrorEvent) => {
    death = event.message;
  });
  const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()));
  worker.postMessage({ ...paths, request } satisfies ApplyJob);
  await closed;
  signal.removeEventListener("abort", stop);
  return outcomeOf(answer, death, signal);
}

function outcomeOf(
  answer: Exclude<ApplyReply, { kind: "progress" }> | null,
  death: string,
  signal: AbortSignal,
): ApplyOutcome {
  if (answer?.kind === "outcome") return answer.outcome;
  signal.throwIfAborted();
  if (answer?.kind === "failed") throw new Failed(answer.failure);
  throw new Error(answer === null ? death : answer.message);
}
