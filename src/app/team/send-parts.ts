/** Sends the parts of an indexed commit that a store lacks: facts, texts, chunks of the index. */
import { closeSync, openSync, readSync } from "node:fs";
import type { PortableFile } from "../../db/curated/portable/portable-index.ts";
import { packStats } from "../../db/export/packed-facts.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import { cacheKey, type IndexOptions } from "../../indexing/model/index-run.ts";
import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import { isFailure } from "../../indexing/update/scan/compare.ts";
import { hashOf, textReader } from "../../indexing/update/scan/file-content.ts";
import { NO_ROWS } from "../../indexing/update/scan/parse-queue.ts";
import { completeCache } from "../../indexing/update/scan/scan-and-parse.ts";
import { countTerms } from "../../languages/count-terms.ts";
import { CHUNK_BYTES, type Transfer } from "../../store/blobs.ts";
import { evenChunks } from "../../store/cut-chunks.ts";
import { type FactsRow, factsKey } from "../../store/facts.ts";
import type { Store } from "../../store/open-store.ts";
import type { OnProgress } from "../workspace/environment.ts";

/** Contents whose facts are sent together. */
const CONTENTS_AT_ONCE = 200;
/** The most bytes of texts that are sent together. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Contents whose facts were sent, and all distinct ones. */
export type SentContents = { readonly sent: number; readonly all: number };

export type Sending = {
  readonly store: Store;
  readonly deps: IndexDeps;
  readonly options: IndexOptions;
  readonly sent: Transfer;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
};

/** Sends the facts that the store lacks. What the parse cache has lost is parsed again. */
export async function sendFacts(sending: Sending, files: readonly PortableFile[]): Promise<SentContents> {
  const { store, deps, signal, onProgress } = sending;
  const distinct = new Map(files.map((file) => [factsKey(cacheKey(file)), file]));
  const all = [...distinct.values()];
  const missing: PortableFile[] = [];
  for (let at = 0; at < all.length; at += CONTENTS_AT_ONCE) {
    signal.throwIfAborted();
    const some = all.slice(at, at + CONTENTS_AT_ONCE);
    const there = await store.facts.keep(some.map(cacheKey));
    missing.push(...some.filter((file) => !there.has(factsKey(cacheKey(file)))));
  }
  const cache = deps.store.openCache();
  let sent = 0;
  try {
    await parseLost(sending, cache, missing);
    for (let at = 0; at < missing.length; at += CONTENTS_AT_ONCE) {
      onProgress({ phase: "push", done: at, total: missing.length });
      const rows = missing
        .slice(at, at + CONTENTS_AT_ONCE)
        .flatMap((file) => factsOf(cache, file, textReader(deps.workTree.readFile)) ?? []);
      await store.facts.put(rows);
      sent += rows.length;
      sending.sent.bytes += rows.reduce(
        (sum, { facts, uses, prose, stats }) => sum + facts.length + uses.length + prose.length + stats.length,
        0,
      );
    }
  } finally {
    cache.close();
  }
  return { sent, all: all.length };
}

/** What a store keeps of a content; null if parsing failed here, as a machine with more time may do it. */
function factsOf(
  cache: ParseCache,
  file: PortableFile,
  textOf: (file: PortableFile) => string | null,
): FactsRow | null {
  const key = cacheKey(file);
  const [packed, facts] = [cache.packed(key), cache.facts(key)];
  if (packed === null || facts === null || isFailure(facts.problem)) return null;
  const text = textOf(file);
  if (text === null) throw changedMeanwhile(file.path);
  return { ...packed, stats: packStats(countTerms(text, file.language, facts)) };
}

const changedMeanwhile = (path: string): Failed =>
  new Failed({ code: "usage", message: `${path} changed while it was pushed`, next: "push again" });

async function parseLost(
  { deps, options, onProgress, signal }: Sending,
  cache: ParseCache,
  files: readonly PortableFile[],
): Promise<void> {
  const lost = files.filter((file) => cache.packed(cacheKey(file)) === null);
  if (lost.length === 0) return;
  const indexable = lost.map((file) => ({ ...file, isTest: false }));
  await completeCache(deps, options, indexable, cache, NO_ROWS, onProgress, signal);
}

/** Sends the bytes of all files that the store lacks. Throws a usage failure if a file is not what was indexed. */
export async function sendTexts(
  { store, deps, options, sent, onProgress, signal }: Sending,
  files: readonly PortableFile[],
): Promise<void> {
  let waiting: { readonly hash: string; readonly bytes: Uint8Array }[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await store.blobs.putSmall(waiting, sent);
    [waiting, bytes] = [[], 0];
  };
  for (const [done, { path, contentHash }] of files.entries()) {
    signal.throwIfAborted();
    onProgress({ phase: "push texts", done, total: files.length });
    const read = deps.workTree.readFile(path, options.bytesMax);
    if (read.kind === "problem" || hashOf(read.bytes) !== contentHash) throw changedMeanwhile(path);
    if (read.bytes.length > CHUNK_BYTES) await store.blobs.put(evenChunks(read.bytes), sent);
    else waiting.push({ hash: contentHash, bytes: read.bytes });
    bytes += read.bytes.length;
    if (bytes > TEXT_BYTES_AT_ONCE) await flush();
  }
  await flush();
}

/** A file in pieces at fixed places. */
export function* fileChunks(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      let length = 0;
      for (let more = 1; more > 0 && length < CHUNK_BYTES; length += more)
        more = readSync(file, chunk, length, CHUNK_BYTES - length, null);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Everything that a snapshot needs: none of it may be pruned before its row is there. */
export async function partsOf(
  { blobs }: Store,
  { index, tree, hasTexts }: Pick<Parameters<Store["snapshots"]["publish"]>[0], "index" | "tree" | "hasTexts">,
  files: readonly Pick<PortableFile, "contentHash" | "sizeBytes">[],
) {
  const names = [
    index,
    tree,
    ...(hasTexts ? files.map((file) => ({ hash: file.contentHash, bytes: file.sizeBytes })) : []),
  ];
  const large = names.filter(({ bytes }) => bytes > CHUNK_BYTES);
  const chunks = new Set(names.filter(({ bytes }) => bytes <= CHUNK_BYTES).map(({ hash }) => hash));
  for (const name of large) for (const hash of (await blobs.chunksOf(name)) ?? []) chunks.add(hash);
  for (const hash of await blobs.basesOf([...chunks])) chunks.add(hash);
  return { chunks: [...chunks], blobs: large.map(({ hash }) => hash) };
}
