/**
 * Writes what leads from file to file: imports, uses, and which sources a test is for.
 *
 * Of a generation that was made in the same way, when others see of the written files what they saw, only the uses of
 * those are resolved again, and where names allow it from the facts of few files.
 * Invariants: what is stored afterwards is what resolving all files would give.
 * Not here: when that is so (`write-generation.ts`), the rows of files.
 */
import type { ReferenceRow, TestSourceRow } from "../../db/curated/knowledge-base.ts";
import type { CuratedWriter } from "../../db/curated/write.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { ImportEdge, ImportsByPath, SourceFile } from "../imports/model.ts";
import { importsByPath, openImports, resolveImports } from "../imports/resolve-imports.ts";
import {
  type ReferenceEdge,
  resolveReferences,
  resolveReferencesOf,
  standsAlone,
} from "../references/resolve-references.ts";
import type { FoundFile } from "../update/compare.ts";
import type { ReportProgress } from "../update/progress.ts";
import { linkFacts } from "./link-facts.ts";
import { testMap } from "./test-map.ts";

/**
 * `files` are all files of the generation, in order of path, `ids` those of their rows. `callers`: the only files whose
 * uses may lead elsewhere than they did; null for all.
 */
type Related = {
  readonly files: readonly Pick<FoundFile, "path" | "language" | "contentHash">[];
  readonly ids: ReadonlyMap<string, number>;
  readonly callers: ReadonlySet<string> | null;
};

/** After this many files progress is reported. */
const FILES_PER_REPORT = 25;
const LINKS_PER_REPORT = 50;

/** Returns the files whose cached facts are not readable: if there are any, what was written is of no use. */
export function relate(
  writer: CuratedWriter,
  cache: ParseCache,
  { files, ids, callers }: Related,
  report: ReportProgress,
): readonly string[] {
  const links = linkFacts(cache);
  const sources = files.map(({ path, language, contentHash: hash }) => links.sourceOf({ path, hash, language }));
  const config = configReader(files, cache);
  const lost = (): readonly string[] => [...links.lost(), ...config.lost()];
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
    const uses = resolveReferences(sources, imports);
    writeRelations(writer, { sources, ids, callers, imports: imports.edges, uses }, report);
    writer.setConfigPaths(config.asked());
  } else {
    const imports = openImports(sources, config.read);
    const found = importsByPath(sources, imports);
    const own = sources.filter(({ path }) => callers.has(path));
    const uses = usesOf(writer, callers, own, sources, found);
    const edges = own.flatMap((source) => imports.of(source).edges);
    writeRelations(writer, { sources, ids, callers, imports: edges, uses }, report);
  }
  report({ phase: "resolve", done: sources.length, total: sources.length });
  return lost();
}

function usesOf(
  writer: CuratedWriter,
  callers: ReadonlySet<string>,
  own: readonly SourceFile[],
  sources: readonly SourceFile[],
  imports: ImportsByPath,
): Iterable<ReferenceEdge> {
  if (!own.every((source) => standsAlone(source, imports))) return resolveReferences(sources, imports, callers);
  const definers = { of: writer.filesDefining, outside: writer.filesDefiningOutside };
  return resolveReferencesOf(callers, sources, imports, definers);
}

/** Configuration files are read as they are indexed, so the same index never resolves in two ways. */
function configReader(files: Related["files"], cache: ParseCache) {
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
      return content?.text() ?? null;
    },
    lost: (): readonly string[] => [...lost],
    asked: (): readonly string[] => [...asked].sort(),
  };
}

type Relations = {
  readonly sources: readonly SourceFile[];
  readonly ids: ReadonlyMap<string, number>;
  readonly callers: ReadonlySet<string> | null;
  readonly imports: readonly ImportEdge[];
  readonly uses: Iterable<ReferenceEdge>;
};

function writeRelations(
  writer: CuratedWriter,
  { sources, ids, callers, imports, uses }: Relations,
  report: ReportProgress,
): void {
  const total = sources.length;
  // Where a step begins it is said, since then the memory of the one before is free.
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

/** The ids of few files' symbols. */
function symbolsByFile(writer: CuratedWriter): { get(fileId: number): readonly number[] | undefined } {
  const kept = new Map<number, readonly number[]>();
  return {
    get(fileId) {
      const known = kept.get(fileId) ?? writer.symbolIdsOf(fileId);
      kept.set(fileId, known);
      return known;
    },
  };
}
