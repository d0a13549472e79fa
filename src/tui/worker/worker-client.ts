/**
 * Runs jobs on the worker thread, so that this thread stays free for keys.
 *
 * A stopped job ends within `STOP_MS`, whatever the thread is doing. A thread that was stopped while indexing is replaced,
 * because its leftover parser threads and memory would slow the next index.
 */
import { Failed } from "../../failure.ts";
import type { Job, JobName, Jobs, WorkerReply, WorkerRequest, WorkerSetup } from "./protocol.ts";

/** Together with reading the key and drawing this stays below 200 ms, the limit for stopping anything. */
const STOP_MS = 80;
/** A busy thread does not read the request to close. */
const CLOSE_MS = 100;
/** How long a stopped thread may take to release the index lock before the next one starts. */
const REPLACE_MS = 10_000;

export type WorkerClient = {
  /** Rejects with a `Failed`, or with any other error for a bug. */
  run<Name extends JobName>(
    job: Name,
    input: Jobs[Name]["input"],
    onProgress?: (progress: Jobs[Name]["progress"]) => void,
    signal?: AbortSignal,
  ): Promise<Jobs[Name]["result"]>;
  /** Lets the thread close its files, then terminates it. Safe at any time, because writes are atomic. */
  close(): Promise<void>;
};

type Pending = { onReply(event: MessageEvent): void; reject(error: Error): void };

type Thread = {
  post(message: WorkerRequest | Job<JobName>): void;
  /** Starts a new thread when the old one has closed; messages posted meanwhile go to the new one. */
  replace(taskId: string | null): void;
  isReplacing(): boolean;
  close(): Promise<void>;
};

export function openWorkerClient(setup: WorkerSetup): WorkerClient {
  const pending = new Map<number, Pending>();
  const thread = openThread(setup, pending);
  let lastId = 0;
  /** The task of the newest round, which a new thread loads again. */
  let taskId: string | null = null;
  let needsNewThread = false;

  function onEnd(id: number, wasStoppedIndexing: boolean): void {
    pending.delete(id);
    needsNewThread ||= wasStoppedIndexing;
    // Other jobs finish on the old thread first.
    if (!needsNewThread || pending.size > 0 || thread.isReplacing()) return;
    needsNewThread = false;
    thread.replace(taskId);
  }
  return {
    run(job, input, onProgress, signal) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | null = null;
        let isIndexing = job === "index";
        const end = (): void => {
          if (timer !== null) clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          onEnd(id, isIndexing && signal?.aborted === true);
        };
        const rejectWith = (error: Error): void => {
          end();
          reject(error);
        };
        const stop = (): void => {
          thread.post({ kind: "cancel", id });
          timer = setTimeout(() => rejectWith(new Failed({ code: "cancelled", signal: "SIGINT" })), STOP_MS);
        };
        const onReply = ({ data }: MessageEvent<WorkerReply<typeof job>>): void => {
          if (data.kind === "progress") {
            isIndexing ||= "step" in data.progress;
            onProgress?.(data.progress);
            return;
          }
          end();
          if (data.kind === "result") {
            taskId = taskIdOf(data.result) ?? taskId;
            resolve(data.result);
          } else reject(data.kind === "failed" ? new Failed(data.failure) : bug(data));
        };
        pending.set(id, { onReply, reject: rejectWith });
        thread.post({ kind: "job", id, job, input } satisfies Job<typeof job>);
        signal?.addEventListener("abort", stop);
        if (signal?.aborted) stop();
      });
    },
    async close() {
      pending.clear();
      await thread.close();
    },
  };
}

function openThread(setup: WorkerSetup, pending: Map<number, Pending>): Thread {
  let closeReason = "the worker thread ended";
  /** Messages for the next thread; null while a thread runs. */
  let queue: (WorkerRequest | Job<JobName>)[] | null = null;
  let replacing: Promise<void> | null = null;
  let worker = begin(null);

  function begin(taskId: string | null): Worker {
    const begun = new Worker(new URL("./tui-worker.ts", import.meta.url).href);
    begun.addEventListener("message", (event: MessageEvent<{ readonly id: number }>) =>
      pending.get(event.data.id)?.onReply(event),
    );
    begun.addEventListener("error", (event: ErrorEvent) => {
      event.preventDefault();
      closeReason = event.message;
    });
    begun.addEventListener("close", () => {
      // Jobs that are queued during a replacement wait for the next thread.
      if (begun !== worker || queue !== null) return;
      for (const { reject } of pending.values()) reject(new Error(closeReason));
      pending.clear();
    });
    begun.postMessage({ kind: "open", setup, taskId } satisfies WorkerRequest);
    return begun;
  }
  function post(message: WorkerRequest | Job<JobName>): void {
    if (queue === null) worker.postMessage(message);
    else queue.push(message);
  }
  async function replace(taskId: string | null): Promise<void> {
    const held: (WorkerRequest | Job<JobName>)[] = [];
    queue = held;
    await closeWorker(worker, REPLACE_MS);
    if (queue !== held) return;
    worker = begin(taskId);
    [queue, replacing] = [null, null];
    for (const message of held) post(message);
  }
  return {
    post,
    replace(taskId) {
      replacing = replace(taskId);
    },
    isReplacing: () => queue !== null,
    async close() {
      // `replace` starts no new thread once the queue is another one.
      queue = [];
      if (replacing === null) return await closeWorker(worker, CLOSE_MS);
      worker.terminate();
      await replacing;
    },
  };
}

const taskIdOf = (result: Jobs[JobName]["result"]): string | null =>
  typeof result === "object" && result !== null && "taskId" in result ? result.taskId : null;

/** Asks a thread to close, and terminates it after `ms` milliseconds. */
async function closeWorker(thread: Worker, ms: number): Promise<void> {
  const isClosed = new Promise<void>((resolve) => thread.addEventListener("close", () => resolve()));
  thread.postMessage({ kind: "close" } satisfies WorkerRequest);
  const timer = setTimeout(() => thread.terminate(), ms);
  await isClosed;
  clearTimeout(timer);
}

/** An error of the worker thread, with the stack from there. */
function bug({ message, stack }: { readonly message: string; readonly stack: string }): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
