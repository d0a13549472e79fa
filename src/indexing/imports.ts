/**
 * Import text to file edges.
 *
 * Pure: files with their facts and a look-up for configuration texts in, edges and bindings out. A
 * name that is not in the repository resolves to nothing; no file is ever chosen by its name alone.
 * Invariants: no edge from a file to itself, one edge per (source, target, kind), both ends indexed.
 * Not here: the rules of a language (`families/`), uses of the
 * imported names (`references.ts`).
 */
import { FAMILIES } from "./families.ts";
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

/** Resolves every import of every file. `files` are all files of the repository, parsed or not. */
export function resolveImports(files: readonly SourceFile[], readConfig: ReadConfig): ResolvedImports {
  const paths = new Set(files.map((file) => file.path));
  const edges = new Map<string, ImportEdge>();
  const bindings = new Map<string, readonly Binding[]>();
  const groups = new Map<string, string>();
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
    if (family === null) continue;
    const resolver = resolvers.get(family) ?? FAMILIES[family].open(files, paths, readOnce);
    resolvers.set(family, resolver);
    const group = resolver.groupOf(source);
    if (group !== null) groups.set(source, group);
    const imported = [...facts.imports, ...(resolver.implied?.(source) ?? [])];
    if (imported.length === 0) continue;
    const bound: Binding[] = [];
    for (const fact of imported) {
      const resolution = resolver.resolve(source, fact);
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
  return { edges: keys.flatMap((key) => edges.get(key) ?? []), bindings, groups };
}
