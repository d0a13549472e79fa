/**
 * Runs `write-generation.ts` in a worker, so that the main thread keeps hearing signals and drawing, and rows are written while
 * other files are still being parsed.
 *
 * Not here: what is written (`write-generation.ts`).
 */
import { Failed, type Failure } from "../../failure.ts";
import type { DueFile } from "./compare.ts";
import type { IndexProgress, ReportProgress } from "./progress.ts";
import type { ApplyOutcome, ApplyRequest } from "./write-generation.ts";

export type ApplyPaths = {
  readonly curatedPath: string;
  readonly cachePath: string;
  readonly extractorVersion: string;
};
/** `open` comes first and once, `finish` last. */
export type ApplyMessage =
  | ({ readonly kind: "open" } & ApplyPaths)
  | { readonly kind: "put"; readonly files: readonly DueFile[] }
  | { readonly kind: "finish"; readonly request: ApplyRequest };
export type ApplyReply =
  | { readonly kind: "progress"; readonly progress: IndexProgress }
  | { readonly kind: "outcome"; readonly outcome: ApplyOutcome }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "error"; readonly message: string };

/** A generation that is being written. */
export type ApplySession = {
  /** Has files written whose facts are in the cache. Never fails: `finish` does. */
  put(files: readonly DueFile[]): void;
  /** Writes the rest. Throws what stopped the worker, or the signal's reason. The session is over then. */
  finish(request: ApplyRequest): Promise<ApplyOutcome>;
  /** Ends the worker, which leaves the index as it was. Doing it after `finish` is harmless. */
  abandon(): Promise<void>;
};

/** Aborting ends the worker too. */
export function applyInWorker(paths: ApplyPaths, report: ReportProgress, signal: AbortSignal): ApplySession {
  signal.throwIfAborted();
  // The facts of a whole repository pass through it, so memory counts more than time.
  const worker = new Worker(new URL("./writer-worker.ts", import.meta.url).href, { smol: true });
  const stop = (): void => worker.terminate();
  signal.addEventListener("abort", stop);
  let answer: Exclude<ApplyReply, { kind: "progress" }> | null = null;
  let death = "the worker ended without an answer";
  let isResolving = false;
  worker.addEventListener("message", (event: MessageEvent<ApplyReply>) => {
    if (event.data.kind === "progress") {
      const { progress } = event.data;
      report(progress);
      // From now on the worker takes the most memory, and what reading and parsing left here is of no use.
      if (!isResolving && progress.phase === "resolve") Bun.gc(true);
      isResolving ||= progress.phase === "resolve";
      return;
    }
    answer = event.data;
    worker.terminate();
  });
  worker.addEventListener("error", (event: ErrorEvent) => {
    death = event.message;
  });
  const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve())).then(() =>
    signal.removeEventListener("abort", stop),
  );
  const tell = (message: ApplyMessage): void => worker.postMessage(message);
  tell({ kind: "open", ...paths });
  return {
    put: (files) => tell({ kind: "put", files }),
    async finish(request) {
      tell({ kind: "finish", request });
      await closed;
      return outcomeOf(answer, death, signal);
    },
    async abandon() {
      worker.terminate();
      await closed;
    },
  };
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
