/** Counts files on several threads. */
import type { CountedBatch } from "./count-batch.ts";
import { openReadAhead } from "./read-ahead.ts";

/** `root` is the repository's real path; larger files than `bytesMax` are problems. */
type CountPoolOptions = { readonly root: string; readonly bytesMax: number; readonly workersMax: number };

/** Files to count; or the thread shall become one of those that parse. */
export type CountMessage =
  | (Pick<CountPoolOptions, "root" | "bytesMax"> & { readonly kind: "count"; readonly paths: readonly string[] })
  | { readonly kind: "parse" };
/** `readMs`: how long reading took, by the clock. */
export type CountAnswer = { readonly batch: CountedBatch; readonly readMs: number };

export type CountPool = {
  /** Starts all threads, before there is anything to count. */
  warm(): void;
  /** Counts a batch of files. Rejects when the pool is closed. */
  count(paths: readonly string[]): Promise<CountedBatch>;
  /** Turns a thread that has nothing to count into one that parses, which costs less than ending it and starting another; null if there is none. */
  takeParser(): Worker | null;
  /** Ends all threads; waiting batches reject with the reason. Can be repeated. */
  close(reason: unknown): void;
};

/** A thread has the next batch before it has answered: the thread that gives them out may be busy. */
const GIVEN_MAX = 2;

type Batch = {
  readonly paths: readonly string[];
  resolve(found: CountedBatch): void;
  reject(reason: unknown): void;
};

/** Opens a pool, whose threads start on demand. */
export function openCountPool({ root, bytesMax, workersMax }: CountPoolOptions): CountPool {
  const waiting: Batch[] = [];
  const running = new Map<Worker, Batch[]>();
  const ahead = openReadAhead({ root, bytesMax }, waiting);
  let closed: { readonly reason: unknown } | null = null;

  const close = (reason: unknown): void => {
    closed ??= { reason };
    const left = [...waiting.splice(0), ...[...running.values()].flat()];
    for (const worker of running.keys()) worker.terminate();
    running.clear();
    ahead.close();
    for (const batch of left) batch.reject(reason);
  };
  const give = (worker: Worker, given: Batch[]): void => {
    while (given.length < GIVEN_MAX) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      given.push(batch);
      worker.postMessage({ kind: "count", root, bytesMax, paths: batch.paths } satisfies CountMessage);
    }
  };
  const start = (): void => {
    const worker = new Worker(new URL("./count-worker.ts", import.meta.url).href);
    const given: Batch[] = [];
    running.set(worker, given);
    worker.addEventListener("message", ({ data: { batch: found, readMs } }: MessageEvent<CountAnswer>) => {
      const batch = given.shift();
      if (batch === undefined) return;
      give(worker, given);
      ahead.hear(batch.paths.length, readMs);
      batch.resolve(found);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (running.has(worker)) close(new Error(`the counting thread failed: ${event.message}`));
    });
    give(worker, given);
  };
  return {
    warm() {
      while (closed === null && running.size < workersMax) start();
    },
    count: (paths) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed.reason);
        waiting.push({ paths, resolve, reject });
        const idle = [...running].find(([, given]) => given.length === 0);
        if (idle !== undefined) give(...idle);
        else if (running.size < workersMax) start();
        else for (const [worker, given] of running) give(worker, given);
        ahead.more();
      }),
    takeParser() {
      const [worker] = [...running].find(([, given]) => given.length === 0) ?? [null];
      if (worker === null) return null;
      ahead.close();
      running.delete(worker);
      worker.postMessage({ kind: "parse" } satisfies CountMessage);
      return worker;
    },
    close,
  };
}
