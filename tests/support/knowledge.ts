/**
 * A knowledge base over in-memory fixture files, for tests of ranking.
 *
 * Symbols are given, not parsed. File ids follow the order of the fixture unless `idOf` permutes them.
 */
import { listedIds } from "../../src/db/curated/definition-ids.ts";
import type {
  CoChangeRow,
  DependencyRow,
  FileMetadataRow,
  FileRow,
  KnowledgeBase,
  ReferenceRow,
  SymbolRow,
} from "../../src/db/curated/knowledge-base.ts";
import { isTestPath } from "../../src/languages/file-role.ts";
import { languageOf } from "../../src/languages/languages.ts";
import { encodeTermStats } from "../../src/text/terms/encode-term-stats.ts";
import type { SymbolKind } from "../../src/text/terms/segments.ts";

/** A fixture symbol. `parent` is the index of an earlier one; `doc` is the first line of the comment above it. */
export type FixtureSymbol = {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly lines: readonly [start: number, end: number];
  readonly doc?: number;
  readonly parent?: number;
  readonly signature?: string;
};

export type FixtureFile = {
  readonly text: string;
  readonly symbols?: readonly FixtureSymbol[];
  readonly commentLines?: readonly (readonly [from: number, to: number])[];
  readonly modifiedAt?: number;
};

/** A fixture repository by path. Relations refer to paths. */
export type Fixture = {
  readonly files: Readonly<Record<string, FixtureFile | string>>;
  readonly imports?: readonly (readonly [source: string, target: string])[];
  readonly coChanges?: readonly (readonly [a: string, b: string, count: number])[];
  readonly metadata?: Readonly<Record<string, Partial<Omit<FileMetadataRow, "fileId">>>>;
  readonly commitRange?: { readonly oldest: number; readonly newest: number };
};

/** Builds the knowledge base. `idOf` maps the index of a file in the fixture to its id. */
export function knowledgeOf(fixture: Fixture, idOf: (index: number) => number = (index) => index + 1): KnowledgeBase {
  const entries = Object.entries(fixture.files).map(([path, file], index) => {
    const plain: FixtureFile = typeof file === "string" ? { text: file } : file;
    return { path, file: plain, id: idOf(index) };
  });
  const idByPath = new Map(entries.map(({ path, id }) => [path, id]));
  const id = (path: string): number => {
    const found = idByPath.get(path);
    if (found === undefined) throw new Error(`the fixture has no file ${path}`);
    return found;
  };
  const symbols = entries.flatMap(({ id: fileId, file }) => symbolRows(fileId, file));
  const dependencies: readonly DependencyRow[] = (fixture.imports ?? []).map(([source, target]) => ({
    source: id(source),
    target: id(target),
    kind: "import",
  }));
  const coChanges: readonly CoChangeRow[] = (fixture.coChanges ?? []).map(([a, b, count]) => ({
    a: id(a),
    b: id(b),
    count,
  }));
  const references: readonly ReferenceRow[] = [];
  const within = (ids: readonly number[]) => {
    const set = new Set(ids);
    return (value: number): boolean => set.has(value);
  };
  const texts: KnowledgeBase["texts"] = (ids) =>
    new Map(entries.filter((entry) => within(ids)(entry.id)).map((entry) => [entry.id, entry.file.text]));
  return {
    meta: () => ({
      contentHash: "fixture",
      sourceHash: "",
      head: null,
      remoteUrl: null,
      repoPath: "/fixture",
      indexedAt: "2026-01-01T00:00:00Z",
      craVersion: "0",
      extractorVersion: "0",
      historyProblem: fixture.commitRange === undefined ? "no history" : null,
      counts: {
        files: entries.length,
        symbols: symbols.length,
        dependencies: dependencies.length,
        references: 0,
        commits: 0,
      },
      languages: [],
      skipped: [],
    }),
    files: () => entries.map(fileRow).sort((a, b) => (a.path < b.path ? -1 : 1)),
    storedFiles: (ids) =>
      entries
        .filter(({ id }) => ids === undefined || ids.includes(id))
        .map((entry) => ({ ...fileRow(entry), contentHash: entry.path, sizeBytes: entry.file.text.length })),
    symbolsIn: (ids) => ids.flatMap((id) => symbols.filter(({ fileId }) => fileId === id)),
    definitionsIn: (ids) => ids.flatMap((id) => symbols.filter(({ fileId }) => fileId === id)),
    definitionIdsIn: (ids) =>
      ids.flatMap((fileId) => {
        const own = symbols.filter((symbol) => symbol.fileId === fileId).map(({ id }) => id);
        return own.length === 0 ? [] : [{ fileId, ids: listedIds(own) }];
      }),
    definitionRows: (ids) => ids.flatMap((id) => symbols.filter((symbol) => symbol.id === id)),
    inlineTests: () => new Set(),
    symbolsById: (ids) => symbols.filter((symbol) => within(ids)(symbol.id)),
    symbolsNamed: (names) => symbols.filter(({ name }) => names.includes(name)),
    definitionsNamed: (names) => symbols.filter(({ name }) => names.includes(name)),
    outlineNamed: () => [],
    termStats: () => ({
      rows: entries
        .toSorted((a, b) => a.id - b.id)
        .map(({ id: fileId, file, path }) => ({ kind: "file", fileId, stats: statsOf(file, languageOf(path)) })),
    }),
    texts,
    textsToMatch: texts,
    bytesToMatch: (ids) => new Map([...texts(ids)].map(([id, text]) => [id, Buffer.from(text)])),
    docstringsIn: () => [],
    commentsIn: () => [],
    rationalesIn: () => [],
    dependenciesBetween: (ids) =>
      dependencies.filter(({ source, target }) => within(ids)(source) && within(ids)(target)),
    dependencyEnds: (ids) => dependencies.filter(({ source, target }) => within(ids)(source) || within(ids)(target)),
    dependenciesOf: (ids) => dependencies.filter(({ source, target }) => within(ids)(source) || within(ids)(target)),
    importerCounts: () => {
      const counts = new Map<number, number>();
      for (const { target } of dependencies) counts.set(target, (counts.get(target) ?? 0) + 1);
      return counts;
    },
    fileUses: (ids) =>
      ids.map((fileId) => ({
        fileId,
        users: dependencies.filter(({ target }) => target === fileId).length,
        used: dependencies.filter(({ source, target }) => source === fileId && within(ids)(target)).length,
      })),
    referencesFrom: () => references,
    referencesTo: () => references,
    testedBy: () => [],
    testsOf: () => [],
    coChangesOf: (ids) => coChanges.filter(({ a, b }) => within(ids)(a) || within(ids)(b)),
    secretFree: () => [],
    idsOf: (paths) => new Map(paths.map((path) => [path, id(path)])),
    skipOf: () => null,
    fileMetadata: () =>
      Object.entries(fixture.metadata ?? {}).map(([path, row]) => ({
        purpose: null,
        module: null,
        domain: null,
        concepts: [],
        ...row,
        fileId: id(path),
      })),
    commitRange: () => fixture.commitRange ?? null,
    search: () => [],
    findDefinitions: () => [],
    findCommits: () => [],
    definitionsById: () => [],
    commitsById: () => [],
    textKeys: () => [],
    tellingFirst: () => [],
    commitHashes: () => [],
    close: () => undefined,
  };
}

const lineCountOf = (text: string): number => text.split("\n").length;

function fileRow({
  path,
  file,
  id,
}: {
  readonly path: string;
  readonly file: FixtureFile;
  readonly id: number;
}): FileRow {
  return {
    id,
    path,
    language: languageOf(path),
    lineCount: lineCountOf(file.text),
    tokenCount: Math.ceil(file.text.length / 4),
    isTest: isTestPath(path),
    modifiedAt: file.modifiedAt ?? null,
  };
}

/** Ids are unique across files and follow the order of the fixture's symbols. */
function symbolRows(fileId: number, { symbols = [] }: FixtureFile): readonly SymbolRow[] {
  const idAt = (index: number): number => fileId * 10_000 + index;
  const qualified: string[] = [];
  return symbols.map(({ name, kind, lines: [startLine, endLine], doc, parent, signature }, index) => {
    const qualifiedName = parent === undefined ? name : `${qualified[parent]}.${name}`;
    qualified.push(qualifiedName);
    return {
      id: idAt(index),
      fileId,
      name,
      qualifiedName,
      kind,
      startLine,
      endLine,
      docLine: doc ?? startLine,
      nameLine: startLine,
      signature: signature ?? "",
      signatureTokens: 1,
      bodyTokens: 1,
      parentId: parent === undefined ? null : idAt(parent),
      exported: true,
    };
  });
}

/** The term statistics that the index would store for a fixture file. */
export function statsOf({ text, symbols = [], commentLines = [] }: FixtureFile, language: string): Uint8Array {
  return encodeTermStats({
    text,
    symbols: symbols.map(({ name, kind, lines: [startLine, endLine], doc, parent, signature }) => ({
      name,
      kind,
      startLine,
      endLine,
      docLine: doc ?? startLine,
      signature: signature ?? "",
      parent: parent ?? null,
    })),
    commentLines: commentLines.map(([line, endLine]) => ({ line, endLine })),
    docstrings: language === "python",
  });
}
