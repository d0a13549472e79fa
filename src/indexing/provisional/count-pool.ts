/** Counts files on several threads. */
import type { FileCounts } from "./count-file.ts";

/** `root` is the repository's real path; larger files than `bytesMax` are problems. */
export type CountPoolOptions = { readonly root: string; readonly bytesMax: number; readonly workersMax: number };

export type CountRequest = Pick<CountPoolOptions, "root" | "bytesMax"> & { readonly paths: readonly string[] };
/** The files of the request, in its order. */
export type CountReply = readonly FileCounts[];

export type CountPool = {
  /** Counts a batch of files. Rejects when the pool is closed. */
  count(paths: readonly string[]): Promise<CountReply>;
  /** Ends all threads; waiting batches reject with the reason. Can be repeated. */
  close(reason: unknown): void;
};

type Batch = {
  readonly paths: readonly string[];
  resolve(found: CountReply): void;
  reject(reason: unknown): void;
};

/** Opens a pool, whose threads start on demand. */
export function openCountPool({ root, bytesMax, workersMax }: CountPoolOptions): CountPool {
  const waiting: Batch[] = [];
  const running = new Map<Worker, Batch | null>();
  let closed: { readonly reason: unknown } | null = null;

  const close = (reason: unknown): void => {
    closed ??= { reason };
    const left = [...waiting.splice(0), ...running.values()];
    for (const worker of running.keys()) worker.terminate();
    running.clear();
    for (const batch of left) batch?.reject(reason);
  };
  const give = (worker: Worker): void => {
    const batch = waiting.shift() ?? null;
    running.set(worker, batch);
    if (batch !== null) worker.postMessage({ root, bytesMax, paths: batch.paths } satisfies CountRequest);
  };
  const start = (): void => {
    const worker = new Worker(new URL("./count-worker.ts", import.meta.url).href);
    worker.addEventListener("message", ({ data }: MessageEvent<CountReply>) => {
      const batch = running.get(worker) ?? null;
      if (batch === null) return;
      give(worker);
      batch.resolve(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      close(new Error(`the counting thread failed: ${event.message}`));
    });
    give(worker);
  };
  return {
    count: (paths) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed.reason);
        waiting.push({ paths, resolve, reject });
        const idle = [...running].find(([, batch]) => batch === null);
        if (idle !== undefined) give(idle[0]);
        else if (running.size < workersMax) start();
      }),
    close,
  };
}
