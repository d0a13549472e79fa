/**
 * Writes one generation of the index, in one transaction.
 *
 * Files are written as their facts come in, while others are still being parsed; at the end imports and references
 * are resolved (`link-files.ts`), and what differs from what is stored is written. Unchanged files keep their ids and rows.
 * Either all of it is committed or nothing.
 * Invariants: what it writes is a function of the last request, the stored generation and the cached facts only (row
 * ids apart).
 * Not here: threads and files (`writer-worker.ts`), what changed (`compare.ts`).
 */
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { CuratedWriter, RepoRecord } from "../../db/curated/write.ts";
import type { CachedCommit, ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { byPath } from "../../text/order.ts";
import { coChanges, lastTouched } from "../history/co-change.ts";
import { interfaceHash } from "../links/interface-hash.ts";
import { relate } from "../links/link-files.ts";
import type { DueFile, Skip } from "./compare.ts";
import type { ReportProgress } from "./progress.ts";

/** Everything the new generation is made of, apart from the facts, which are in the cache. Plain data. */
export type ApplyRequest = {
  readonly repo: RepoRecord;
  readonly meta: Omit<StoredMeta, "counts" | "languages" | "skipped">;
  /** Files whose rows are written, in path order, and those that are taken away; all others that are stored stay. */
  readonly due: readonly DueFile[];
  readonly removedIds: readonly number[];
  readonly skips: readonly Skip[];
  /** Whether what is stored was made in the same way, so that what need not differ does not. */
  readonly alike: boolean;
  /** An earlier try found cached facts unreadable: now all of them are looked at. */
  readonly isRepeated: boolean;
  /** Null: the stored history is still right. */
  readonly history: { readonly commits: readonly CachedCommit[]; readonly filesMax: number } | null;
};

/** `unreadable`: cached facts that must be parsed again before this can be done; nothing was written. */
export type ApplyOutcome =
  | { readonly kind: "applied"; readonly meta: StoredMeta }
  | { readonly kind: "unreadable"; readonly paths: readonly string[] };

export type Generation = {
  /** Writes files whose facts are in the cache. What turns out to be wrong of it is put right by `finish`. */
  put(files: readonly DueFile[]): void;
  /** Writes all the rest, and commits; afterwards the generation is of no use. */
  finish(request: ApplyRequest): ApplyOutcome;
};

/** After this many files progress is reported. */
const FILES_PER_REPORT = 25;

/** A file that was written, under which id, and as which content. */
type Written = {
  readonly id: number;
  readonly hash: string;
  readonly language: string;
  /** Other files see what they saw in the stored generation. */
  readonly looksSame: boolean;
};

/** Begins a generation. It is undone when `writer` is closed before `finish` has returned `applied`. */
export function openGeneration(writer: CuratedWriter, cache: ParseCache, report: ReportProgress): Generation {
  const written = new Map<string, Written>();
  const lost = new Set<string>();
  writer.begin();
  const stored = writer.files();

  const put = (file: DueFile): void => {
    const known = written.get(file.path);
    if (known?.hash === file.contentHash && known.language === file.language) return;
    const facts = cache.facts(keyFor(file));
    const content = cache.content(keyFor(file));
    if (facts === null || content === null) {
      lost.add(file.path);
      return;
    }
    const { id: before, ...record } = file;
    const { stats, packedText } = content;
    const row = { ...record, interfaceHash: interfaceHash(facts), facts, stats, packedText, text: content.text() };
    const { id, looksSame } = writer.putFile(row, known?.id ?? before);
    // Written twice, it was compared with what is not the stored generation.
    const isSame = looksSame && known === undefined;
    written.set(file.path, { id, hash: file.contentHash, language: file.language, looksSame: isSame });
  };

  const finish = (request: ApplyRequest): ApplyOutcome => {
    const { due, removedIds } = request;
    const isDue = new Set(due.map(({ path }) => path));
    const isRemoved = new Set(removedIds);
    const unchanged = stored.filter(({ id, path }) => !isDue.has(path) && !isRemoved.has(id));
    const files = [...due, ...unchanged].sort(byPath);
    const wanted = new Set(files.map(({ path }) => path));
    const gone = [...written].filter(([path]) => !wanted.has(path));
    for (const [path] of gone) written.delete(path);
    writer.removeFiles([...removedIds, ...gone.map(([, { id }]) => id)]);
    for (const [index, file] of due.entries()) {
      put(file);
      if (index % FILES_PER_REPORT === 0) report({ phase: "write", done: index, total: due.length });
    }
    report({ phase: "write", done: due.length, total: due.length });
    // The facts of others had to be made again, and their rows with them.
    for (const file of unchanged) if (written.has(file.path)) put(file);
    const ids = new Map(unchanged.map(({ path, id }) => [path, id]));
    for (const [path, { id }] of written) ids.set(path, id);
    writer.setRepo(request.repo);
    const isWhole = removedIds.length + gone.length === 0;
    // Another commit of the same files relates them in the same way.
    const isRelatedAlike = request.alike && isWhole && written.size === 0;
    if (!isRelatedAlike && lost.size === 0) {
      const askedBefore = new Set(writer.configPaths());
      const isSeenAlike =
        request.alike &&
        isWhole &&
        !request.isRepeated &&
        [...written].every(([path, { looksSame }]) => looksSame && !askedBefore.has(path));
      const callers = isSeenAlike ? new Set(written.keys()) : null;
      for (const path of relate(writer, cache, { files, ids, callers }, report)) lost.add(path);
    }
    if (lost.size > 0) {
      writer.rollback();
      return { kind: "unreadable", paths: [...lost] };
    }
    if (request.history !== null) writeHistory(writer, request.history, ids);
    writer.setSkips(request.skips);
    const meta = writer.setMeta(request.meta);
    writer.commit();
    return { kind: "applied", meta };
  };

  return { put: (files) => files.forEach(put), finish };
}

const keyFor = ({ contentHash: hash, language }: DueFile) => ({ hash, language });

function writeHistory(
  writer: CuratedWriter,
  { commits, filesMax }: NonNullable<ApplyRequest["history"]>,
  ids: ReadonlyMap<string, number>,
): void {
  writer.setCommits(
    commits.map(({ hash, author, message, timestamp, files }) => ({
      hash,
      author,
      message,
      timestamp,
      filesChanged: files.length,
      insertions: null,
      deletions: null,
    })),
  );
  const idOf = (path: string): readonly number[] => {
    const id = ids.get(path);
    return id === undefined ? [] : [id];
  };
  writer.setFileCommits(commits.flatMap(({ hash, files }) => files.flatMap(idOf).map((fileId) => ({ fileId, hash }))));
  writer.setModified([...lastTouched(commits)].flatMap(([path, at]) => idOf(path).map((fileId) => ({ fileId, at }))));
  const pairs = coChanges(commits, { filesMax, indexed: new Set(ids.keys()) });
  writer.setCoChanges(
    pairs.flatMap(({ a, b, count, lastCommit }) =>
      idOf(a).flatMap((first) => idOf(b).map((second) => ({ a: first, b: second, count, lastCommit }))),
    ),
  );
}
