/**
 * Reads files that wait to be counted, so that they are in memory by then, where reading is slow.
 *
 * A thread that counts waits for the disk at every file that the system does not have in memory. Two more threads that wait too
 * keep the disk busy meanwhile. They cost processor time, so they start only when reading was seen to be slow.
 */

/** Where to read, and files that fit into memory. */
export type ReadAheadMessage = { readonly root: string; readonly bytesMax: number; readonly paths: readonly string[] };

type Batch = { readonly paths: readonly string[] };

type ReadAhead = {
  /** Reports how long it took to read a number of files. */
  hear(files: number, readMs: number): void;
  /** More batches wait. */
  more(): void;
  /** Ends the threads. Can be repeated. */
  close(): void;
};

const READERS = 2;
/**
 * Reading is slow if a file takes this long, on average over this many files. A file in memory takes .03 to .1 ms while three threads share
 * two processors, one on a disk .15 to .3 ms.
 */
const SLOW_MS = 0.15;
const FILES_MIN = 500;

/** `waiting` are the batches that no thread counts yet, the next first. `spawn` starts a thread that runs `read-ahead-worker.ts`. */
export function openReadAhead(
  place: Omit<ReadAheadMessage, "paths">,
  waiting: readonly Batch[],
  spawn: () => Worker = startReader,
): ReadAhead {
  const read = new WeakSet<Batch>();
  const idle = new Set<Worker>();
  const readers: Worker[] = [];
  let [files, ms, isClosed] = [0, 0, false];

  const more = (): void => {
    if (isClosed) return;
    for (const reader of idle) {
      const batch = waiting.find((one) => !read.has(one));
      if (batch === undefined) return;
      read.add(batch);
      idle.delete(reader);
      reader.postMessage({ ...place, paths: batch.paths } satisfies ReadAheadMessage);
    }
  };
  const start = (): void => {
    const reader = spawn();
    readers.push(reader);
    idle.add(reader);
    reader.addEventListener("message", () => {
      idle.add(reader);
      more();
    });
    // Counting meets the same problem.
    reader.addEventListener("error", (event) => event.preventDefault());
  };
  return {
    hear(count, readMs) {
      files += count;
      ms += readMs;
      if (isClosed || readers.length > 0 || files < FILES_MIN) return;
      const isSlow = ms >= SLOW_MS * files;
      [files, ms] = [0, 0];
      if (!isSlow) return;
      try {
        while (readers.length < READERS) start();
      } catch {
        // The system starts no more threads: those that count read for themselves.
      }
      more();
    },
    more,
    close() {
      isClosed = true;
      for (const reader of readers) reader.terminate();
    },
  };
}

export const startReader = (): Worker => new Worker(new URL("./read-ahead-worker.ts", import.meta.url).href);
