/**
 * The client of the worker thread, which does the work while this thread handles keys.
 *
 * Every job ends with an answer, a failure or an end; a stopped job ends within `STOP_MS`, whatever the thread is doing. A
 * thread that was stopped while indexing is replaced, because its leftover parser threads and memory would slow the next
 * index.
 */
import { Failed } from "../../failure.ts";
import type { Job, JobName, Jobs, WorkerReply, WorkerRequest, WorkerSetup } from "./protocol.ts";

/** With hearing the key and drawing, below the 200 ms in which everything can be stopped. */
const STOP_MS = 80;

export type WorkerClient = {
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
/** How long the next thread waits for one that was stopped, which gives back the right to index on its way. */
const RENEW_MS = 10_000;

type Waiting = { hear(event: MessageEvent): void; end(why: Error): void };

export function openWorkerClient(world: WorkerSetup): WorkerClient {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let death = "the working thread ended";
  /** The task of the newest round, which a new thread knows again. */
  let standing: string | null = null;
  let isWorn = false;
  /** What is to be told to the next thread; null while there is one. */
  let untold: (WorkerRequest | Job<JobName>)[] | null = null;
  let renewing: Promise<void> | null = null;
  let worker = begun();

  function begun(): Worker {
    const thread = new Worker(new URL("./tui-worker.ts", import.meta.url).href);
    thread.addEventListener("message", (event: MessageEvent<{ readonly id: number }>) =>
      waiting.get(event.data.id)?.hear(event),
    );
    thread.addEventListener("error", (event: ErrorEvent) => {
      event.preventDefault();
      death = event.message;
    });
    thread.addEventListener("close", () => {
      // Jobs that are asked for while one thread follows another wait for the next.
      if (thread !== worker || untold !== null) return;
      for (const { end } of waiting.values()) end(new Error(death));
      waiting.clear();
    });
    thread.postMessage({ kind: "open", world, standing } satisfies WorkerRequest);
    return thread;
  }
  function tell(message: WorkerRequest | Job<JobName>): void {
    if (untold === null) worker.postMessage(message);
    else untold.push(message);
  }
  async function renew(): Promise<void> {
    isWorn = false;
    const thread = worker;
    const held: (WorkerRequest | Job<JobName>)[] = [];
    untold = held;
    await closed(thread, RENEW_MS);
    if (untold !== held) return;
    worker = begun();
    [untold, renewing] = [null, null];
    for (const message of held) tell(message);
  }
  return {
    ask(job, ask, on, signal) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | null = null;
        let indexes = job === "index";
        const ended = (): void => {
          waiting.delete(id);
          if (timer !== null) clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          isWorn ||= indexes && signal?.aborted === true;
          // What others asked for is not taken from them.
          if (isWorn && waiting.size === 0 && untold === null) renewing = renew();
        };
        const end = (why: unknown): void => {
          ended();
          reject(why);
        };
        const stop = (): void => {
          tell({ kind: "cancel", id });
          timer = setTimeout(() => end(new Failed({ code: "cancelled", signal: "SIGINT" })), STOP_MS);
        };
        const hear = ({ data }: MessageEvent<WorkerReply<typeof job>>): void => {
          if (data.kind === "news") {
            indexes ||= "step" in data.news;
            on?.(data.news);
            return;
          }
          ended();
          if (data.kind === "answer") {
            standing = standsAt(data.answer) ?? standing;
            resolve(data.answer);
          } else reject(data.kind === "failed" ? new Failed(data.failure) : bug(data));
        };
        waiting.set(id, { hear, end });
        tell({ kind: "do", id, job, ask } satisfies Job<typeof job>);
        signal?.addEventListener("abort", stop);
        if (signal?.aborted) stop();
      });
    },
    async close() {
      waiting.clear();
      // From now on no thread follows another.
      untold = [];
      if (renewing === null) return await closed(worker, CLOSE_MS);
      worker.terminate();
      await renewing;
    },
  };
}

/** The task whose newest round an answer brought; null when it brought none. */
const standsAt = (answer: Jobs[JobName]["answer"]): string | null =>
  typeof answer === "object" && answer !== null && "taskId" in answer ? answer.taskId : null;

/** Asks a thread to close, and ends it when it has not after so many milliseconds. */
async function closed(thread: Worker, ms: number): Promise<void> {
  const isClosed = new Promise<void>((resolve) => thread.addEventListener("close", () => resolve()));
  thread.postMessage({ kind: "close" } satisfies WorkerRequest);
  const timer = setTimeout(() => thread.terminate(), ms);
  await isClosed;
  clearTimeout(timer);
}

/** A bug of the other thread with the place it was found at. */
function bug({ message, stack }: { readonly message: string; readonly stack: string }): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
