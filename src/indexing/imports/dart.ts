/**
 * Dart: a library is a file with its parts, and an import brings the names that it and its exports have, without those of an underscore.
 *
 * `package:` leads to the `lib` folder of the package of that name, as a pubspec.yaml of the repository has it. A part sees all names of
 * its library, and what that imports.
 */
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { inOrder } from "../../text/order.ts";
import { folderOf, foldersUp, joinPath, nameOf, within } from "../../text/repo-path.ts";
import {
  type Binding,
  type Family,
  type ReadConfig,
  type RepoPaths,
  type Resolution,
  type Resolver,
  type SourceFile,
  UNBOUND,
} from "./model.ts";
import { nearestOf, usedNames } from "./packages.ts";

export const DART: Family = {
  open: dartResolver,
  scoping: { selfNames: ["this"], superNames: ["super"], implicitSelf: true, exportsAll: false },
};

/** Exports are followed to at most this many files. */
const EXPORTS_MAX = 400;

function dartResolver(all: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ language }) => language === "dart");
  const byPath = new Map(files.map((file) => [file.path, file]));
  const uses = usedNames(files);
  const find = uriFinder(paths, readConfig);
  /** The libraries of parts. */
  const libraries = new Map<string, string>();
  const importsOf = (path: string): readonly ImportFact[] => byPath.get(path)?.facts.imports ?? [];
  for (const { path, facts } of files.toSorted((a, b) => inOrder(a.path, b.path))) {
    for (const fact of facts.imports) {
      const part = fact.kind === "require_reexport" ? find(path, fact.specifier) : null;
      if (part !== null && part !== path && !libraries.has(part)) libraries.set(part, path);
    }
  }
  const whole = new Set(libraries.values());

  const provided = new Map<string, ReadonlySet<string>>();
  /** All names that importers of a library may get from it. */
  const providedBy = (path: string): ReadonlySet<string> =>
    provided.getOrInsertComputed(path, () => {
      const reached = new Set([path]);
      for (const at of reached) {
        if (reached.size > EXPORTS_MAX) break;
        for (const fact of importsOf(at)) {
          const module = isPassedOn(fact) ? find(at, fact.specifier) : null;
          if (module !== null) reached.add(module);
        }
      }
      const symbols = [...reached].flatMap((at) => byPath.get(at)?.facts.symbols ?? []);
      return new Set(symbols.flatMap(({ name, parent }) => (parent === null && !name.startsWith("_") ? [name] : [])));
    });

  const resolve = (path: string, fact: ImportFact): Resolution => {
    if (fact.kind === "require") {
      const library = libraries.get(path) ?? find(path, fact.specifier);
      if (library === null) return { targets: [], bindings: [] };
      const imports = importsOf(library).filter(({ kind }) => kind === "import");
      return { targets: [library], bindings: imports.flatMap((each) => bindingsOf(path, library, each)) };
    }
    const module = find(path, fact.specifier);
    return { targets: module === null ? [] : [module], bindings: bindingsOf(path, path, fact) };
  };

  /** What an import of a library binds in a file of it. */
  const bindingsOf = (path: string, library: string, fact: ImportFact): readonly Binding[] => {
    const module = find(library, fact.specifier);
    const reexport = isPassedOn(fact);
    const bind = (name: string, alias: string | null): Binding => ({ ...UNBOUND, name, alias, module, reexport });
    if (!fact.star) return fact.names.map(({ name, alias }) => bind(name, alias));
    if (fact.names.length === 0) return [{ ...bind("*", null), star: true }];
    const brought = [...(module === null ? [] : providedBy(module))].filter((name) => isBroughtBy(fact, name));
    const used = reexport ? brought : brought.filter((name) => uses(path).bare.has(name));
    return used.map((name) => bind(name, name));
  };

  return {
    resolve,
    groupOf: (path) => libraries.get(path) ?? (whole.has(path) ? path : null),
  };
}

const isPassedOn = ({ kind }: ImportFact): boolean => kind === "reexport" || kind === "require_reexport";

/** Whether an import brings a name if its library has it: one that it shows, or does not hide. */
const isBroughtBy = ({ star, names }: ImportFact, name: string): boolean =>
  star !== names.some(({ alias }) => alias === name);

/** How much of a pubspec.yaml is read, in characters. */
const PUBSPEC_MAX = 100_000;

function uriFinder(paths: RepoPaths, readConfig: ReadConfig): (from: string, uri: string) => string | null {
  const folders = new Map<string, string[]>();
  for (const path of [...paths.keys()].filter((each) => nameOf(each) === "pubspec.yaml").sort()) {
    const text = (readConfig(path) ?? "").slice(0, PUBSPEC_MAX);
    const name = /^name:[ \t]*["']?(\w+)/m.exec(text)?.[1];
    if (name !== undefined) folders.getOrInsertComputed(name, () => []).push(folderOf(path));
  }
  const projects = new Set([...folders.values()].flat());
  const projectOf = (path: string): string => foldersUp(folderOf(path)).find((folder) => projects.has(folder)) ?? "";
  return (from, uri) => {
    const [, name = "", inside = ""] = /^package:(\w+)\/(.+)$/.exec(uri) ?? [];
    if (name !== "") {
      const found = (folders.get(name) ?? [])
        .map((folder) => within(within(folder, "lib"), inside))
        .filter((path) => paths.has(path));
      return nearestOf(from, found, projectOf)[0] ?? null;
    }
    const path = /^[a-z]+:|^\//.test(uri) ? null : joinPath(folderOf(from), uri);
    return path !== null && paths.has(path) ? path : null;
  };
}
