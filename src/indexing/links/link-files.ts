/**
 * Links files: resolves and stores imports, references, and which sources a test is for.
 *
 * If the written files have the same interfaces as before, only their own references are resolved again, where possible from
 * the facts of few files. The stored result always equals resolving all files.
 */

import type { ExactUseStore } from "../../db/curated/exact-uses.ts";
import type { ReferenceRow, TestSourceRow } from "../../db/curated/knowledge-base.ts";
import type { LinkWriter } from "../../db/curated/write-links.ts";
import type { LinkableSymbols } from "../../db/curated/write-symbols.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { ImportEdge, ImportsByPath, SourceFile } from "../imports/model.ts";
import { importsByPath, openImports, resolveImports } from "../imports/resolve-imports.ts";
import type { IndexableFile, ReportProgress } from "../model/index-run.ts";
import {
  type ReferenceEdge,
  resolveReferences,
  resolveReferencesOf,
  standsAlone,
} from "../references/resolve-references.ts";
import { withExactEdges } from "../scip/exact-edges.ts";
import { exactSource } from "./exact-files.ts";
import { linkFacts } from "./link-facts.ts";
import { testMap } from "./test-map.ts";

/**
 * `files` are all files of the generation in path order, `ids` their row ids. `callers`: the only files whose references may
 * change; null for all.
 */
type LinkInput = {
  readonly files: readonly Pick<IndexableFile, "path" | "language" | "contentHash">[];
  readonly ids: ReadonlyMap<string, number>;
  readonly callers: ReadonlySet<string> | null;
};

/** Progress is reported after this many files or links. */
const FILES_PER_REPORT = 25;
const LINKS_PER_REPORT = 50;

/** Returns the files whose cached facts are unreadable. If there are any, the generation must not be committed. */
export function linkFiles(
  writer: LinkableSymbols & LinkWriter & ExactUseStore,
  cache: Pick<ParseCache, "outline" | "uses" | "content">,
  { files, ids, callers }: LinkInput,
  report: ReportProgress,
): readonly string[] {
  const links = linkFacts(cache);
  const sources = files.map(({ path, language, contentHash: hash }) => links.sourceOf({ path, hash, language }));
  const config = configReader(files, cache);
  const lost = (): readonly string[] => [...links.lost(), ...config.lost()];
  const covered = exactSource(writer, files, callers);
  const exact = (uses: Iterable<ReferenceEdge>): Iterable<ReferenceEdge> =>
    covered.paths.length === 0 ? uses : withExactEdges(uses, covered, sources);
  if (callers === null) {
    const reportFile = (done: number): void => {
      if (done % FILES_PER_REPORT === 0) report({ phase: "resolve", done, total: sources.length });
    };
    for (const [index, source] of sources.entries()) {
      reportFile(index);
      void source.facts;
    }
    if (lost().length > 0) return lost();
    links.forgetTexts();
    const imports = resolveImports(sources, config.read, reportFile);
    const uses = exact(resolveReferences(sources, imports));
    writeLinks(writer, { sources, ids, callers, imports: imports.edges, uses }, report);
    writer.setConfigPaths(config.asked());
  } else {
    const imports = openImports(sources, config.read);
    const found = importsByPath(sources, imports);
    const own = sources.filter(({ path }) => callers.has(path));
    const uses = exact(usesOf(writer, callers, own, sources, found));
    const edges = own.flatMap((source) => imports.of(source).edges);
    writeLinks(writer, { sources, ids, callers, imports: edges, uses }, report);
  }
  report({ phase: "resolve", done: sources.length, total: sources.length });
  return lost();
}

function usesOf(
  { filesDefining, filesDefiningOutside }: LinkableSymbols,
  callers: ReadonlySet<string>,
  own: readonly SourceFile[],
  sources: readonly SourceFile[],
  imports: ImportsByPath,
): Iterable<ReferenceEdge> {
  if (!own.every((source) => standsAlone(source, imports))) return resolveReferences(sources, imports, callers);
  const definers = { of: filesDefining, external: filesDefiningOutside };
  return resolveReferencesOf(callers, sources, imports, definers);
}

/** Reads configuration files as they are indexed, so that the same index always resolves in the same way. */
export function configReader(files: LinkInput["files"], cache: Pick<ParseCache, "content">) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const asked = new Set<string>();
  const lost = new Set<string>();
  return {
    read(path: string): string | null {
      asked.add(path);
      const file = byPath.get(path);
      if (file === undefined) return null;
      const content = cache.content({ hash: file.contentHash, language: file.language });
      if (content === null) lost.add(path);
      return content?.text ?? null;
    },
    lost: (): readonly string[] => [...lost],
    asked: (): readonly string[] => [...asked].sort(),
  };
}

type Links = {
  readonly sources: readonly SourceFile[];
  readonly ids: ReadonlyMap<string, number>;
  readonly callers: ReadonlySet<string> | null;
  readonly imports: readonly ImportEdge[];
  readonly uses: Iterable<ReferenceEdge>;
};

function writeLinks(
  writer: LinkableSymbols & LinkWriter,
  { sources, ids, callers, imports, uses }: Links,
  report: ReportProgress,
): void {
  const total = sources.length;
  // Reporting the start of a step lets the worker collect the garbage of the one before.
  report({ phase: "resolve", done: 0, total });
  const callerIds = callers === null ? null : [...callers].flatMap((path) => ids.get(path) ?? []);
  writer.setDependencies(
    imports.flatMap(({ source, target, kind }) => {
      const [from, to] = [ids.get(source), ids.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to, kind }];
    }),
    callerIds,
  );
  const symbols = callers === null ? writer.symbolIds() : symbolsByFile(writer);
  const symbolAt = (path: string, index: number): number | undefined => symbols.get(ids.get(path) ?? 0)?.[index];
  const tests = testMap(sources, imports);
  report({ phase: "resolve", done: 0, total });
  const references = function* (): Generator<ReferenceRow> {
    let done = 0;
    let path = "";
    for (const edge of uses) {
      if (edge.callerPath !== path) {
        path = edge.callerPath;
        if (done % FILES_PER_REPORT === 0) report({ phase: "resolve", done, total });
        done += 1;
      }
      tests.add(edge);
      const [caller, callee] = [symbolAt(edge.callerPath, edge.caller), symbolAt(edge.calleePath, edge.callee)];
      if (caller !== undefined && callee !== undefined)
        yield { caller, callee, kind: edge.kind, confidence: edge.confidence };
    }
  };
  writer.setReferences(references(), callerIds);
  const links = function* (): Generator<TestSourceRow> {
    let done = 0;
    for (const link of tests.links(callers)) {
      if (done % LINKS_PER_REPORT === 0) report({ phase: "resolve", done, total });
      done += 1;
      const [test, source] = [ids.get(link.test), ids.get(link.source)];
      if (test !== undefined && source !== undefined) yield { ...link, test, source };
    }
  };
  writer.setTestSources(links(), callerIds);
}

/** Symbol ids by file, read on demand. */
function symbolsByFile({ symbolIdsOf }: LinkableSymbols): { get(fileId: number): readonly number[] | undefined } {
  const kept = new Map<number, readonly number[]>();
  return {
    get(fileId) {
      const known = kept.get(fileId) ?? symbolIdsOf(fileId);
      kept.set(fileId, known);
      return known;
    },
  };
}
