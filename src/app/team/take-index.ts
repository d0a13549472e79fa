/**
 * Takes the index of a commit from a store, checks it against what this machine knows of its files, and puts it where there is none yet.
 *
 * It lies under a temporary name until it is checked, so a refused one leaves no trace.
 */
import { closeSync, lstatSync, openSync, renameSync, writeSync } from "node:fs";
import { partPath, removePart, removeStaleParts } from "../../db/curated/index-part.ts";
import {
  type FinishedAs,
  openPortable,
  type PortableFile,
  type SaidCommit,
} from "../../db/curated/portable/portable-index.ts";
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { writeChecksum } from "../../db/sqlite/checksum.ts";
import { Failed } from "../../failure.ts";
import { interfaceHash } from "../../indexing/links/interface-hash.ts";
import { hashOfIndex } from "../../indexing/update/scan/compare.ts";
import { REDACTOR } from "../../secrets/redact.ts";
import type { BlobName, Transfer } from "../../store/blobs.ts";
import type { Store } from "../../store/open-store.ts";
import type { Snapshot } from "../../store/snapshots.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";

/** An index that was taken, before its rows are checked. */
export type TakenIndex = {
  readonly files: readonly PortableFile[];
  /** Checks and completes the rows of all files with a content. Throws `store-refused` for rows that say something else. */
  fill(content: KnownContent): void;
  /** The end of a shallow history; null for a complete one. */
  readonly shallow: string | null;
  readonly remoteUrl: string | null;
  hasCommits(commits: readonly SaidCommit[]): boolean;
  /** Ends the checks; files without a known content are to be made again. Returns their number. */
  finish(as: FinishedAs): number;
  /** Puts it in place, unless there is an index. The caller holds the lock. */
  place(): boolean;
  /** Removes it, unless it is in place. */
  drop(): void;
};

/** A content whose facts were found or checked on this machine. `bytes` is the size of the file. */
export type KnownContent = {
  readonly hash: string;
  readonly language: string;
  readonly bytes: number;
  readonly text: string;
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
};

/**
 * Fetches the index of a snapshot to a file beside `path`, where it is to be placed. Throws `store-refused` for one that is damaged or
 * that cra did not make, and `store-unavailable`.
 */
export async function takeIndex(
  store: Pick<Store, "blobs" | "shown">,
  snapshot: Snapshot,
  path: string,
  bytesMax: number,
  received: Transfer,
): Promise<TakenIndex> {
  removeStaleParts(path, Date.now());
  const part = partPath(path);
  const drop = (): void => removePart(part);
  try {
    if (snapshot.index.bytes > bytesMax)
      throw refused(store.shown, snapshot, `it has ${snapshot.index.bytes} bytes, more than these files can need`);
    await fetchTo(part, store, snapshot.index, received);
    return withWords(store.shown, snapshot, () => opened(part, path, store.shown, snapshot, drop));
  } catch (error) {
    drop();
    throw error;
  }
}

async function fetchTo(
  path: string,
  { blobs }: Pick<Store, "blobs">,
  name: BlobName,
  received: Transfer,
): Promise<void> {
  const file = openSync(path, "wx", 0o600);
  try {
    for await (const chunk of blobs.get(name, received)) writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

const refused = (where: string, { commit }: Snapshot, why: string): Failed =>
  new Failed({
    code: "store-refused",
    where,
    why: `the index of ${commit.slice(0, 12)}: ${why}`,
    next: "push that commit again: cra push --again, or ask who pushes to the store",
  });

const damaged = (path: string, why: string): Failed => new Failed({ code: "index-damaged", path, why });

/** Whatever SQLite, the checks or a schema say about the file refuses it. */
function withWords<Result>(where: string, snapshot: Snapshot, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "index-damaged")
      throw refused(where, snapshot, error.failure.why);
    if (error instanceof Failed && error.failure.code === "index-newer")
      throw refused(where, snapshot, "a newer cra made it");
    throw error;
  }
}

function opened(part: string, path: string, shown: string, snapshot: Snapshot, drop: () => void): TakenIndex {
  const portable = openPortable(part);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) portable.close();
    isOpen = false;
  };
  try {
    const { meta, files } = portable;
    const { craVersion, extractor, configHash, commit, contentHash } = snapshot;
    const isSnapshots =
      meta.craVersion === craVersion &&
      meta.extractorVersion === extractor &&
      meta.configHash === configHash &&
      meta.head === commit &&
      meta.contentHash === contentHash &&
      meta.provisional === undefined;
    if (!isSnapshots) throw damaged(part, "it is of another commit or another cra");
    if (hashOfIndex(files, meta) !== contentHash) throw damaged(part, "its files are not those of its content hash");
  } catch (error) {
    close();
    throw error;
  }
  const words = <Result>(work: () => Result): Result => withWords(shown, snapshot, work);
  return {
    files: portable.files,
    fill: ({ hash, language, bytes, text, facts, stats }) =>
      words(() =>
        portable.fill(
          { contentHash: hash, language, sizeBytes: bytes },
          {
            facts,
            stats,
            text,
            interfaceHash: interfaceHash(facts),
            secretFreeBy: REDACTOR.text(text) === text ? REDACTOR.rules : null,
          },
        ),
      ),
    shallow: portable.meta.shallow,
    remoteUrl: portable.meta.remoteUrl,
    hasCommits: portable.hasCommits,
    finish(as) {
      const unknown = words(() => portable.finish(as));
      close();
      return unknown;
    },
    place() {
      close();
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
      renameSync(part, path);
      writeChecksum(path, CURATED_SCHEMA);
      return true;
    },
    drop() {
      close();
      drop();
    },
  };
}
