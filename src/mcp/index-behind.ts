/**
 * Makes the index behind the answers, once one had to be given without it.
 *
 * Answers do not wait for it, and say whether it is being made. It ends with the server; the next one continues where it was.
 */
import type { App } from "../app/app.ts";
import { Failed, sentence } from "../failure.ts";
import { stepText } from "../present/amounts.ts";

/** What answers know and cause of it. */
export type Behind = {
  /** Starts the index unless it is being made; returns what to tell the reader of a first answer. */
  begin(): string | null;
  /** What to tell the reader of an answer from the index: that it is complete, once; otherwise null. */
  news(): string | null;
};

/** For one answer, with nobody to wait for the index. */
export const NOTHING_BEHIND: Behind = { begin: () => null, news: () => null };

/** `in` is for calls in a folder, null for that of the server. */
export type IndexBehind = { in(folder: string | null): Behind; stop(): Promise<void> };

/** What it needs of the server. */
export type AppAccess = {
  /** Opens the repository for one call; `folder` null: the one in which the server was started. */
  withApp<T>(folder: string | null, signal: AbortSignal, work: (app: App) => Promise<T>): Promise<T>;
  /** Converts an error to a failure if it is one. */
  failureIn(error: unknown): unknown;
  /** Receives errors that no client sees. */
  onBug(thrown: unknown): void;
};

const FINAL = "once it is, the same call gives the final answer";

export function openIndexBehind(access: AppAccess): IndexBehind {
  const stop = new AbortController();
  const byFolder = new Map<string | null, Indexing>();
  return {
    in: (folder) => byFolder.getOrInsertComputed(folder, () => indexing(access, folder, stop.signal)),
    async stop() {
      stop.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
      await Promise.all(byFolder.values().map(({ ended }) => ended()));
    },
  };
}

type Indexing = Behind & { ended(): Promise<void> };

function indexing({ withApp, failureIn, onBug }: AppAccess, folder: string | null, signal: AbortSignal): Indexing {
  let made: Promise<void> | null = null;
  let reached = "";
  let failed: string | null = null;
  let isNews = false;
  const make = async (): Promise<void> => {
    try {
      await withApp(folder, signal, (app) =>
        app.index(
          {
            failFast: false,
            rebuild: false,
            onProgress(step) {
              reached = stepText(step);
            },
          },
          signal,
        ),
      );
      [isNews, failed] = [true, null];
    } catch (thrown) {
      const error = failureIn(thrown);
      if (error instanceof Failed) failed = sentence(error.failure);
      else if (!signal.aborted) onBug(thrown);
    } finally {
      made = null;
    }
  };
  return {
    begin() {
      if (made !== null) return `the repository is being indexed (${reached}); ${FINAL}`;
      const before = failed === null ? "" : `the index could not be made (${failed}); `;
      [reached, failed] = ["starting", null];
      made = make();
      return `${before}the repository is being indexed now; ${FINAL}`;
    },
    news() {
      if (!isNews) return null;
      isNews = false;
      return "the index is complete, so this answer is final and replaces the first ones";
    },
    async ended() {
      await made;
    },
  };
}
