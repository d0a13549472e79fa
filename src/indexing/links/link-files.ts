/**
 * Links files: resolves and stores imports, references, and which sources a test is for.
 *
 * After a change only the affected files are linked again (`affected-files.ts`). The stored result always equals linking all files.
 */

import type { DefinitionIds } from "../../db/curated/definition-ids.ts";
import type { ReferenceRow, TestSourceRow } from "../../db/curated/knowledge-base.ts";
import type { ExactUseStore } from "../../db/curated/write/exact-uses.ts";
import type { LinkWriter } from "../../db/curated/write/write-links.ts";
import type { LinkableSymbols } from "../../db/curated/write/write-symbols.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { inOrder } from "../../text/order.ts";
import { nameOf } from "../../text/repo-path.ts";
import { canLeadTo } from "../imports/ecmascript/workspaces.ts";
import type { SourceFile } from "../imports/model.ts";
import type { FileColumns } from "../model/file-list.ts";
import type { IndexableFile, ReportProgress } from "../model/index-run.ts";
import { affectedFiles, type FileChange } from "./affected-files.ts";
import { dependencyList } from "./dependency-list.ts";
import { exactReferences } from "./exact-files.ts";
import { inTurn } from "./in-turn.ts";
import { linkFacts } from "./link-facts.ts";
import { linkedFiles } from "./linked-files.ts";
import type { LinksElsewhere } from "./links-elsewhere.ts";
import type { FileEdges } from "./packed-links.ts";
import { type Repository, resolveLinks } from "./resolve-links.ts";
import { type TestMap, testMap } from "./test-map.ts";

/** Reads the text of a file of the generation; null if it cannot be read. */
type TextOf = (file: IndexableFile) => string | null;

/**
 * `files` are all files of the generation in path order, and `ids` those of their rows. `changes`: the written and removed
 * files, null if all files are linked. Of the changed files, those `withSameInterface` are linked again, and no other file because of them.
 * `parsed`: the only files with facts, null for all; others are only looked at as what imports and names lead to, and tests named after them.
 * `elsewhere`: what another thread links of the same files, if all are linked and there are no exact references.
 */
export type LinkInput = {
  readonly files: FileColumns;
  readonly ids: readonly number[];
  readonly textOf: TextOf;
  readonly changes: readonly FileChange[] | null;
  readonly withSameInterface: readonly string[];
  readonly parsed: ReadonlySet<string> | null;
  readonly elsewhere: LinksElsewhere | null;
};

/** Progress is reported after this many files or links. */
const FILES_PER_REPORT = 25;
const LINKS_PER_REPORT = 50;
/** At most this many files ask for each name that they use; for more, all names are read at once. */
const ASKING_MAX = 100;

/** Returns the files whose cached facts are unreadable. If there are any, the generation must not be committed. */
export function linkFiles(
  writer: LinkableSymbols & LinkWriter & ExactUseStore,
  cache: Pick<ParseCache, "outline" | "uses">,
  { files, ids, textOf, changes, withSameInterface, parsed, elsewhere }: LinkInput,
  report: ReportProgress,
): readonly string[] {
  const facts = linkFacts(cache);
  const sources = facts.sourcesOf(files);
  const positions = files.positions();
  const sourceAt = (path: string): SourceFile | undefined => sources[positions.get(path) ?? -1];
  const idOf = (path: string): number | undefined => ids[positions.get(path) ?? -1];
  const config = configReader(files.find, textOf, changes === null ? [] : (writer.configNames() ?? []));
  const repository: Repository = {
    sources,
    positions,
    facts,
    readConfig: config.read,
    definersIn: (family) => {
      // Finding all such names reads all symbols, so a few files ask for theirs one by one.
      const all = callers !== null && callers.size <= ASKING_MAX ? null : new Set(writer.namesDefinedOutside(family));
      const asked = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
      return {
        // Asking for each name would take longer than resolving it.
        isDefined: () => true,
        of: (sort, name) => writer.filesDefining(sort, name, family),
        external: (name, owners) => {
          if (all?.has(name) === false) return [];
          const found = asked.getOrInsertComputed(name, () => filesByOwner(writer.definedOutside(name, family)));
          const files = new Set((owners ?? [...found.keys()]).flatMap((owner) => [...(found.get(owner) ?? [])]));
          return [...files].sort(inOrder);
        },
      };
    },
  };
  const tests = testMap(sources, positions);
  const callers = changes === null ? null : affectedBy(changes);

  function affectedBy(all: readonly FileChange[]): ReadonlySet<string> {
    const removed = all.flatMap(({ kind, path }) => (kind === "removed" ? path : []));
    const affected = affectedFiles(all, linkedFiles(writer, { sources, sourceAt, paths: positions }, removed, config));
    const named = all.filter(({ kind }) => kind !== "changed").flatMap(tests.namedAfter);
    // What a compiler found follows no names.
    const exactly = writer.exactUsersOf(all.map(({ path }) => path));
    facts.forget();
    return new Set([...withSameInterface, ...affected, ...named, ...exactly].filter((path) => positions.has(path)));
  }
  const exact = exactReferences(writer, files, sources);
  writeLinks(writer, repository, { idOf, callers, parsed, tests, exact, elsewhere }, report);
  const other = elsewhere?.outcome() ?? { lost: [], configNames: [] };
  writer.setConfigNames([...new Set([...config.names(), ...other.configNames])].sort());
  const linked = parsed?.size ?? sources.length;
  report({ phase: "resolve", done: linked, total: linked });
  return [...facts.lost(), ...config.lost(), ...other.lost];
}

/** The files that define a name, by the last name of the owner. */
function filesByOwner(
  definitions: ReturnType<LinkableSymbols["definedOutside"]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, Set<string>>();
  for (const { qualifiedName, path } of definitions)
    files.getOrInsertComputed(qualifiedName.split(".").at(-2) ?? "", () => new Set<string>()).add(path);
  return files;
}

/** Reads configuration files as they are indexed, so that the same index always resolves in the same way. */
export function configReader<File>(
  fileAt: (path: string) => File | undefined,
  readText: (file: File) => string | null,
  known: readonly string[] = [],
) {
  const names = new Set<string>(known);
  const lost = new Set<string>();
  const textOf = (path: string): string | null => {
    const file = fileAt(path);
    if (file === undefined) return null;
    const text = readText(file);
    if (text === null) lost.add(path);
    return text;
  };
  return {
    read(path: string): string | null {
      names.add(nameOf(path));
      return textOf(path);
    },
    lost: (): readonly string[] => [...lost],
    isRead: (path: string): boolean => names.has(nameOf(path)),
    /** The names of all files that were asked for, existing or not. */
    names: (): readonly string[] => [...names].sort(),
    configures: (path: string, terms: readonly string[]): boolean =>
      names.has(nameOf(path)) && canLeadTo(path, textOf(path) ?? "", terms),
  };
}

type Links = {
  readonly idOf: (path: string) => number | undefined;
  /** The only files whose links are written; null for all. */
  readonly callers: ReadonlySet<string> | null;
  readonly parsed: LinkInput["parsed"];
  readonly tests: TestMap;
  readonly exact: ReturnType<typeof exactReferences>;
  readonly elsewhere: LinksElsewhere | null;
};

function writeLinks(
  writer: LinkableSymbols & LinkWriter,
  repository: Repository,
  { idOf, callers, parsed, tests, exact, elsewhere }: Links,
  report: ReportProgress,
): void {
  const total = (callers ?? parsed)?.size ?? repository.sources.length;
  // Reporting the start of a step lets the worker collect the garbage of the one before.
  report({ phase: "resolve", done: 0, total });
  const callerIds = callers === null ? null : [...callers].flatMap((path) => idOf(path) ?? []);
  const symbols = symbolsByFile(writer);
  const symbolAt = (path: string, index: number): number | undefined => symbols.of(idOf(path) ?? 0).at(index);
  const dependencies = dependencyList();
  const own = function* (): Generator<FileEdges> {
    const isLinked: Parameters<typeof resolveLinks>[1] = (file) =>
      elsewhere === null ? ((callers ?? parsed)?.has(file.path) ?? true) : !elsewhere.has(file);
    for (const { source, imports, references } of resolveLinks(repository, isLinked))
      yield { path: source.path, imports, references: exact(source.path, references) };
  };
  const references = function* (): Generator<ReferenceRow> {
    let done = 0;
    for (const links of inTurn(elsewhere === null ? [own] : [own, elsewhere.links])) {
      if (done % FILES_PER_REPORT === 0) report({ phase: "resolve", done, total });
      done += 1;
      for (const edge of links.imports) {
        tests.addImport(edge);
        const [source, target] = [idOf(edge.source), idOf(edge.target)];
        if (source !== undefined && target !== undefined) dependencies.add({ source, target, kind: edge.kind });
      }
      for (const edge of links.references) {
        tests.add(edge);
        const [caller, callee] = [symbolAt(edge.callerPath, edge.caller), symbolAt(edge.calleePath, edge.callee)];
        if (caller !== undefined && callee !== undefined)
          yield { caller, callee, kind: edge.kind, confidence: edge.confidence };
      }
      // While the other thread finds more.
      if (elsewhere !== null) tests.end(links.path);
    }
  };
  writer.setReferences(references(), callerIds);
  report({ phase: "resolve", done: 0, total });
  writer.setDependencies(dependencies.rows(), callerIds);
  const links = function* (): Generator<TestSourceRow> {
    let done = 0;
    for (const link of tests.links(callers, parsed)) {
      // There may be more of them than files.
      if (done % LINKS_PER_REPORT === 0) report({ phase: "resolve", done: Math.min(done, total), total });
      done += 1;
      const [test, source] = [idOf(link.test), idOf(link.source)];
      if (test !== undefined && source !== undefined) yield { ...link, test, source };
    }
  };
  writer.setTestSources(links(), callerIds);
}

/** The number of files whose symbol ids are kept in memory. */
const SYMBOLS_KEPT = 4_000;

/** Symbol ids by file, read on demand. */
function symbolsByFile({ symbolIdsOf }: LinkableSymbols): { of(fileId: number): DefinitionIds } {
  const kept = new Map<number, DefinitionIds>();
  return {
    of(fileId) {
      const known = kept.get(fileId);
      if (known !== undefined) return known;
      if (kept.size >= SYMBOLS_KEPT) kept.clear();
      const ids = symbolIdsOf(fileId);
      kept.set(fileId, ids);
      return ids;
    },
  };
}
