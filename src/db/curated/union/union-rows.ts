/** The rows of several indexes as those of one: ids are translated, and paths begin with the name of their repository. */
import type {
  DependencyEnds,
  DependencyRow,
  EdgeQueries,
  FileQueries,
  FileRow,
  FoundCommitRow,
  FoundDefinition,
  KnowledgeBase,
  ProseQueries,
  RecallQueries,
  ReferenceRow,
  SymbolQueries,
  SymbolRow,
  TermStatsRow,
} from "../knowledge-base.ts";
import { keptRows } from "../term-blocks.ts";
import type { Part, UnionIds } from "./union-ids.ts";

/** An import of one repository in another, by paths of the union. */
export type CrossImport = { readonly source: string; readonly target: string };

/** A symbol, by its place in the union. */
export type SymbolPlace = { readonly path: string; readonly qualifiedName: string; readonly startLine: number };

/** A use of a symbol of one repository in another. */
export type CrossReference = Omit<ReferenceRow, "caller" | "callee"> & {
  readonly caller: SymbolPlace;
  readonly callee: SymbolPlace;
};

/** Everything that links repositories. */
export type CrossLinks = { readonly imports: readonly CrossImport[]; readonly references: readonly CrossReference[] };

export const NO_LINKS: CrossLinks = { imports: [], references: [] };

/** Rows by file, in the order in which the files were asked for. */
function inFileOrder<Row extends { readonly fileId: number }>(
  fileIds: readonly number[],
  rows: readonly Row[],
): readonly Row[] {
  const byFile = Map.groupBy(rows, ({ fileId }) => fileId);
  return [...new Set(fileIds)].flatMap((id) => byFile.get(id) ?? []);
}

export function fileUnion({ parts, count, up, ask }: UnionIds): Omit<FileQueries, "skipOf"> {
  const byFile =
    <T>(question: (kb: KnowledgeBase, ids: readonly number[]) => ReadonlyMap<number, T>) =>
    (fileIds: readonly number[]): ReadonlyMap<number, T> => {
      const found = new Map(
        ask(fileIds, (part, ids) => [...question(part.kb, ids)].map(([id, value]) => [up(part, id), value] as const)),
      );
      return new Map(
        fileIds.flatMap((id) => {
          const value = found.get(id);
          return value === undefined ? [] : [[id, value] as const];
        }),
      );
    };
  const inUnion =
    (part: Part) =>
    <Row extends FileRow>(file: Row): Row => ({ ...file, id: up(part, file.id), path: `${part.name}/${file.path}` });
  const files = parts.flatMap((part) => part.kb.files().map(inUnion(part)));
  const rows = parts.flatMap((part) =>
    keptRows(part.kb.termStats()).map(
      (row): TermStatsRow =>
        row.kind === "file"
          ? { ...row, fileId: up(part, row.fileId) }
          : { ...row, firstId: up(part, row.firstId), step: row.step * count },
    ),
  );
  const termStats = { rows };
  return {
    files: () => files,
    storedFiles: (fileIds) =>
      fileIds === undefined
        ? parts.flatMap((part) => part.kb.storedFiles().map(inUnion(part)))
        : ask(fileIds, (part, ids) => part.kb.storedFiles(ids).map(inUnion(part))),
    texts: byFile((kb, ids) => kb.texts(ids)),
    textsToMatch: byFile((kb, ids) => kb.textsToMatch(ids)),
    bytesToMatch: byFile((kb, ids) => kb.bytesToMatch(ids)),
    termStats: () => termStats,
    fileMetadata: () =>
      parts.flatMap((part) => part.kb.fileMetadata().map((row) => ({ ...row, fileId: up(part, row.fileId) }))),
    secretFree: (fileIds, rules) =>
      ask(fileIds, (part, ids) => part.kb.secretFree(ids, rules).map((id) => up(part, id))),
    idsOf: (paths) =>
      new Map(
        parts.flatMap((part) => {
          const own = paths.flatMap((path) =>
            path.startsWith(`${part.name}/`) ? [path.slice(part.name.length + 1)] : [],
          );
          return [...part.kb.idsOf(own)].map(([path, id]) => [`${part.name}/${path}`, up(part, id)] as const);
        }),
      ),
  };
}

export function symbolUnion({ parts, count, up, upOrNull, ask }: UnionIds): SymbolQueries {
  const placed = <Row extends Pick<SymbolRow, "id" | "fileId">>(part: Part, row: Row) => ({
    ...row,
    id: up(part, row.id),
    fileId: up(part, row.fileId),
  });
  const symbol = <Row extends Pick<SymbolRow, "id" | "fileId" | "parentId">>(part: Part, row: Row) => ({
    ...placed(part, row),
    parentId: upOrNull(part, row.parentId),
  });
  const named =
    (question: (kb: KnowledgeBase, names: readonly string[]) => readonly SymbolRow[]) =>
    (names: readonly string[]): readonly SymbolRow[] =>
      parts.flatMap((part) => question(part.kb, names).map((row) => symbol(part, row)));
  return {
    symbolsIn: (fileIds) =>
      inFileOrder(
        fileIds,
        ask(fileIds, (part, ids) => part.kb.symbolsIn(ids).map((row) => symbol(part, row))),
      ),
    definitionsIn: (fileIds) =>
      inFileOrder(
        fileIds,
        ask(fileIds, (part, ids) => part.kb.definitionsIn(ids).map((row) => placed(part, row))),
      ),
    definitionIdsIn: (fileIds) =>
      inFileOrder(
        fileIds,
        ask(fileIds, (part, ids) =>
          part.kb
            .definitionIdsIn(ids)
            .map(({ fileId, ids: own }) => ({ fileId: up(part, fileId), ids: own.scaled(count, part.at) })),
        ),
      ),
    definitionRows(symbolIds) {
      const rows = ask(symbolIds, (part, ids) => part.kb.definitionRows(ids).map((row) => placed(part, row)));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return symbolIds.flatMap((id) => byId.get(id) ?? []);
    },
    inlineTests: (symbolIds) =>
      new Set(ask(symbolIds, (part, ids) => [...part.kb.inlineTests(ids)].map((id) => up(part, id)))),
    symbolsById: (symbolIds) => ask(symbolIds, (part, ids) => part.kb.symbolsById(ids).map((row) => symbol(part, row))),
    symbolsNamed: named((kb, names) => kb.symbolsNamed(names)),
    definitionsNamed(names) {
      const rows = parts.flatMap((part) => part.kb.definitionsNamed(names).map((row) => symbol(part, row)));
      const byName = Map.groupBy(rows, ({ name }) => name);
      return [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
    },
    outlineNamed: named((kb, names) => kb.outlineNamed(names)),
  };
}

export function proseUnion({ up, upOrNull, ask }: UnionIds): ProseQueries {
  const placed = <Row extends { readonly fileId: number; readonly symbolId: number | null }>(part: Part, row: Row) => ({
    ...row,
    fileId: up(part, row.fileId),
    symbolId: upOrNull(part, row.symbolId),
  });
  return {
    docstringsIn: (fileIds) => ask(fileIds, (part, ids) => part.kb.docstringsIn(ids).map((row) => placed(part, row))),
    commentsIn: (fileIds) => ask(fileIds, (part, ids) => part.kb.commentsIn(ids).map((row) => placed(part, row))),
    rationalesIn: (fileIds) => ask(fileIds, (part, ids) => part.kb.rationalesIn(ids).map((row) => placed(part, row))),
  };
}

/** The links between repositories as rows. */
type CrossRows = {
  readonly dependencies: readonly DependencyRow[];
  readonly references: readonly ReferenceRow[];
};

export function crossRows(
  { idsOf }: FileQueries,
  { symbolsIn }: SymbolQueries,
  { imports, references }: CrossLinks,
): CrossRows {
  const ids = idsOf([...new Set(imports.flatMap(({ source, target }) => [source, target]))]);
  const symbols = new Map(
    symbolsIn([...ids.values()]).map(({ id, fileId, qualifiedName, startLine }) => [
      `${fileId} ${startLine} ${qualifiedName}`,
      id,
    ]),
  );
  const symbolAt = ({ path, startLine, qualifiedName }: SymbolPlace): number | undefined =>
    symbols.get(`${ids.get(path)} ${startLine} ${qualifiedName}`);
  return {
    dependencies: imports.flatMap(({ source, target }) => {
      const [from, to] = [ids.get(source), ids.get(target)];
      return from === undefined || to === undefined ? [] : [{ source: from, target: to, kind: "import" as const }];
    }),
    references: references.flatMap(({ caller, callee, kind, confidence }) => {
      const [from, to] = [symbolAt(caller), symbolAt(callee)];
      return from === undefined || to === undefined ? [] : [{ caller: from, callee: to, kind, confidence }];
    }),
  };
}

const hasEnd = ({ source, target }: DependencyEnds, ids: ReadonlySet<number>): boolean =>
  ids.has(source) || ids.has(target);

export function edgeUnion({ parts, up, ask }: UnionIds, cross: CrossRows): EdgeQueries {
  const dependencies =
    <Row extends DependencyEnds>(
      question: (kb: KnowledgeBase, ids: readonly number[]) => readonly Row[],
      isWanted: (row: DependencyEnds, ids: ReadonlySet<number>) => boolean,
    ) =>
    (fileIds: readonly number[]): readonly (Row | DependencyRow)[] => {
      const wanted = new Set(fileIds);
      const own = ask(fileIds, (part, ids) =>
        question(part.kb, ids).map((row) => ({ ...row, source: up(part, row.source), target: up(part, row.target) })),
      );
      return [...own, ...cross.dependencies.filter((row) => isWanted(row, wanted))];
    };
  const references =
    (question: (kb: KnowledgeBase, ids: readonly number[]) => readonly ReferenceRow[], end: "caller" | "callee") =>
    (symbolIds: readonly number[]): readonly ReferenceRow[] => {
      const wanted = new Set(symbolIds);
      const own = ask(symbolIds, (part, ids) =>
        question(part.kb, ids).map((row) => ({ ...row, caller: up(part, row.caller), callee: up(part, row.callee) })),
      );
      return [...own, ...cross.references.filter((row) => wanted.has(row[end]))];
    };
  const tests =
    (question: (kb: KnowledgeBase, ids: readonly number[]) => ReturnType<EdgeQueries["testsOf"]>) =>
    (fileIds: readonly number[]) =>
      ask(fileIds, (part, ids) =>
        question(part.kb, ids).map((row) => ({ ...row, test: up(part, row.test), source: up(part, row.source) })),
      );
  return {
    dependenciesOf: dependencies((kb, ids) => kb.dependenciesOf(ids), hasEnd),
    dependencyEnds: dependencies((kb, ids) => kb.dependencyEnds(ids), hasEnd),
    dependenciesBetween: dependencies(
      (kb, ids) => kb.dependenciesBetween(ids),
      ({ source, target }, ids) => ids.has(source) && ids.has(target),
    ),
    importerCounts() {
      const counts = new Map(
        parts.flatMap((part) => [...part.kb.importerCounts()].map(([id, count]) => [up(part, id), count] as const)),
      );
      for (const { target } of cross.dependencies) counts.set(target, (counts.get(target) ?? 0) + 1);
      return counts;
    },
    fileUses(fileIds) {
      const uses = new Map(fileIds.map((fileId) => [fileId, { fileId, users: 0, used: 0 }]));
      for (const { fileId, ...own } of ask(fileIds, (part, ids) =>
        part.kb.fileUses(ids).map((row) => ({ ...row, fileId: up(part, row.fileId) })),
      ))
        uses.set(fileId, { fileId, ...own });
      for (const { source, target } of cross.dependencies) {
        const [from, to] = [uses.get(source), uses.get(target)];
        if (to !== undefined) to.users += 1;
        if (from !== undefined && to !== undefined) from.used += 1;
      }
      return [...uses.values()].filter(({ users, used }) => users + used > 0);
    },
    referencesFrom: references((kb, ids) => kb.referencesFrom(ids), "caller"),
    referencesTo: references((kb, ids) => kb.referencesTo(ids), "callee"),
    testedBy: tests((kb, ids) => kb.testedBy(ids)),
    testsOf: tests((kb, ids) => kb.testsOf(ids)),
    coChangesOf: (fileIds) =>
      ask(fileIds, (part, ids) =>
        part.kb.coChangesOf(ids).map((row) => ({ ...row, a: up(part, row.a), b: up(part, row.b) })),
      ),
  };
}

export function recallUnion({ parts, up, ask }: UnionIds): RecallQueries {
  const definition = (part: Part, row: FoundDefinition): FoundDefinition => ({
    ...row,
    id: up(part, row.id),
    path: `${part.name}/${row.path}`,
  });
  const commit = (part: Part, row: FoundCommitRow): FoundCommitRow => ({
    ...row,
    id: up(part, row.id),
    paths: row.paths.map((path) => `${part.name}/${path}`),
  });
  const best = <Row extends { readonly rank: number }>(rows: readonly Row[], limit: number): readonly Row[] =>
    rows.toSorted((a, b) => b.rank - a.rank).slice(0, limit);
  return {
    findDefinitions: (query, limit) =>
      best(
        parts.flatMap((part) => part.kb.findDefinitions(query, limit).map((row) => definition(part, row))),
        limit,
      ),
    findCommits: (query, limit) =>
      best(
        parts.flatMap((part) => part.kb.findCommits(query, limit).map((row) => commit(part, row))),
        limit,
      ),
    definitionsById: (wanted) =>
      ask(wanted, (part, ids) => part.kb.definitionsById(ids).map((row) => definition(part, row))),
    commitsById: (wanted) => ask(wanted, (part, ids) => part.kb.commitsById(ids).map((row) => commit(part, row))),
    textKeys: (of) => parts.flatMap((part) => part.kb.textKeys(of).map(({ id, key }) => ({ id: up(part, id), key }))),
    tellingFirst(of) {
      const lists = parts.map((part) => part.kb.tellingFirst(of).map((id) => up(part, id)));
      const longest = Math.max(0, ...lists.map(({ length }) => length));
      return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
    },
  };
}
