/**
 * Writes one generation of the index, in one transaction.
 *
 * Resolves imports and references over the facts of all files, then writes what differs from what is
 * stored: unchanged files keep their ids and rows. Either all of it is committed or nothing.
 * Invariants: what it writes is a function of the request and the cached facts only (row ids apart).
 * Not here: threads and files (`apply-worker.ts`), what changed (`plan.ts`).
 */
import type { StoredMeta } from "../db/curated-meta.ts";
import type { CuratedWriter, RepoRecord } from "../db/curated-write.ts";
import type { CachedCommit, ParseCache } from "../db/parse-cache.ts";
import type { FileFacts } from "../syntax/facts.ts";
import { coChanges, lastTouched } from "./co-change.ts";
import { resolveImports } from "./imports.ts";
import type { SourceFile } from "./imports-model.ts";
import type { DueFile, Skip } from "./plan.ts";
import type { ReportProgress } from "./progress.ts";
import { resolveReferences } from "./references.ts";

/** Everything the new generation is made of, apart from the facts, which are in the cache. Plain data. */
export type ApplyRequest = {
  readonly repo: RepoRecord;
  readonly meta: Omit<StoredMeta, "counts" | "languages" | "skipped">;
  /** Files whose rows are written, and those whose rows stay, each in path order. */
  readonly due: readonly DueFile[];
  readonly unchanged: readonly DueFile[];
  readonly removedIds: readonly number[];
  readonly skips: readonly Skip[];
  /** Null: the stored history is still right. */
  readonly history: { readonly commits: readonly CachedCommit[]; readonly filesMax: number } | null;
};

/** `unreadable`: cached facts that must be parsed again before this can be done; nothing was written. */
export type ApplyOutcome =
  | { readonly kind: "applied"; readonly meta: StoredMeta }
  | { readonly kind: "unreadable"; readonly paths: readonly string[] };

/** After this many files progress is reported. */
const FILES_PER_REPORT = 25;

export function applyGeneration(
  writer: CuratedWriter,
  cache: ParseCache,
  request: ApplyRequest,
  report: ReportProgress,
): ApplyOutcome {
  const files = [...request.due, ...request.unchanged].sort((a, b) => (a.path < b.path ? -1 : 1));
  const facts = new Map<string, FileFacts>();
  for (const file of files) {
    const found = cache.facts(keyFor(file));
    if (found !== null) facts.set(file.path, found);
    if (facts.size % FILES_PER_REPORT === 0) report({ phase: "resolve", done: facts.size, total: files.length });
  }
  if (facts.size < files.length)
    return { kind: "unreadable", paths: files.flatMap(({ path }) => (facts.has(path) ? [] : [path])) };
  const resolved = resolve(files, facts, cache);
  report({ phase: "resolve", done: files.length, total: files.length });
  const meta = writer.transaction(() => {
    writer.setRepo(request.repo);
    const ids = writeFiles(writer, cache, request, facts, report);
    if (ids === null) return null;
    writeRelations(writer, resolved, ids);
    if (request.history !== null) writeHistory(writer, request.history, ids);
    writer.setSkips(request.skips);
    return writer.setMeta(request.meta);
  });
  return meta === null ? { kind: "unreadable", paths: request.due.map(({ path }) => path) } : { kind: "applied", meta };
}

const keyFor = ({ contentHash: hash, language }: DueFile) => ({ hash, language });

type Resolved = {
  readonly imports: ReturnType<typeof resolveImports>;
  readonly references: ReturnType<typeof resolveReferences>;
};

/** Configuration files are read as they are indexed, so the same index never resolves in two ways. */
function resolve(files: readonly DueFile[], facts: ReadonlyMap<string, FileFacts>, cache: ParseCache): Resolved {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const sources = files.flatMap(({ path, language }): SourceFile[] => {
    const found = facts.get(path);
    return found === undefined ? [] : [{ path, language, facts: found }];
  });
  const readConfig = (path: string): string | null => {
    const file = byPath.get(path);
    return file === undefined ? null : (cache.content(keyFor(file))?.text() ?? null);
  };
  const imports = resolveImports(sources, readConfig);
  return { imports, references: resolveReferences(sources, imports) };
}

/** Writes files and returns every file's id by path; null when the cache lost one meanwhile. */
function writeFiles(
  writer: CuratedWriter,
  cache: ParseCache,
  { due, unchanged, removedIds }: ApplyRequest,
  facts: ReadonlyMap<string, FileFacts>,
  report: ReportProgress,
): ReadonlyMap<string, number> | null {
  writer.removeFiles(removedIds);
  const ids = new Map(unchanged.flatMap(({ path, id }) => (id === null ? [] : [[path, id] as const])));
  for (const [index, file] of due.entries()) {
    const content = cache.content(keyFor(file));
    const found = facts.get(file.path);
    if (content === null || found === undefined) return null;
    const { id, ...record } = file;
    const { stats, packedText } = content;
    ids.set(file.path, writer.putFile({ ...record, facts: found, stats, packedText, text: content.text() }, id));
    if (index % FILES_PER_REPORT === 0) report({ phase: "write", done: index, total: due.length });
  }
  report({ phase: "write", done: due.length, total: due.length });
  return ids;
}

function writeRelations(
  writer: CuratedWriter,
  { imports, references }: Resolved,
  ids: ReadonlyMap<string, number>,
): void {
  writer.setDependencies(
    imports.edges.flatMap(({ source, target, kind }) => {
      const [from, to] = [ids.get(source), ids.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to, kind }];
    }),
  );
  const symbols = writer.symbolIds();
  const symbolAt = (path: string, index: number): number | undefined => symbols.get(ids.get(path) ?? 0)?.[index];
  writer.setReferences(
    references.flatMap(({ callerPath, caller, calleePath, callee, kind, confidence }) => {
      const [from, to] = [symbolAt(callerPath, caller), symbolAt(calleePath, callee)];
      return from === undefined || to === undefined ? [] : [{ caller: from, callee: to, kind, confidence }];
    }),
  );
}

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
