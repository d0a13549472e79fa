/**
 * Compares what is stored with what is there. Pure.
 *
 * Content decides, never a time stamp. A change of version, extractor or configuration makes every file
 * due again, since the same bytes may now give other rows.
 * Not here: reading files (`scan-and-parse.ts`), writing rows (`write-generation.ts`).
 */
import { createHash } from "node:crypto";
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { StoredFile } from "../../db/curated/write.ts";
import type { IndexOptions } from "./index-deps.ts";

/** A file of the work tree that is worth indexing; `contentHash` is the sha256 of its bytes in hex. */
export type FoundFile = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
};

export type Skip = { readonly path: string; readonly reason: string };

/** What rows are made with. */
export type Making = { readonly configHash: string; readonly craVersion: string; readonly extractorVersion: string };

/** The state of the repository. */
export type Found = {
  readonly files: readonly FoundFile[];
  readonly skips: readonly Skip[];
  readonly head: string | null;
  readonly remoteUrl: string | null;
  readonly shallow: string | null;
};

export type Stored = {
  readonly meta: StoredMeta | null;
  readonly files: readonly StoredFile[];
  readonly skips: readonly Skip[];
};

/** `id` is the stored row's, null for a new file. */
export type DueFile = FoundFile & { readonly id: number | null };

export type Plan = {
  readonly added: readonly DueFile[];
  readonly changed: readonly DueFile[];
  readonly removed: readonly StoredFile[];
  readonly unchanged: readonly DueFile[];
  /** The history's relations may differ: another HEAD, other files, other settings, or no history last time. */
  readonly historyDue: boolean;
  /** Nothing differs: there is nothing to parse and nothing to write. */
  readonly isCurrent: boolean;
};

/** Whether stored rows were made in the same way, so that equal content means equal rows. */
export const isMadeAlike = (meta: StoredMeta | null, making: Making): boolean =>
  meta !== null &&
  meta.configHash === making.configHash &&
  meta.craVersion === making.craVersion &&
  meta.extractorVersion === making.extractorVersion;

export function planIndex(stored: Stored, found: Found, making: Making): Plan {
  const { meta } = stored;
  const alike = isMadeAlike(meta, making);
  const gone = new Map(stored.files.map((file) => [file.path, file]));
  const [added, changed, unchanged]: [DueFile[], DueFile[], DueFile[]] = [[], [], []];
  for (const file of found.files) {
    const before = gone.get(file.path);
    gone.delete(file.path);
    const isSame = alike && before?.contentHash === file.contentHash && before.language === file.language;
    const list = before === undefined ? added : isSame ? unchanged : changed;
    list.push({ ...file, id: before?.id ?? null });
  }
  const removed = [...gone.values()];
  const sameHead =
    meta !== null && meta.head === found.head && meta.remoteUrl === found.remoteUrl && meta.shallow === found.shallow;
  const historyDue =
    !alike || !sameHead || added.length > 0 || removed.length > 0 || (meta?.historyProblem ?? null) !== null;
  const sameFiles = added.length === 0 && changed.length === 0 && removed.length === 0;
  return {
    added,
    changed,
    removed,
    unchanged,
    historyDue,
    isCurrent: alike && sameHead && sameFiles && sameSkips(stored.skips, found.skips),
  };
}

function sameSkips(stored: readonly Skip[], found: readonly Skip[]): boolean {
  const reasons = new Map(stored.map(({ path, reason }) => [path, reason]));
  return reasons.size === found.length && found.every(({ path, reason }) => reasons.get(path) === reason);
}

/** Names an index's content: every path with its content, the commit, and how rows are made. `files` in path order. */
export function indexContentHash(
  files: readonly Pick<FoundFile, "path" | "contentHash">[],
  { head, shallow }: Pick<Found, "head" | "shallow">,
  { configHash, extractorVersion }: Making,
): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([head, configHash, extractorVersion, ...(shallow === null ? [] : [shallow])]));
  for (const { path, contentHash } of files) hash.update(`\n${JSON.stringify(path)} ${contentHash}`);
  return hash.digest("hex");
}

/** What rows are made with under these options. */
export function makingOf(
  { craVersion, extractorVersion }: Omit<Making, "configHash">,
  { bytesMax, commitsMax, coChangeFilesMax, ignore }: IndexOptions,
): Making {
  const configHash = hashOfConfig({ bytesMax, commitsMax, coChangeFilesMax, ignore: JSON.stringify(ignore) });
  return { configHash, craVersion, extractorVersion };
}

/** Names a configuration, so that a change of it is seen. */
export const hashOfConfig = (config: Readonly<Record<string, number | string | boolean>>): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");
