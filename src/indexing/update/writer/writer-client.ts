/** Runs `write-generation.ts` in a worker, so that the main thread stays responsive and rows are written during parsing. */

import { Failed, type Failure } from "../../../failure.ts";
import type { LinkInbox } from "../../links/links-elsewhere.ts";
import type { DueFile, IndexProgress, ReportProgress } from "../../model/index-run.ts";
import { partsOf } from "../scan/compare.ts";
import type { GenerationHistory } from "./generation-history.ts";
import { type IndexedTree, type LinkingOptions, openLinking } from "./link-client.ts";
import type { GenerationEnd, GenerationOutcome, GenerationRequest } from "./write-generation.ts";

/** Begins a generation. `sparesMemory`: garbage is collected meanwhile. */
export type OpenMessage = { readonly kind: "open"; readonly sparesMemory: boolean } & IndexedTree;

/** `open` comes first and once, then `put`s, then what is `due` in parts and the `history`, `finish` last. */
export type WriterMessage =
  | OpenMessage
  | { readonly kind: "put"; readonly files: readonly DueFile[] }
  | { readonly kind: "due"; readonly files: readonly DueFile[]; readonly total: number }
  | { readonly kind: "history"; readonly history: GenerationHistory | null }
  | { readonly kind: "finish"; readonly request: GenerationEnd; readonly links: LinkInbox | null };
export type WriterReply =
  | { readonly kind: "progress"; readonly progress: IndexProgress }
  /** Files are written whose texts have this many characters together. */
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
  /**
   * Writes the rest and ends the session. Calls `meanwhile` when all links are written and only the end of the transaction is left; with
   * more than `FILES_IN_MEMORY_MAX` files at once. Throws what stopped the worker, or the signal's reason.
   */
  finish(request: GenerationRequest, meanwhile?: () => void): Promise<GenerationOutcome>;
  /** Waits until the worker has ended. Before the end of `finish` this leaves the index unchanged. */
  abandon(): Promise<void>;
};

/** `hasRoom` waits while more characters of texts than this are on their way to the worker. */
const WAITING_CHARS_MAX = 4 * 1024 * 1024;

/** The characters of the texts that come with files. */
export const charsOf = (files: readonly DueFile[]): number =>
  files.reduce((sum, { content }) => sum + (content?.text.length ?? 0), 0);

/** Reading and parsing fewer files leaves little memory to free. */
const FILES_TO_FREE = 1_000;
/** With more files, memory matters more than work for both processors at the end. */
const FILES_IN_MEMORY_MAX = 20_000;

/** Starts the worker. Aborting the signal ends it. Another thread may link beside it. Memory is spared unless `options` say otherwise. */
export function startWriter(
  paths: IndexedTree,
  report: ReportProgress,
  signal: AbortSignal,
  options: LinkingOptions = {},
): WriterSession {
  signal.throwIfAborted();
  const { sparesMemory = true } = options;
  // The facts of a whole repository pass through the worker.
  const worker = new Worker(new URL("./writer-worker.ts", import.meta.url).href, { smol: sparesMemory });
  const stop = (): void => worker.terminate();
  signal.addEventListener("abort", stop);
  let answer: Answer | null = null;
  const linking = openLinking(paths, options);
  const room = textRoom();
  let death = "the worker ended without an answer";
  let isResolving = false;
  let filesWritten = 0;
  let isClosed = false;
  const [linked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  worker.addEventListener("message", (event: MessageEvent<WriterReply>) => {
    if (event.data.kind === "progress") {
      const { progress } = event.data;
      report(progress);
      // From now on the worker needs the most memory, so free what reading and parsing left here.
      const isFirst = !isResolving && progress.phase === "resolve";
      if (isFirst && sparesMemory && filesWritten > FILES_TO_FREE) Bun.gc(true);
      isResolving ||= isFirst;
      if (!isResolved(progress)) return;
      // The writer has all links, and making indexes of them takes memory, too.
      linking.stop();
      linked.resolve();
      return;
    }
    if (event.data.kind === "written") return void room.free(event.data.chars);
    answer = event.data;
    worker.terminate();
    linked.resolve();
    answered.resolve();
  });
  worker.addEventListener("error", (event: ErrorEvent) => {
    death = event.message;
  });
  const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve())).then(() => {
    signal.removeEventListener("abort", stop);
    isClosed = true;
    linking.stop();
    room.close();
    linked.resolve();
    answered.resolve();
  });
  const send = (message: WriterMessage, moved: Bun.Transferable[] = []): void => worker.postMessage(message, moved);
  send({ kind: "open", ...paths, sparesMemory });
  return {
    put(files) {
      room.take(charsOf(files));
      linking.put(files);
      send({ kind: "put", files });
    },
    hasRoom: room.wait,
    async finish(request, meanwhile = () => undefined) {
      const { due, history, ...end } = request;
      filesWritten = due.length;
      // First of all, since it takes longest.
      const links = linking.begin(request);
      for (const files of partsOf(due)) send({ kind: "due", files, total: due.length });
      send({ kind: "history", history });
      send({ kind: "finish", request: end, links }, links === null ? [] : [links.port]);
      if (filesWritten <= FILES_IN_MEMORY_MAX) await linked.promise;
      if (answer !== null || !isClosed) meanwhile();
      await answered.promise;
      return outcomeOf(answer, death, signal);
    },
    async abandon() {
      worker.terminate();
      await closed;
    },
  };
}

/** Counts the characters of texts that wait for the worker. `close`: nothing waits any more. */
function textRoom() {
  let chars = 0;
  let isClosed = false;
  let room: PromiseWithResolvers<void> | null = null;
  return {
    take(more: number): void {
      chars += more;
    },
    free(written: number): void {
      chars -= written;
      if (chars <= WAITING_CHARS_MAX) room?.resolve();
    },
    async wait(): Promise<void> {
      if (isClosed || chars <= WAITING_CHARS_MAX) return;
      room = Promise.withResolvers();
      await room.promise;
    },
    close(): void {
      isClosed = true;
      room?.resolve();
    },
  };
}

/** Whether it is the last of the links. */
const isResolved = ({ phase, done, total }: IndexProgress): boolean => phase === "resolve" && done === total;

type Answer = Exclude<WriterReply, { kind: "progress" | "written" }>;

function outcomeOf(answer: Answer | null, death: string, signal: AbortSignal): GenerationOutcome {
  if (answer?.kind === "outcome") return answer.outcome;
  signal.throwIfAborted();
  if (answer?.kind === "failed") throw new Failed(answer.failure);
  throw new Error(answer === null ? death : answer.message);
}
