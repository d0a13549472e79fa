/**
 * Import text to file edges.
 *
 * Pure: files with their facts and a look-up for configuration texts in, edges and bindings out. A
 * name that is not in the repository resolves to nothing; no file is ever chosen by its name alone.
 * Invariants: no edge from a file to itself, one edge per (source, target, kind), both ends indexed.
 * Not here: the rules of a language (`python-imports.ts`, `resolve-ecmascript.ts`), uses of the
 * imported names (`references.ts`).
 */
import {
  type Binding,
  familyOf,
  type ImportEdge,
  type LanguageFamily,
  type ReadConfig,
  type ResolvedImports,
  type Resolver,
  type SourceFile,
} from "./imports-model.ts";
import { pythonResolver } from "./python-imports.ts";
import { ecmascriptResolver } from "./resolve-ecmascript.ts";

/** A language family is one row: how to make its resolver for a repository. */
const RESOLVERS = {
  python: pythonResolver,
  ecmascript: ecmascriptResolver,
} as const satisfies Record<
  LanguageFamily,
  (files: readonly SourceFile[], paths: ReadonlySet<string>, readConfig: ReadConfig) => Resolver
>;

/** Resolves every import of every file. `files` are all files of the repository, parsed or not. */
export function resolveImports(files: readonly SourceFile[], readConfig: ReadConfig): ResolvedImports {
  const paths = new Set(files.map((file) => file.path));
  const edges = new Map<string, ImportEdge>();
  const bindings = new Map<string, readonly Binding[]>();
  const resolvers = new Map<LanguageFamily, Resolver>();
  const configs = new Map<string, string | null>();
  const readOnce: ReadConfig = (path) => {
    const known = configs.get(path);
    if (known !== undefined) return known;
    const text = readConfig(path);
    configs.set(path, text);
    return text;
  };

  for (const { path: source, language, facts } of files) {
    const family = familyOf(language);
    if (family === null || facts.imports.length === 0) continue;
    const resolver = resolvers.get(family) ?? RESOLVERS[family](files, paths, readOnce);
    resolvers.set(family, resolver);
    const bound: Binding[] = [];
    for (const fact of facts.imports) {
      const resolution = resolver(source, fact);
      const kind = fact.kind === "type" ? "type_ref" : "import";
      for (const target of resolution.targets) {
        const key = `${source}\0${target}\0${kind}`;
        if (target === source || edges.has(key)) continue;
        edges.set(key, { source, target, kind, specifier: fact.specifier });
      }
      bound.push(...resolution.bindings);
    }
    bindings.set(source, bound);
  }
  const keys = [...edges.keys()].sort();
  return { edges: keys.flatMap((key) => edges.get(key) ?? []), bindings };
}
