/** Runs `write-generation.ts` in a worker, so that the main thread stays responsive and rows are written during parsing. */

import type { IndexFiles } from "../../db/curated/index-writing.ts";
import { Failed, type Failure } from "../../failure.ts";
import type { LinkInbox } from "../links/links-elsewhere.ts";
import type { DueFile, IndexProgress, ReportProgress } from "../model/index-run.ts";
import { familiesToLink, type LinkThread, startLinkThread } from "./link-client.ts";
import type { GenerationEnd, GenerationOutcome, GenerationRequest } from "./write-generation.ts";

/** What is written, and the repository that it is of. */
export type OpenWriter = { readonly root: string; readonly files: IndexFiles };

/** `open` comes first and once, then `put`s, then what is `due` in parts, `finish` last. */
export type WriterMessage =
  | ({ readonly kind: "open" } & OpenWriter)
  | { readonly kind: "put"; readonly files: readonly DueFile[] }
  | { readonly kind: "due"; readonly files: readonly DueFile[]; readonly total: number }
  | { readonly kind: "finish"; readonly request: GenerationEnd; readonly links: LinkInbox | null };
export type WriterReply =
  | { readonly kind: "progress"; readonly progress: IndexProgress }
  /** Files with texts of so many characters are written. */
  | { readonly kind: "written"; readonly chars: number }
  | { readonly kind: "outcome"; readonly outcome: GenerationOutcome }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "error"; readonly message: string };

/** A generation that is being written. */
export type WriterSession = {
  /** Writes files whose facts are in the cache. Errors surface in `finish`. */
  put(files: readonly DueFile[]): void;
  /** Waits while many texts wait for the worker. */
  hasRoom(): Promise<void>;
  /** Writes the rest and ends the session. Throws what stopped the worker, or the signal's reason. */
  finish(request: GenerationRequest): Promise<GenerationOutcome>;
  /** Ends the worker and leaves the index unchanged. Harmless after `finish`. */
  abandon(): Promise<void>;
};

/** More characters of texts do not wait for the worker. */
const WAITING_CHARS_MAX = 4 * 1024 * 1024;

type WriterOptions = { readonly linkedElsewhereMin?: number | undefined; readonly linksAll?: boolean };

/** The characters of the texts that come with files. */
export const charsOf = (files: readonly DueFile[]): number =>
  files.reduce((sum, { content }) => sum + (content?.text.length ?? 0), 0);

const FILES_PER_PART = 2_000;
/** Fewer files leave little. */
const FILES_TO_FREE = 1_000;

/**
 * Starts the worker. Aborting the signal ends it. From `linkedElsewhereMin` files on a second thread links beside it; where `linksAll` says
 * that everything will be linked, it starts when so many are put, and has loaded its code when the last one is.
 */
export function startWriter(
  paths: OpenWriter,
  report: ReportProgress,
  signal: AbortSignal,
  { linkedElsewhereMin = Number.POSITIVE_INFINITY, linksAll = false }: WriterOptions = {},
): WriterSession {
  signal.throwIfAborted();
  // The facts of a whole repository pass through the worker, so memory matters more than time.
  const worker = new Worker(new URL("./writer-worker.ts", import.meta.url).href, { smol: true });
  const stop = (): void => worker.terminate();
  signal.addEventListener("abort", stop);
  let answer: Answer | null = null;
  let waitingChars = 0;
  let filesPut = 0;
  let linking: LinkThread | null = null;
  let death = "the worker ended without an answer";
  let isResolving = false;
  let filesWritten = 0;
  let isClosed = false;
  let room: PromiseWithResolvers<void> | null = null;
  worker.addEventListener("message", (event: MessageEvent<WriterReply>) => {
    if (event.data.kind === "progress") {
      const { progress } = event.data;
      report(progress);
      // From now on the worker needs the most memory, so free what reading and parsing left here.
      if (!isResolving && progress.phase === "resolve" && filesWritten > FILES_TO_FREE) Bun.gc(true);
      isResolving ||= progress.phase === "resolve";
      return;
    }
    if (event.data.kind === "written") {
      waitingChars -= event.data.chars;
      if (waitingChars <= WAITING_CHARS_MAX) room?.resolve();
      return;
    }
    answer = event.data;
    worker.terminate();
  });
  worker.addEventListener("error", (event: ErrorEvent) => {
    death = event.message;
  });
  const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve())).then(() => {
    signal.removeEventListener("abort", stop);
    isClosed = true;
    linking?.stop();
    room?.resolve();
  });
  const send = (message: WriterMessage, moved: Bun.Transferable[] = []): void => worker.postMessage(message, moved);
  send({ kind: "open", ...paths });
  return {
    put(files) {
      waitingChars += charsOf(files);
      filesPut += files.length;
      if (linksAll && filesPut >= linkedElsewhereMin) linking ??= startLinkThread(paths);
      send({ kind: "put", files });
    },
    async hasRoom() {
      if (isClosed || waitingChars <= WAITING_CHARS_MAX) return;
      room = Promise.withResolvers();
      await room.promise;
    },
    async finish(request) {
      const { due, ...end } = request;
      filesWritten = due.length;
      // A part is forgotten when it is written.
      for (let at = 0; at < due.length; at += FILES_PER_PART)
        send({ kind: "due", files: due.slice(at, at + FILES_PER_PART), total: due.length });
      const families = familiesToLink(request, linkedElsewhereMin);
      if (families.size > 0) linking ??= startLinkThread(paths);
      const links = families.size === 0 ? null : (linking?.begin(due, families) ?? null);
      send({ kind: "finish", request: end, links }, links === null ? [] : [links.port]);
      await closed;
      return outcomeOf(answer, death, signal);
    },
    async abandon() {
      worker.terminate();
      await closed;
    },
  };
}

type Answer = Exclude<WriterReply, { kind: "progress" | "written" }>;

function outcomeOf(answer: Answer | null, death: string, signal: AbortSignal): GenerationOutcome {
  if (answer?.kind === "outcome") return answer.outcome;
  signal.throwIfAborted();
  if (answer?.kind === "failed") throw new Failed(answer.failure);
  throw new Error(answer === null ? death : answer.message);
}
