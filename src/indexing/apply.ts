/**
 * Writes one generation of the index, in one transaction.
 *
 * Files are written as their facts come in, while others are still being parsed; at the end imports and references
 * are resolved over the facts of all files, and what differs from what is stored is written. Unchanged files keep
 * their ids and rows. Either all of it is committed or nothing.
 * Invariants: what it writes is a function of the last request and the cached facts only (row ids apart).
 * Not here: threads and files (`apply-worker.ts`), what changed (`plan.ts`).
 */
import type { ReferenceRow } from "../db/curated.ts";
import type { StoredMeta } from "../db/curated-meta.ts";
import type { CuratedWriter, RepoRecord } from "../db/curated-write.ts";
import type { CachedCommit, ParseCache } from "../db/parse-cache.ts";
import { coChanges, lastTouched } from "./co-change.ts";
import { resolveImports } from "./imports.ts";
import type { SourceFile } from "./imports-model.ts";
import { interfaceHash } from "./interface-hash.ts";
import { linkFacts, stringPool } from "./link-facts.ts";
import type { DueFile, Skip } from "./plan.ts";
import type { ReportProgress } from "./progress.ts";
import { resolveReferences } from "./references.ts";
import { testMap } from "./test-map.ts";

/** Everything the new generation is made of, apart from the facts, which are in the cache. Plain data. */
export type ApplyRequest = {
  readonly repo: RepoRecord;
  readonly meta: Omit<StoredMeta, "counts" | "languages" | "skipped">;
  /** Files whose rows are written, and those whose rows stay, each in path order. */
  readonly due: readonly DueFile[];
  readonly unchanged: readonly DueFile[];
  readonly removedIds: readonly number[];
  readonly skips: readonly Skip[];
  /** Whether what is stored was made in the same way, so that what need not differ does not. */
  readonly alike: boolean;
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
  readonly source: SourceFile;
  /** Other files see what they saw in the stored generation. */
  readonly looksSame: boolean;
};

/** Begins a generation. It is undone when `writer` is closed before `finish` has returned `applied`. */
export function openGeneration(writer: CuratedWriter, cache: ParseCache, report: ReportProgress): Generation {
  const written = new Map<string, Written>();
  const lost: string[] = [];
  const intern = stringPool();
  writer.begin();

  const put = (file: DueFile): void => {
    const known = written.get(file.path);
    if (known?.hash === file.contentHash && known.source.language === file.language) return;
    const facts = cache.facts(keyFor(file));
    const content = cache.content(keyFor(file));
    if (facts === null || content === null) {
      lost.push(file.path);
      return;
    }
    const { id: stored, ...record } = file;
    const { stats, packedText } = content;
    const row = { ...record, interfaceHash: interfaceHash(facts), facts, stats, packedText, text: content.text() };
    const { id, looksSame } = writer.putFile(row, known?.id ?? stored);
    const source = { path: file.path, language: file.language, facts: linkFacts(facts, intern) };
    // Written twice, it was compared with what is not the stored generation.
    written.set(file.path, { id, hash: file.contentHash, source, looksSame: looksSame && known === undefined });
  };

  const finish = (request: ApplyRequest): ApplyOutcome => {
    const { due, unchanged, removedIds } = request;
    const wanted = new Set([...due, ...unchanged].map(({ path }) => path));
    const gone = [...written].filter(([path]) => !wanted.has(path));
    for (const [path] of gone) written.delete(path);
    writer.removeFiles([...removedIds, ...gone.map(([, { id }]) => id)]);
    for (const [index, file] of due.entries()) {
      put(file);
      if (index % FILES_PER_REPORT === 0) report({ phase: "write", done: index, total: due.length });
    }
    report({ phase: "write", done: due.length, total: due.length });
    const ids = new Map(unchanged.flatMap(({ path, id }) => (id === null ? [] : [[path, id] as const])));
    for (const [path, { id }] of written) ids.set(path, id);
    writer.setRepo(request.repo);
    // Another commit of the same files relates them in the same way.
    const isRelatedAlike = request.alike && due.length + removedIds.length + gone.length + written.size === 0;
    if (!isRelatedAlike) relate(request, ids, removedIds.length + gone.length === 0);
    if (lost.length > 0) {
      writer.rollback();
      return { kind: "unreadable", paths: [...new Set(lost)] };
    }
    if (request.history !== null) writeHistory(writer, request.history, ids);
    writer.setSkips(request.skips);
    const meta = writer.setMeta(request.meta);
    writer.commit();
    return { kind: "applied", meta };
  };

  /** Writes what leads from file to file. `isWhole`: every file that was there still is. */
  function relate({ due, unchanged, alike }: ApplyRequest, ids: ReadonlyMap<string, number>, isWhole: boolean): void {
    const kept = unchanged.flatMap((file, index): SourceFile[] => {
      if (index % FILES_PER_REPORT === 0) report({ phase: "resolve", done: index, total: unchanged.length });
      if (written.has(file.path)) {
        // Its facts had to be made again, and its rows with them.
        put(file);
        return [];
      }
      const facts = cache.facts(keyFor(file));
      if (facts === null) lost.push(file.path);
      return facts === null ? [] : [{ path: file.path, language: file.language, facts: linkFacts(facts, intern) }];
    });
    if (lost.length > 0) return;
    const sources = [...[...written.values()].map(({ source }) => source), ...kept].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    );
    const config = configReader([...due, ...unchanged], cache);
    const askedBefore = new Set(writer.configPaths());
    const isSeenAlike =
      alike && isWhole && [...written].every(([path, { looksSame }]) => looksSame && !askedBefore.has(path));
    report({ phase: "resolve", done: 0, total: sources.length });
    const imports = resolveImports(sources, config.read);
    writeRelations(writer, sources, imports, ids, isSeenAlike ? new Set(written.keys()) : null, report);
    writer.setConfigPaths(config.asked());
    report({ phase: "resolve", done: sources.length, total: sources.length });
  }

  return { put: (files) => files.forEach(put), finish };
}

const keyFor = ({ contentHash: hash, language }: DueFile) => ({ hash, language });

/** Configuration files are read as they are indexed, so the same index never resolves in two ways. */
function configReader(files: readonly DueFile[], cache: ParseCache) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const asked = new Set<string>();
  return {
    read(path: string): string | null {
      asked.add(path);
      const file = byPath.get(path);
      return file === undefined ? null : (cache.content(keyFor(file))?.text() ?? null);
    },
    asked: (): readonly string[] => [...asked].sort(),
  };
}

/** `callers`: the only files whose uses may lead elsewhere than they did; null for all. */
function writeRelations(
  writer: CuratedWriter,
  sources: readonly SourceFile[],
  imports: ReturnType<typeof resolveImports>,
  ids: ReadonlyMap<string, number>,
  callers: ReadonlySet<string> | null,
  report: ReportProgress,
): void {
  writer.setDependencies(
    imports.edges.flatMap(({ source, target, kind }) => {
      const [from, to] = [ids.get(source), ids.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to, kind }];
    }),
  );
  const symbols = writer.symbolIds();
  const symbolAt = (path: string, index: number): number | undefined => symbols.get(ids.get(path) ?? 0)?.[index];
  const tests = testMap(sources, imports.edges);
  const references = function* (): Generator<ReferenceRow> {
    let files = 0;
    let path = "";
    for (const edge of resolveReferences(sources, imports, callers)) {
      if (edge.callerPath !== path) {
        path = edge.callerPath;
        files += 1;
        if (files % FILES_PER_REPORT === 0) report({ phase: "resolve", done: files, total: sources.length });
      }
      tests.add(edge);
      const [caller, callee] = [symbolAt(edge.callerPath, edge.caller), symbolAt(edge.calleePath, edge.callee)];
      if (caller !== undefined && callee !== undefined)
        yield { caller, callee, kind: edge.kind, confidence: edge.confidence };
    }
  };
  const callerIds = callers === null ? null : [...callers].flatMap((path) => ids.get(path) ?? []);
  writer.setReferences(references(), callerIds);
  writer.setTestSources(
    [...tests.links()].flatMap((link) => {
      if (callers !== null && !callers.has(link.test)) return [];
      const [test, source] = [ids.get(link.test), ids.get(link.source)];
      return test === undefined || source === undefined ? [] : [{ ...link, test, source }];
    }),
    callerIds,
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
