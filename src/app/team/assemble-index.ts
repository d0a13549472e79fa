/**
 * Makes a whole index from what a store has of a commit, for a server that has no checkout.
 *
 * Texts are checked by the hash of their content, facts against their texts, and rows against their facts. Edges and history are taken as
 * they are: whoever may push decides what a server answers from.
 */
import { lstatSync, rmSync } from "node:fs";
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { PackedEntry } from "../../db/parse-cache/parse-cache.ts";
import { CHECKSUM_SUFFIX } from "../../db/sqlite/checksum.ts";
import { Failed } from "../../failure.ts";
import type { Transfer } from "../../store/blobs.ts";
import { CHUNK_BYTES } from "../../store/blobs.ts";
import { factsKey } from "../../store/facts.ts";
import type { Store } from "../../store/open-store.ts";
import type { Snapshot } from "../../store/snapshots.ts";
import { decode } from "../../text/decode.ts";
import { CONTENTS_AT_ONCE, checkedEntry, type LocalContent } from "./take-facts.ts";
import { type TakenIndex, takeIndex } from "./take-index.ts";

/** Larger indexes are not served. */
const INDEX_BYTES_MAX = 16 * 1024 ** 3;

/**
 * Fetches the index of a snapshot with its texts to `path`, which `openKnowledgeBase` then opens. Replaces nothing: a file there must be
 * removed first. `root` is what the index calls its repository. `onFacts` gets the checked facts that it was made from. Throws `store-refused` for
 * what is missing or forged, and `store-unavailable`.
 */
export async function assembleIndex(
  store: Pick<Store, "blobs" | "facts" | "shown">,
  snapshot: Snapshot,
  path: string,
  root: string,
  signal: AbortSignal,
  onFacts: OnFacts = () => {},
): Promise<Transfer> {
  const refused = (why: string, options = "--with-text --again"): Failed =>
    new Failed({
      code: "store-refused",
      where: store.shown,
      why: `${snapshot.repository} at ${snapshot.commit.slice(0, 12)}: ${why}`,
      next: `push it again: cra push ${options}`,
    });
  if (!snapshot.hasTexts) throw refused("its texts are not stored", "--with-text");
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw new Error("there is an index already");
  const received: Transfer = { chunks: 0, bytes: 0 };
  const index = await takeIndex(store, snapshot, path, INDEX_BYTES_MAX, received);
  try {
    await fillFrom(store, index, { received, refused, onFacts }, signal);
    const indexedAt = new Date(snapshot.pushedAt).toISOString();
    const unknown = index.finish({ root, remoteUrl: index.remoteUrl, indexedAt, isHistoryKnown: true });
    if (unknown > 0) throw refused(`the facts of ${unknown} files are missing`);
    rmSync(path + CHECKSUM_SUFFIX, { force: true });
    if (!index.place()) throw new Error("there is an index already");
    return received;
  } finally {
    index.drop();
  }
}

type OnFacts = (entries: readonly PackedEntry[]) => void;

type Filling = { readonly received: Transfer; readonly onFacts: OnFacts; refused(why: string): Failed };

async function fillFrom(
  store: Pick<Store, "blobs" | "facts">,
  index: TakenIndex,
  { received, refused, onFacts }: Filling,
  signal: AbortSignal,
): Promise<void> {
  const distinct = [...new Map(index.files.map((file) => [`${file.contentHash}:${file.language}`, file])).values()];
  for (let at = 0; at < distinct.length; at += CONTENTS_AT_ONCE) {
    signal.throwIfAborted();
    const files = distinct.slice(at, at + CONTENTS_AT_ONCE);
    const small = files.filter(({ sizeBytes }) => sizeBytes <= CHUNK_BYTES).map(({ contentHash }) => contentHash);
    const texts = new Map(await store.blobs.getSmall([...new Set(small)], received));
    const contents = new Map<string, LocalContent>();
    for (const { path, contentHash: hash, language, sizeBytes } of files) {
      const bytes =
        texts.get(hash) ?? (sizeBytes > CHUNK_BYTES ? await whole(store, { hash, bytes: sizeBytes }, received) : null);
      const decoded = bytes === null ? null : decode(bytes);
      if (bytes?.length !== sizeBytes || decoded?.kind !== "text") throw refused(`the text of ${path} is missing`);
      contents.set(factsKey({ hash, language }), { path, hash, language, text: decoded.text, bytes: sizeBytes });
    }
    const packed: PackedEntry[] = [];
    for (const row of await store.facts.get([...contents.values()])) {
      const content = contents.get(factsKey(row));
      const entry = content === undefined ? null : checkedEntry(row, content);
      if (entry === null) continue;
      index.fill(entry.known);
      packed.push(entry.packed);
      // A server answers others meanwhile.
      await nextTurn();
    }
    onFacts(packed);
  }
}

async function whole(
  { blobs }: Pick<Store, "blobs">,
  name: { readonly hash: string; readonly bytes: number },
  received: Transfer,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.get(name, received)) pieces.push(piece);
  return Buffer.concat(pieces);
}
