/**
 * The thread that works while this one hears keys.
 *
 * Retrieval is work for a processor in steps, some of which take longer than a key press may; so it happens elsewhere.
 * Invariants: an answer, a failure or an end comes for every job; a job that is told to stop has ended here within
 * `STOP_MS`, whatever the thread is at. Not here: the work (`backstage-work.ts`).
 */
import { Failed } from "../failure.ts";
import type { BackstageMessage, BackstageReply, BackstageWorld, Job, JobName, Jobs } from "./backstage-jobs.ts";

/** With hearing the key and drawing, below the 200 ms in which everything can be stopped. */
const STOP_MS = 80;

export type Backstage = {
  /** Has a job done. Throws what stopped it: a `Failed`, or a bug. */
  ask<Name extends JobName>(
    job: Name,
    ask: Jobs[Name]["ask"],
    on?: (news: Jobs[Name]["news"]) => void,
    signal?: AbortSignal,
  ): Promise<Jobs[Name]["answer"]>;
  /** Lets the thread close what it has open, and ends it, whatever it is at: a write is whole or not at all. */
  close(): Promise<void>;
};

/** A thread that works cannot hear that it is to close. */
const CLOSE_MS = 100;

export function openBackstage(world: BackstageWorld): Backstage {
  const worker = new Worker(new URL("./backstage-worker.ts", import.meta.url).href);
  const waiting = new Map<number, { hear(event: MessageEvent): void; end(why: Error): void }>();
  let last = 0;
  let death = "the working thread ended";
  const tell = (message: BackstageMessage): void => worker.postMessage(message);
  worker.addEventListener("message", (event: MessageEvent<{ readonly id: number }>) =>
    waiting.get(event.data.id)?.hear(event),
  );
  worker.addEventListener("error", (event: ErrorEvent) => {
    event.preventDefault();
    death = event.message;
  });
  worker.addEventListener("close", () => {
    for (const { end } of waiting.values()) end(new Error(death));
    waiting.clear();
  });
  tell({ kind: "open", world });
  return {
    ask(job, ask, on, signal) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | null = null;
        const ended = (): void => {
          waiting.delete(id);
          if (timer !== null) clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
        };
        const end = (why: unknown): void => {
          ended();
          reject(why);
        };
        const stop = (): void => {
          tell({ kind: "cancel", id });
          timer = setTimeout(() => end(new Failed({ code: "cancelled", signal: "SIGINT" })), STOP_MS);
        };
        const hear = ({ data }: MessageEvent<BackstageReply<typeof job>>): void => {
          if (data.kind === "news") {
            on?.(data.news);
            return;
          }
          ended();
          if (data.kind === "answer") resolve(data.answer);
          else reject(data.kind === "failed" ? new Failed(data.failure) : bug(data));
        };
        waiting.set(id, { hear, end });
        worker.postMessage({ kind: "do", id, job, ask } satisfies Job<typeof job>);
        signal?.addEventListener("abort", stop);
        if (signal?.aborted) stop();
      });
    },
    async close() {
      waiting.clear();
      const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()));
      tell({ kind: "close" });
      const timer = setTimeout(() => worker.terminate(), CLOSE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** A bug of the other thread with the place it was found at. */
function bug({ message, stack }: { readonly message: string; readonly stack: string }): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
