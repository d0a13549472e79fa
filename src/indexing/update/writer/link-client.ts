/** Starts the thread that resolves links beside the writer (`links/links-elsewhere.ts`) where it is worth it. */
import { MessageChannel } from "node:worker_threads";
import type { IndexFiles } from "../../../db/curated/write/index-writing.ts";
import type { ImportFamily } from "../../../languages/language.ts";
import { familyOf } from "../../imports/model.ts";
import { familiesElsewhere, type LinkInbox, wake } from "../../links/links-elsewhere.ts";
import type { NamedContent } from "../../links/named-contents.ts";
import type { DueFile, DueFiles, IndexableFile } from "../../model/index-run.ts";
import { standsAlone } from "../../references/resolve-references.ts";
import { filesOf, partsOf } from "../scan/compare.ts";
import type { GenerationRequest } from "./write-generation.ts";

/**
 * What the thread gets: names of contents as these are parsed, all files of the generation in path order and in parts, then where to send the
 * links of the inbox's families.
 */
export type LinkRequest =
  | { readonly kind: "names"; readonly contents: readonly NamedContent[] }
  | { readonly kind: "files"; readonly files: readonly IndexableFile[] }
  | LinkOrder;
export type LinkOrder = {
  readonly kind: "link";
  readonly outbox: LinkInbox;
  readonly sparesMemory: boolean;
} & IndexedTree;
/** A work tree by its root, and the files of its index. */
export type IndexedTree = { readonly root: string; readonly files: IndexFiles };

/** Compiling for the thread takes as long as resolving some hundred files. */
export const LINKED_ELSEWHERE_MIN = 1_000;

/** The families that another thread links: none unless everything is linked from parsed facts, and `filesMin` files or more. */
export function familiesToLink(
  { due, sameVersions, isRepeated, scip }: GenerationRequest,
  filesMin: number,
): ReadonlySet<ImportFamily> {
  if (sameVersions || isRepeated || scip instanceof Uint8Array) return new Set();
  return due.length < filesMin ? new Set() : familiesElsewhere(filesOf(due), filesMin);
}

/**
 * From `linkedElsewhereMin` files on a thread is started. `linksAll`: everything will be linked. `sparesMemory`: memory matters more than
 * time (`large-run.ts`).
 */
export type LinkingOptions = {
  readonly linkedElsewhereMin?: number | undefined;
  readonly linksAll?: boolean;
  readonly sparesMemory?: boolean;
};

/** The thread, if there is one. */
type Linking = {
  /** Tells of more files that are parsed. The thread starts once there are enough, so that its code is loaded by the last one. */
  put(files: readonly DueFile[]): void;
  /** Begins to link. The writer takes the inbox; null if it links everything itself. */
  begin(request: GenerationRequest): LinkInbox | null;
  /** Ends the thread. */
  stop(): void;
};

export function openLinking(
  tree: IndexedTree,
  { linkedElsewhereMin = Number.POSITIVE_INFINITY, linksAll = false, sparesMemory = true }: LinkingOptions,
): Linking {
  let parsed = 0;
  /** Those that the thread does not have yet. */
  let named: NamedContent[] = [];
  let thread: ReturnType<typeof startThread> | null = null;
  return {
    put(files) {
      if (!linksAll || linkedElsewhereMin === Number.POSITIVE_INFINITY) return;
      parsed += files.length;
      for (const { contentHash, language, content } of files)
        if (content?.names !== undefined && isLookedUp(language))
          named.push({ contentHash, language, names: content.names });
      if (parsed < linkedElsewhereMin) return;
      thread ??= startThread(tree, sparesMemory);
      thread.name(named);
      named = [];
    },
    begin(request) {
      const families = familiesToLink(request, linkedElsewhereMin);
      if (families.size === 0) return null;
      thread ??= startThread(tree, sparesMemory);
      return thread.begin(request.due, families);
    },
    stop: () => thread?.stop(),
  };
}

/** Whether the files of a language look for names that they do not import. */
function isLookedUp(language: string): boolean {
  const family = familyOf(language);
  return family !== null && standsAlone(family);
}

function startThread(tree: IndexedTree, sparesMemory: boolean) {
  const worker = new Worker(new URL("./link-worker.ts", import.meta.url).href, { smol: sparesMemory });
  const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const end = (): void => {
    Atomics.store(counts, 1, 1);
    wake({ counts });
  };
  // An error ends it, which the writer hears.
  worker.addEventListener("error", (event) => event.preventDefault());
  worker.addEventListener("close", end);
  return {
    name: (contents: readonly NamedContent[]): void =>
      worker.postMessage({ kind: "names", contents } satisfies LinkRequest),
    begin(due: DueFiles, families: ReadonlySet<ImportFamily>): LinkInbox {
      const { port1, port2 } = new MessageChannel();
      const send = (request: LinkRequest, moved: Bun.Transferable[] = []): void => worker.postMessage(request, moved);
      for (const part of partsOf(due)) send({ kind: "files", files: part });
      send({ kind: "link", ...tree, sparesMemory, outbox: { port: port1, counts, families } }, [port1]);
      return { port: port2, counts, families };
    },
    stop: (): void => worker.terminate(),
  };
}
