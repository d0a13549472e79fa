/**
 * Links that another thread resolves meanwhile, from cached facts alone: those of languages with packages, and of Python. The index that is
 * being written, which the other languages ask for names, is visible to its writer only.
 *
 * They are taken after the own ones, in the order of families and paths, so the result does not depend on which thread is faster.
 */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { familyOf } from "../imports/model.ts";
import { standsAlone } from "../references/resolve-references.ts";
import { type FileEdges, unpackLinks } from "./packed-links.ts";

export type LinksElsewhere = {
  /** The links of all files of `isLinkedElsewhere`. Waits for the other thread. */
  links(): Iterable<FileEdges>;
  /** Once all links are taken: files whose facts or texts could not be read, and the names of the configuration files that were asked for. */
  outcome(): { readonly lost: readonly string[]; readonly configNames: readonly string[] };
};

/** Whether another thread resolves the links of a file. About half of them: in a repository of many languages, both are done at the same time. */
export function isLinkedElsewhere({ language }: { readonly language: string }): boolean {
  const family = familyOf(language);
  return family !== null && (!standsAlone(family) || family === "python");
}

/** `port` brings `LinkMessage`s. `counts` are two numbers: those sent so far, and 1 once the thread has ended. */
export type LinkInbox = { readonly port: MessagePort; readonly counts: Int32Array<SharedArrayBuffer> };

export type LinkMessage =
  | { readonly kind: "links"; readonly batch: Int32Array<ArrayBuffer> }
  | { readonly kind: "end"; readonly lost: readonly string[]; readonly configNames: readonly string[] }
  | { readonly kind: "error"; readonly message: string };

/** `files` are all files of the generation in path order. */
export function linksElsewhere(
  { port, counts }: LinkInbox,
  files: readonly { readonly path: string }[],
): LinksElsewhere {
  const paths = files.map(({ path }) => path);
  let outcome: ReturnType<LinksElsewhere["outcome"]> = { lost: [], configNames: [] };
  const take = (): LinkMessage => {
    for (;;) {
      const [sent, ended] = [Atomics.load(counts, 0), Atomics.load(counts, 1)];
      const received = receiveMessageOnPort(port);
      if (received !== undefined) return received.message;
      if (ended === 1) throw new Error("the thread that links ended without an answer");
      Atomics.wait(counts, 0, sent);
    }
  };
  return {
    *links() {
      for (let message = take(); ; message = take()) {
        if (message.kind === "error") throw new Error(message.message);
        if (message.kind === "end") {
          outcome = message;
          return;
        }
        yield* unpackLinks(paths, message.batch);
      }
    },
    outcome: () => outcome,
  };
}

/** Sends to an inbox, and wakes the one who waits for it. */
export function sendLinks({ port, counts }: LinkInbox, message: LinkMessage): void {
  port.postMessage(message, message.kind === "links" ? [message.batch.buffer] : []);
  wake({ counts });
}

export function wake({ counts }: Pick<LinkInbox, "counts">): void {
  Atomics.add(counts, 0, 1);
  Atomics.notify(counts, 0);
}
