/**
 * Links that another thread resolves meanwhile, from cached facts alone: the index that is being written is visible to its writer only.
 *
 * They are taken after the own ones, in the order of families and paths, so the result does not depend on which thread is faster.
 */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { ImportFamily } from "../../languages/language.ts";
import { inOrder } from "../../text/order.ts";
import { familyOf } from "../imports/model.ts";
import { type FileEdges, unpackLinks } from "./packed-links.ts";

export type LinksElsewhere = {
  /** Whether the other thread resolves the links of a file. */
  has(file: { readonly language: string }): boolean;
  /** The links of all these files. Waits for the other thread. */
  links(): Iterable<FileEdges>;
  /** Once all links are taken: files whose facts or texts could not be read, and the names of the configuration files that were asked for. */
  outcome(): { readonly lost: readonly string[]; readonly configNames: readonly string[] };
};

/** The writer has rows, history and statistics to write meanwhile, so it links at most one in this many files. */
const FILES_PER_OWN = 4;
/** A larger family can take as much memory as all else, and would be linked while the other thread needs the most. */
const OWN_FAMILY_MAX = 5_000;

/**
 * The families whose files another thread links. None if there are fewer than `filesMin` files to link, which is not worth a thread. The
 * smallest families stay with the writer, unless they have fewer than `filesMin` files together.
 */
export function familiesElsewhere(
  files: Iterable<{ readonly language: string }>,
  filesMin: number,
): ReadonlySet<ImportFamily> {
  const counts = new Map<ImportFamily, number>();
  let total = 0;
  for (const { language } of files) {
    const family = familyOf(language);
    if (family === null) continue;
    counts.set(family, (counts.get(family) ?? 0) + 1);
    total += 1;
  }
  if (total < filesMin) return new Set();
  const elsewhere = new Set(counts.keys());
  let own = 0;
  for (const [family, count] of [...counts].sort(([a, few], [b, many]) => few - many || inOrder(a, b))) {
    if (count > OWN_FAMILY_MAX || (own + count) * FILES_PER_OWN > total) break;
    own += count;
    elsewhere.delete(family);
  }
  return own < filesMin ? new Set(counts.keys()) : elsewhere;
}

/**
 * `port` brings `LinkMessage`s with the links of all files of `families`. `counts` are two numbers: the messages sent so far, and 1 once the
 * thread has ended.
 */
export type LinkInbox = {
  readonly port: MessagePort;
  readonly counts: Int32Array<SharedArrayBuffer>;
  readonly families: ReadonlySet<ImportFamily>;
};

export type LinkMessage =
  | { readonly kind: "links"; readonly batch: Int32Array<ArrayBuffer> }
  | { readonly kind: "end"; readonly lost: readonly string[]; readonly configNames: readonly string[] }
  | { readonly kind: "error"; readonly message: string };

/** `paths` are those of all files of the generation, in order. */
export function linksElsewhere({ port, counts, families }: LinkInbox, paths: readonly string[]): LinksElsewhere {
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
    has: ({ language }) => isIn(families, language),
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

/** Whether a language belongs to one of the families. */
export function isIn(families: ReadonlySet<ImportFamily>, language: string): boolean {
  const family = familyOf(language);
  return family !== null && families.has(family);
}

/** Sends to an inbox, and wakes the one who waits for it. */
export function sendLinks({ port, counts }: Pick<LinkInbox, "port" | "counts">, message: LinkMessage): void {
  port.postMessage(message, message.kind === "links" ? [message.batch.buffer] : []);
  wake({ counts });
}

export function wake({ counts }: Pick<LinkInbox, "counts">): void {
  Atomics.add(counts, 0, 1);
  Atomics.notify(counts, 0);
}
