/**
 * Resolves the imports of files to edges between files, one file at a time as they are asked for.
 *
 * A name that is not in the repository resolves to nothing; no file is chosen by its name alone.
 * Invariants: no edge from a file to itself, one edge per (source, target, kind), both ends indexed.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { answerCache } from "./answer-cache.ts";
import { FAMILIES } from "./import-resolvers.ts";
import {
  type Binding,
  familyOf,
  type ImportEdge,
  type ImportsByPath,
  type ReadConfig,
  type RepoPaths,
  type Resolver,
  type SourceFile,
} from "./model.ts";

/** The imports of a repository, each file's resolved when they are asked for. */
export type Imports = {
  /** What one file's imports come to: its edges, in no order, and what is bound, in source order. */
  of(file: SourceFile): { readonly edges: readonly ImportEdge[]; readonly bindings: readonly Binding[] };
  /** Opens what the imports of a file are resolved by, if that needs no facts. */
  prepare(file: Pick<SourceFile, "language">): void;
  /** The package that a file is in, or null. */
  groupOf(file: SourceFile): string | null;
  /** `Resolver.writtenAs` of the family of a file, or null. */
  writtenAs(file: SourceFile): ((type: string) => readonly string[]) | null;
};

/** Lays out what imports are resolved by. `files` are all files of the repository, parsed or not, and `paths` theirs. */
export function openImports(
  files: readonly SourceFile[],
  readConfig: ReadConfig,
  paths: RepoPaths = new Set(files.map((file) => file.path)),
): Imports {
  const resolvers = new Map<ImportFamily, Resolver>();
  const configs = answerCache<string | null>();
  const readOnce: ReadConfig = (path) => configs(path, () => readConfig(path));
  const resolverOf = ({ language }: Pick<SourceFile, "language">): Resolver | null => {
    const family = familyOf(language);
    if (family === null) return null;
    const resolver = resolvers.get(family) ?? FAMILIES[family].open(files, paths, readOnce);
    resolvers.set(family, resolver);
    return resolver;
  };
  return {
    of(file) {
      const { path: source, facts } = file;
      const resolver = resolverOf(file);
      if (resolver === null) return NOTHING;
      const edges = new Map<string, ImportEdge>();
      const bindings: Binding[] = [];
      for (const fact of [...facts.imports, ...(resolver.implied?.(source) ?? [])]) {
        const resolution = resolver.resolve(source, fact);
        const kind = fact.kind === "type" ? "type_ref" : "import";
        for (const target of resolution.targets) {
          const key = `${target}\0${kind}`;
          if (target === source || edges.has(key)) continue;
          edges.set(key, { source, target, kind, specifier: fact.specifier });
        }
        bindings.push(...resolution.bindings);
      }
      return { edges: [...edges.values()], bindings };
    },
    prepare(file) {
      const family = familyOf(file.language);
      if (family !== null && FAMILIES[family].opensWithoutFacts === true) resolverOf(file);
    },
    groupOf: (file) => resolverOf(file)?.groupOf(file.path) ?? null,
    writtenAs: (file) => resolverOf(file)?.writtenAs ?? null,
  };
}

const NOTHING = { edges: [], bindings: [] };

/** The imports of files by their paths, each file's resolved once. `edgesOf` is in no order. */
type ImportsOnDemand = ImportsByPath & { edgesOf(path: string): readonly ImportEdge[] };

export function importsByPath(
  files: { get(path: string): { readonly file: SourceFile } | undefined },
  imports: Imports,
): ImportsOnDemand {
  const known = new Map<string, ReturnType<Imports["of"]>>();
  const of = (path: string): ReturnType<Imports["of"]> | undefined => {
    const source = files.get(path)?.file;
    return source === undefined ? undefined : known.getOrInsertComputed(path, () => imports.of(source));
  };
  return {
    bindings: { get: (path) => of(path)?.bindings },
    groups: {
      get(path) {
        const source = files.get(path)?.file;
        return (source === undefined ? null : imports.groupOf(source)) ?? undefined;
      },
    },
    edgesOf: (path) => of(path)?.edges ?? [],
  };
}
