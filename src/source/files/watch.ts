/**
 * Hears that something in a set of folders changed, without saying what: who wants to know looks.
 *
 * Folders are watched one by one, not below themselves, so that what is ignored costs nothing. Where the system
 * gives no more watches the watcher says so once and wakes at regular times instead.
 * Not here: what to do then (`watch.ts`).
 */
import { type FSWatcher, watch } from "node:fs";
import { resolve } from "node:path";
import { errorText } from "./read-file.ts";

/** How long nothing must happen, and how long to wait for that at most, in milliseconds: editors save in steps. */
const QUIET_MS = 200;
const WAIT_MS_MAX = 2_000;
/** Between looks where watching is not possible. */
const POLL_MS = 3_000;

export type FolderWatcher = {
  /** Watches these folders instead of those before. Returns true when some were not watched until now. */
  watch(folders: ReadonlySet<string>): boolean;
  /** Resolves once something changed since the last call and then nothing more for a moment. Rejects with the signal's reason. */
  changed(signal: AbortSignal): Promise<void>;
  /** Why folders cannot be watched; null while they are. */
  problem(): string | null;
  close(): void;
};

/** Folders are absolute, or relative to `root`. */
export function watchFolders(root: string): FolderWatcher {
  const watchers = new Map<string, FSWatcher>();
  let problem: string | null = null;
  let isDirty = false;
  let wake: () => void = () => {};

  const hear = (): void => {
    isDirty = true;
    wake();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const add = (folder: string): boolean => {
    try {
      const watcher = watch(resolve(root, folder), hear);
      // A folder that goes away is a change; whether it can be watched again shows when it is back.
      watcher.on("error", () => {
        drop(folder);
        hear();
      });
      watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code === "ENOSPC" || code === "EMFILE") problem ??= errorText(error);
      return false;
    }
  };
  /** Waits for the next event, or so long; true when there was one. */
  const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const stop = (): void => end(() => reject(signal.reason));
      const timer = setTimeout(() => end(() => resolve(false)), ms);
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        wake = () => {};
        settle();
      };
      wake = () => end(() => resolve(true));
      signal.addEventListener("abort", stop, { once: true });
    });

  return {
    watch(folders) {
      for (const folder of [...watchers.keys()]) if (!folders.has(folder)) drop(folder);
      const fresh = [...folders].filter((folder) => !watchers.has(folder) && problem === null);
      return fresh.map(add).some((isAdded) => isAdded);
    },
    async changed(signal) {
      signal.throwIfAborted();
      if (problem !== null) await pause(POLL_MS, signal);
      else while (!isDirty) await pause(LONG_MS, signal);
      let waitedMs = 0;
      while (waitedMs < WAIT_MS_MAX && problem === null) {
        isDirty = false;
        if (!(await pause(QUIET_MS, signal))) break;
        waitedMs += QUIET_MS;
      }
      isDirty = false;
    },
    problem: () => problem,
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}

/** An hour: a timer keeps the process alive. */
const LONG_MS = 3_600_000;
