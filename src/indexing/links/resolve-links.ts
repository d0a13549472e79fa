/**
 * Resolves the imports and references of files, family by family, so that nothing holds the facts of a whole repository.
 *
 * Where files stand alone, each leads to the few others that matter, and what was read is forgotten after some files. Packages need the
 * names of a whole family at once.
 */

import type { ImportFamily } from "../../languages/language.ts";
import { familyOf, type ImportEdge, type ReadConfig, type SourceFile } from "../imports/model.ts";
import { type Imports, importsByPath, openImports } from "../imports/resolve-imports.ts";
import type { PathPositions } from "../model/path-positions.ts";
import {
  type Definers,
  type FilesByPath,
  openReferences,
  type ReferenceEdge,
  resolveReferences,
  standsAlone,
} from "../references/resolve-references.ts";
import { inTurn } from "./in-turn.ts";
import type { LinkFacts } from "./link-facts.ts";

/** The links of one file. */
export type FileLinks = {
  readonly source: SourceFile;
  readonly imports: readonly ImportEdge[];
  readonly references: readonly ReferenceEdge[];
};

/** All files of the repository in path order, and how to read what they are resolved by. */
export type Repository = {
  readonly sources: readonly SourceFile[];
  /** Where each path is in `sources`. */
  readonly positions: PathPositions;
  readonly facts: Pick<LinkFacts, "forget">;
  readonly readConfig: ReadConfig;
  /** The definers of names in a family. */
  readonly definersIn: (family: ImportFamily) => Definers;
};

/** Facts are dropped from memory when there are those of more files than this. */
const FILES_KEPT = 850;

/** Resolves the links of the files that `isCaller` accepts, by family and then by path. */
export function resolveLinks(
  repository: Repository,
  isCaller: (file: Pick<SourceFile, "path" | "language">) => boolean,
): Iterable<FileLinks> {
  const byFamily = Map.groupBy(repository.sources.filter(isCaller), ({ language }) => familyOf(language));
  return inTurn(
    [...byFamily].map(
      ([family, callers]) =>
        () =>
          linksOf(repository, family, callers),
    ),
  );
}

/** Resolves the links of files of one family. Null: of those that have none. */
function* linksOf(
  repository: Repository,
  family: ImportFamily | null,
  callers: readonly SourceFile[],
): Generator<FileLinks> {
  if (family === null) {
    for (const source of callers) yield { source, imports: [], references: [] };
    return;
  }
  const { sources, positions, facts, readConfig } = repository;
  const byPath: FilesByPath = {
    get(path) {
      const position = positions.get(path);
      const file = position === undefined ? undefined : sources[position];
      return position === undefined || file === undefined ? undefined : { file, position };
    },
  };
  // What a family needs at once would be read once more for each step.
  if (!standsAlone(family)) facts.forget(Number.POSITIVE_INFINITY);
  const imports = openImports(sources, readConfig, positions);
  if (standsAlone(family)) yield* alone(repository, family, byPath, imports, callers);
  else {
    const all = sources.filter(({ language }) => familyOf(language) === family);
    yield* together(all, callers, byPath, imports);
  }
  facts.forget();
}

/** Resolves files that lead to others one by one. */
function* alone(
  { definersIn }: Repository,
  family: ImportFamily,
  files: FilesByPath,
  imports: Imports,
  callers: readonly SourceFile[],
): Generator<FileLinks> {
  const definers = definersIn(family);
  const [first] = callers;
  const writtenAs = first === undefined ? null : imports.writtenAs(first);
  const open = () => {
    const resolved = importsByPath(files, imports);
    return { resolved, references: openReferences(family, files, resolved, definers, writtenAs) };
  };
  let resolution = open();
  for (const source of callers) {
    if (resolution.references.size() > FILES_KEPT) {
      resolution = open();
    }
    const { resolved, references } = resolution;
    yield { source, imports: resolved.edgesOf(source.path), references: references.of(source.path) };
  }
}

/** Resolves files from the names of a whole family. */
function* together(
  family: readonly SourceFile[],
  callers: readonly SourceFile[],
  files: FilesByPath,
  imports: Imports,
): Generator<FileLinks> {
  const resolved = importsByPath(files, imports);
  const known = new Set(family.map(({ path }) => path));
  // Imports can lead to files of other families.
  const others = new Map<string, SourceFile>();
  for (const { path } of family) {
    for (const { module, submodule } of resolved.bindings.get(path) ?? []) {
      for (const target of [module, submodule]) {
        const file = target === null || known.has(target) ? undefined : files.get(target)?.file;
        if (file !== undefined) others.set(file.path, file);
      }
    }
  }
  const wanted = new Set(callers.map(({ path }) => path));
  const edges = resolveReferences([...family, ...others.values()], resolved, wanted);
  let next = edges.next();
  for (const source of callers) {
    const own: ReferenceEdge[] = [];
    for (; next.done !== true && next.value.callerPath === source.path; next = edges.next()) own.push(next.value);
    yield { source, imports: resolved.edgesOf(source.path), references: own };
  }
}
