/**
 * Pushes the index of the checked-out commit to a team's store: what the store lacks of its facts, its index and its tree.
 *
 * The row of the commit comes last, so nothing half is ever visible, and a push that was killed continues where it was: what is there
 * already is not sent again. Any number of pushes may run at once.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { StoredMeta } from "../../db/curated/meta.ts";
import { type PortableFile, portableFiles, writePortable } from "../../db/curated/portable-index.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { CHECKSUM_SUFFIX } from "../../db/sqlite/checksum.ts";
import { Failed } from "../../failure.ts";
import type { IndexOptions } from "../../indexing/model/index-run.ts";
import { hasSameVersions, isFailure } from "../../indexing/update/compare.ts";
import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import { completeCache, hashOf } from "../../indexing/update/scan-and-parse.ts";
import type { Notice } from "../../notice.ts";
import { REDACTOR } from "../../secrets/redact.ts";
import { openRevisions } from "../../source/revisions/open-revisions.ts";
import { workTreeChanges } from "../../source/revisions/work-tree-diff.ts";
import { CHUNK_BYTES, evenChunks, lineChunks, type Transfer } from "../../store/blobs.ts";
import { type FactsKey, factsKey } from "../../store/facts.ts";
import type { Store } from "../../store/open-store.ts";
import { treeLines } from "../../store/snapshots.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import { type StoreName, updateIndex } from "../indexing/index-repository.ts";
import { indexDeps, LIGHT_RUN, LOCK_WAIT_MS, optionsOf, workersOf } from "../indexing/indexing-deps.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { buildOf, openTeamStore, repositoryName, transportNotices } from "./team-store.ts";

export type PushRequest = {
  readonly store: StoreName;
  /** The name of the repository in the store; by default it is made from the remote. */
  readonly name?: string | undefined;
  /** Stores the texts of all files too, for servers. */
  readonly withTexts: boolean;
  readonly onProgress: OnProgress;
};

/** What a push did. `isNew` is false if the commit was there already, and then nothing was sent. `bytes` were sent, packed. */
export type Pushed = {
  readonly to: string;
  readonly repository: string;
  readonly commit: string;
  readonly isNew: boolean;
  readonly hasTexts: boolean;
  readonly files: number;
  /** Contents whose facts were sent, and all distinct ones. */
  readonly contents: { readonly sent: number; readonly all: number };
  readonly bytes: number;
  /** Files with a secret, whose words are in the index. */
  readonly secrets: number;
  readonly notices: readonly Notice[];
};

/** Contents whose facts are sent together. */
const CONTENTS_AT_ONCE = 200;
/** Texts that are sent together: at most so many bytes. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;
/** The index is not changed. */
const NO_ROWS = { expect: () => undefined, ready: () => undefined };

/** Indexes first. Throws usage failures for a work tree that differs from its commit, `store-unavailable`, `store-refused`, and the signal's reason. */
export async function push(workspace: Workspace, request: PushRequest, signal: AbortSignal): Promise<Pushed> {
  const store = await openTeamStore(workspace.environment, request.store, signal);
  const pool = openParsePool({ workersMax: workersOf(workspace) });
  try {
    const summary = await updateIndex(
      workspace,
      { ...LIGHT_RUN, lockWaitMs: LOCK_WAIT_MS },
      request.onProgress,
      signal,
    );
    const { meta } = summary;
    const deps = indexDeps(workspace, { ...LIGHT_RUN, lockWaitMs: LOCK_WAIT_MS }, pool, workersOf(workspace));
    const { head: commit, branch } = await deps.git.readHead(signal);
    const versions = buildOf(workspace);
    if (commit === null || meta.historyProblem !== null)
      throw refused(
        `there is no history to push: ${meta.historyProblem ?? "no commits yet"}`,
        "push from a clone with a commit",
      );
    const repository = repositoryName(request.name, meta.remoteUrl);
    await refuseChanges(workspace, signal);
    const known = await store.snapshots.find(repository, commit, versions.build);
    const done = { to: store.shown, repository, commit };
    const { withTexts } = request;
    const secrets = secretsIn(workspace);
    const notices = [...transportNotices(store), ...summary.notices];
    if (known?.contentHash === meta.contentHash && (known.hasTexts || !withTexts)) {
      const { files, hasTexts } = known;
      return { ...done, isNew: false, hasTexts, files, contents: { sent: 0, all: 0 }, bytes: 0, secrets, notices };
    }
    const hasTexts = withTexts || (known?.contentHash === meta.contentHash && known.hasTexts);
    const sent: Transfer = { chunks: 0, bytes: 0 };
    return await withPortable(workspace, deps, signal, async (path, portable) => {
      if (portable.head !== commit || portable.contentHash !== meta.contentHash || !hasSameVersions(portable, versions))
        throw refused("the index changed while it was pushed", "push again");
      const files = portableFiles(path);
      const sending: Sending = {
        store,
        deps,
        options: optionsOf(workspace, LIGHT_RUN),
        sent,
        onProgress: request.onProgress,
        signal,
      };
      const contents = await sendFacts(sending, files);
      if (hasTexts) await sendTexts(sending, files);
      const index = await store.blobs.put(fileChunks(path), sent);
      const tree = await store.blobs.put(
        lineChunks(treeLines(files.map((file) => ({ ...file, hash: file.contentHash, bytes: file.sizeBytes })))),
        sent,
      );
      const snapshot = {
        repository,
        commit,
        build: versions.build,
        branch,
        craVersion: versions.craVersion,
        extractor: versions.extractorVersion,
        configHash: versions.configHash,
        contentHash: portable.contentHash,
        isShallow: portable.shallow !== null,
        files: files.length,
        hasTexts,
        index,
        tree,
      };
      await store.snapshots.publish(snapshot, await partsOf(store, snapshot, files));
      return { ...done, isNew: true, hasTexts, files: files.length, contents, bytes: sent.bytes, secrets, notices };
    });
  } finally {
    pool.close();
    await store.close();
  }
}

function secretsIn({ index }: Workspace): number {
  const kb = index.open();
  const ids = kb.files().map(({ id }) => id);
  return REDACTOR.rules === null ? 0 : ids.length - kb.secretFree(ids, REDACTOR.rules).length;
}

const refused = (message: string, next: string): Failed => new Failed({ code: "usage", message, next });

/** Files named in a message. */
const NAMED_MAX = 3;

/** An index is pushed under the name of a commit, so the work tree has to be that commit. */
async function refuseChanges({ root, environment, index }: Workspace, signal: AbortSignal): Promise<void> {
  const present = index
    .open()
    .files()
    .map(({ path }) => path);
  const reader = openRevisions(environment.variables);
  const changes = await workTreeChanges(reader, root, { diff: null, since: null }, present, signal);
  signal.throwIfAborted();
  if (changes.kind !== "changes")
    throw refused(
      `git cannot compare the work tree with its commit${"why" in changes ? `: ${changes.why}` : ""}`,
      "push from a plain clone",
    );
  const { length } = changes.files;
  if (length === 0) return;
  const named = changes.files
    .slice(0, NAMED_MAX)
    .map(({ path }) => path)
    .join(", ");
  const more = length > NAMED_MAX ? ` and ${length - NAMED_MAX} more` : "";
  throw refused(
    `the work tree differs from its commit in ${named}${more}`,
    "commit, ignore or stash these, or push from a fresh clone",
  );
}

/** Makes a portable copy of the index under its lock, and removes it afterwards. */
async function withPortable<Result>(
  { paths, index }: Workspace,
  { store }: Pick<IndexDeps, "store">,
  signal: AbortSignal,
  work: (path: string, meta: StoredMeta) => Promise<Result>,
): Promise<Result> {
  const path = join(dirname(paths.curated), `.${basename(paths.curated)}.${randomBytes(6).toString("hex")}.tmp`);
  // An open index keeps its state.
  index.close();
  try {
    const lock = await store.takeLock(signal);
    let meta: StoredMeta;
    try {
      meta = writePortable(paths.curated, path);
    } finally {
      lock.release();
    }
    return await work(path, meta);
  } finally {
    for (const suffix of [CHECKSUM_SUFFIX, "-wal", "-shm", ""]) rmSync(path + suffix, { force: true });
  }
}

type Sending = {
  readonly store: Store;
  readonly deps: IndexDeps;
  readonly options: IndexOptions;
  readonly sent: Transfer;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
};

/** Sends the facts that the store lacks. What the parse cache has lost is parsed again. */
async function sendFacts(sending: Sending, files: readonly PortableFile[]): Promise<Pushed["contents"]> {
  const { store, deps, signal, onProgress } = sending;
  const distinct = new Map(files.map((file) => [factsKey(keyOf(file)), file]));
  const all = [...distinct.values()];
  const missing: PortableFile[] = [];
  for (let at = 0; at < all.length; at += CONTENTS_AT_ONCE) {
    signal.throwIfAborted();
    const some = all.slice(at, at + CONTENTS_AT_ONCE);
    const there = await store.facts.keep(some.map(keyOf));
    missing.push(...some.filter((file) => !there.has(factsKey(keyOf(file)))));
  }
  const cache = deps.store.openCache();
  let sent = 0;
  try {
    await parseLost(sending, cache, missing);
    for (let at = 0; at < missing.length; at += CONTENTS_AT_ONCE) {
      onProgress({ phase: "push", done: at, total: missing.length });
      const rows = missing.slice(at, at + CONTENTS_AT_ONCE).flatMap((file) => {
        const packed = cache.packed(keyOf(file));
        // A machine with more time may parse these.
        return packed === null || isFailure(cache.facts(keyOf(file))?.problem) ? [] : [packed];
      });
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

const keyOf = ({ contentHash: hash, language }: PortableFile): FactsKey => ({ hash, language });

async function parseLost(
  { deps, options, onProgress, signal }: Sending,
  cache: ParseCache,
  files: readonly PortableFile[],
): Promise<void> {
  const lost = files.filter((file) => cache.packed(keyOf(file)) === null);
  if (lost.length === 0) return;
  const indexable = lost.map((file) => ({ ...file, isTest: false }));
  await completeCache(deps, options, indexable, cache, NO_ROWS, onProgress, signal);
}

/** Sends the bytes of all files that the store lacks. Throws a usage failure if a file is not what was indexed. */
async function sendTexts(
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
    if (read.kind === "problem" || hashOf(read.bytes) !== contentHash)
      throw refused(`${path} changed while it was pushed`, "push again");
    if (read.bytes.length > CHUNK_BYTES) await store.blobs.put(evenChunks(read.bytes), sent);
    else waiting.push({ hash: contentHash, bytes: read.bytes });
    bytes += read.bytes.length;
    if (bytes > TEXT_BYTES_AT_ONCE) await flush();
  }
  await flush();
}

function* fileChunks(path: string): Generator<Uint8Array> {
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
async function partsOf(
  { blobs }: Store,
  { index, tree, hasTexts }: Pick<Parameters<Store["snapshots"]["publish"]>[0], "index" | "tree" | "hasTexts">,
  files: readonly PortableFile[],
) {
  const names = [
    index,
    tree,
    ...(hasTexts ? files.map((file) => ({ hash: file.contentHash, bytes: file.sizeBytes })) : []),
  ];
  const large = names.filter(({ bytes }) => bytes > CHUNK_BYTES);
  const chunks = new Set(names.filter(({ bytes }) => bytes <= CHUNK_BYTES).map(({ hash }) => hash));
  for (const name of large) for (const hash of (await blobs.chunksOf(name)) ?? []) chunks.add(hash);
  return { chunks: [...chunks], blobs: large.map(({ hash }) => hash) };
}
