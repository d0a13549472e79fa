/** Starts the thread that resolves links beside the writer (`links/links-elsewhere.ts`) where it is worth it. */
import { MessageChannel } from "node:worker_threads";
import type { IndexFiles } from "../../db/curated/index-writing.ts";
import { familyOf } from "../imports/model.ts";
import { isLinkedElsewhere, type LinkInbox, wake } from "../links/links-elsewhere.ts";
import type { IndexableFile } from "../model/index-run.ts";
import type { GenerationRequest } from "./write-generation.ts";

/** What the thread gets. `files` are all files of the generation in path order. */
export type LinkRequest = LinkedTree & { readonly links: readonly IndexableFile[]; readonly outbox: LinkInbox };
type LinkedTree = { readonly root: string; readonly files: IndexFiles };

/** Starting the thread, and compiling for it, takes as long as resolving some hundred files. */
export const LINKED_ELSEWHERE_MIN = 1_000;

/** Whether everything is linked from parsed facts, and each of two threads has at least so many files to link. */
export function isWorthLinking({ due, sameVersions, isRepeated, scip }: GenerationRequest, filesMin: number): boolean {
  if (sameVersions || isRepeated || scip instanceof Uint8Array) return false;
  const linked = due.filter(({ language }) => familyOf(language) !== null);
  const elsewhere = linked.filter(isLinkedElsewhere).length;
  return Math.min(elsewhere, linked.length - elsewhere) >= filesMin;
}

/** Begins to link. The writer takes the inbox; `stop` ends the thread. */
export function startLinking(paths: LinkedTree, due: GenerationRequest["due"]): { inbox: LinkInbox; stop(): void } {
  const worker = new Worker(new URL("./link-worker.ts", import.meta.url).href, { smol: true });
  const { port1, port2 } = new MessageChannel();
  const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const end = (): void => {
    Atomics.store(counts, 1, 1);
    wake({ counts });
  };
  // An error ends it, which the writer hears.
  worker.addEventListener("error", (event) => event.preventDefault());
  worker.addEventListener("close", end);
  const links = due.map(({ content: _, id: __, ...file }) => file);
  const request: LinkRequest = { ...paths, links, outbox: { port: port1, counts } };
  worker.postMessage(request, [port1]);
  return { inbox: { port: port2, counts }, stop: () => worker.terminate() };
}
