/**
 * Compares the stored index with the repository, by content and never by time stamp.
 *
 * A change of version, extractor or configuration makes every file due again, because the same bytes may now give other
 * rows.
 */

import { createHash } from "node:crypto";
import type { StoredMeta } from "../../../db/curated/meta.ts";
import type { StoredFile } from "../../../db/curated/write/write.ts";
import { TOO_MUCH_WORK } from "../../../syntax/facts/facts.ts";
import { type FileList, filesAt } from "../../model/file-list.ts";
import type { DueFile, DueFiles, IndexableFile, IndexOptions, Skip } from "../../model/index-run.ts";

/** Everything besides content that decides how rows look. */
export type BuildVersions = {
  readonly configHash: string;
  readonly craVersion: string;
  readonly extractorVersion: string;
};

/** The state of the repository as the scan found it. */
export type RepositoryState = {
  /** In path order. */
  readonly files: FileList;
  readonly skips: readonly Skip[];
  readonly head: string | null;
  readonly remoteUrl: string | null;
  readonly shallow: string | null;
  /** Files whose content is the same and that could not be parsed before. */
  readonly recovered?: ReadonlySet<string>;
};

export type Stored = {
  readonly meta: StoredMeta | null;
  readonly files: readonly StoredFile[];
  readonly skips: readonly Skip[];
};

export type Plan = {
  readonly added: FileList;
  readonly changed: FileList;
  readonly removed: readonly StoredFile[];
  readonly unchanged: FileList;
  /** The added and changed ones. */
  readonly due: FileList;
  /** The stored row of each changed file, by path. */
  readonly ids: ReadonlyMap<string, number>;
  /** History must be read again: another HEAD, other files, other settings, or no history last time. */
  readonly historyDue: boolean;
  readonly sameSkips: boolean;
  /** Nothing differs, so nothing is parsed or written. */
  readonly isCurrent: boolean;
};

/** True if the stored rows were made with these versions, so that equal content means equal rows. */
export const hasSameVersions = (meta: StoredMeta | null, versions: BuildVersions): boolean =>
  meta !== null &&
  meta.configHash === versions.configHash &&
  meta.craVersion === versions.craVersion &&
  meta.extractorVersion === versions.extractorVersion;

/** Whether a file could not be parsed for a reason that may be gone next time. */
export const isFailure = (problem: string | null | undefined): boolean => problem != null && problem !== TOO_MUCH_WORK;

/** Compares what was found with what is stored. */
export function planIndex(stored: Stored, found: RepositoryState, versions: BuildVersions): Plan {
  const { meta } = stored;
  const sameVersions = hasSameVersions(meta, versions);
  const gone = new Map(stored.files.map((file) => [file.path, file]));
  /** Positions of files. */
  const [added, changed, unchanged, due]: [number[], number[], number[], number[]] = [[], [], [], []];
  const ids = new Map<string, number>();
  let position = 0;
  for (const file of found.files) {
    const before = gone.get(file.path);
    gone.delete(file.path);
    const isSame =
      sameVersions &&
      before?.contentHash === file.contentHash &&
      before.language === file.language &&
      found.recovered?.has(file.path) !== true;
    if (before !== undefined && !isSame) ids.set(file.path, before.id);
    (before === undefined ? added : isSame ? unchanged : changed).push(position);
    if (!isSame) due.push(position);
    position += 1;
  }
  const removed = [...gone.values()];
  const sameHead =
    meta !== null && meta.head === found.head && meta.remoteUrl === found.remoteUrl && meta.shallow === found.shallow;
  const historyDue =
    !sameVersions || !sameHead || added.length > 0 || removed.length > 0 || (meta?.historyProblem ?? null) !== null;
  const hasSameSkips = sameSkips(stored.skips, found.skips);
  const sameFiles = added.length === 0 && changed.length === 0 && removed.length === 0;
  return {
    added: filesAt(found.files, added),
    changed: filesAt(found.files, changed),
    removed,
    unchanged: filesAt(found.files, unchanged),
    due: filesAt(found.files, due),
    ids,
    historyDue,
    sameSkips: hasSameSkips,
    isCurrent: sameVersions && sameHead && sameFiles && hasSameSkips,
  };
}

/** The files of a plan whose rows are written, with the ids of those that have some. */
export const dueFiles = ({ due, ids }: Pick<Plan, "due" | "ids">): DueFiles => ({
  length: due.length,
  slice(from = 0, to = due.length) {
    const files: DueFile[] = [];
    for (let position = from; position < to; position += 1) {
      const file = due.at(position);
      if (file !== undefined) files.push({ ...file, id: ids.get(file.path) ?? null });
    }
    return files;
  },
});

const FILES_PER_PART = 2_000;

/** Due files in parts for a message each: a message stays in memory until it is handled. */
export function* partsOf(due: DueFiles): Generator<readonly DueFile[]> {
  for (let at = 0; at < due.length; at += FILES_PER_PART) yield due.slice(at, at + FILES_PER_PART);
}

/** The same one by one. */
export function* filesOf(due: DueFiles): Generator<DueFile> {
  for (const files of partsOf(due)) yield* files;
}

function sameSkips(stored: readonly Skip[], found: readonly Skip[]): boolean {
  const reasons = new Map(stored.map(({ path, reason }) => [path, reason]));
  return reasons.size === found.length && found.every(({ path, reason }) => reasons.get(path) === reason);
}

/** How much is hashed at once: a call for each file would take longer than hashing. */
const HASHED_CHARS = 64 * 1024;

/** A hash over every path with its content, the commit and the versions. `files` in path order. */
export function sourceHashOf(
  files: Iterable<Pick<IndexableFile, "path" | "contentHash">>,
  { head, shallow }: Pick<RepositoryState, "head" | "shallow">,
  { configHash, extractorVersion }: BuildVersions,
): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([head, configHash, extractorVersion, ...(shallow === null ? [] : [shallow])]));
  let lines = "";
  for (const { path, contentHash } of files) {
    lines += `\n${JSON.stringify(path)} ${contentHash}`;
    if (lines.length < HASHED_CHARS) continue;
    hash.update(lines);
    lines = "";
  }
  return hash.update(lines).digest("hex");
}

/** The history that a failed read leaves in the index. */
type KeptHistory = StoredMeta["keptHistory"];

/**
 * A hash over everything that the index is made of: its source, what could not be read or parsed and may be another time, and exact
 * references. It is the hash of the source where nothing is missing or added.
 */
export function indexContentHash(
  sourceHash: string,
  { head, historyProblem, keptHistory, scip }: Pick<StoredMeta, "head" | "historyProblem" | "keptHistory" | "scip">,
  problems: readonly { readonly path: string; readonly why: string }[],
): string {
  const history = head === null || historyProblem === null ? null : (keptHistory ?? "none");
  if (history === null && problems.length === 0 && scip === undefined) return sourceHash;
  const unparsed = problems.map(({ path, why }) => [path, why]);
  return createHash("sha256")
    .update(JSON.stringify([sourceHash, history, unparsed, ...(scip === undefined ? [] : [scip.id])]))
    .digest("hex");
}

/** The content hash of a stored index, from its rows. `files` in path order. */
export function hashOfIndex(
  files: readonly (Pick<IndexableFile, "path" | "contentHash"> & { readonly problem: string | null })[],
  meta: StoredMeta,
): string {
  const problems = files.flatMap(({ path, problem: why }) => (why === null ? [] : [{ path, why }]));
  return indexContentHash(sourceHashOf(files, meta, meta), meta, problems);
}

/** What is known of the history of an index: of which commit it is, null if there is none. */
export function knownHistory({ head, configHash, historyProblem, keptHistory }: StoredMeta): KeptHistory | null {
  if (historyProblem !== null) return keptHistory ?? null;
  return head === null ? null : { head, configHash };
}

/** The versions that these options give. */
export function buildVersionsOf(
  { craVersion, extractorVersion }: Omit<BuildVersions, "configHash">,
  { bytesMax, commitsMax, coChangeFilesMax, ignore }: IndexOptions,
): BuildVersions {
  const configHash = hashOfConfig({ bytesMax, commitsMax, coChangeFilesMax, ignore: JSON.stringify(ignore) });
  return { configHash, craVersion, extractorVersion };
}

/** A hash of the configuration. */
export const hashOfConfig = (config: Readonly<Record<string, number | string | boolean>>): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");
