/**
 * Reports that something changed in a set of folders, without saying what.
 *
 * Folders are watched one by one, not recursively, so ignored folders cost nothing. If the system runs out of watches, the watcher reports
 * that once and wakes at regular intervals instead.
 */
import { type FSWatcher, watch } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../../text/system-errors.ts";
import { errorText } from "./read-file.ts";

/** Editors save in steps: a change is reported after this quiet time, at the latest after the maximum. */
const QUIET_MS = 200;
const WAIT_MS_MAX = 2_000;
/** The interval without watches. */
const POLL_MS = 3_000;

export type FolderWatcher = {
  /** Replaces the set of watched folders. Returns true if new ones were added. */
  watch(folders: ReadonlySet<string>): boolean;
  /** Resolves after a change since the last call, followed by a quiet moment. Rejects with the signal's reason. */
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

  const onChange = (): void => {
    isDirty = true;
    wake();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const add = (folder: string): boolean => {
    try {
      const watcher = watch(resolve(root, folder), onChange);
      // A deleted folder is a change; it is watched again when it comes back.
      watcher.on("error", () => {
        drop(folder);
        onChange();
      });
      watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOSPC" || code === "EMFILE") problem ??= errorText(error);
      return false;
    }
  };
  /** Waits `ms` for the next event; true if there was one. */
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
