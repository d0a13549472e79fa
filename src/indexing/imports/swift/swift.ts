/**
 * Swift: an import names a module, which is a target of a package or of a project.
 *
 * Of a module that is imported, the files count that define a name which the importer uses, or a member that they add
 * to a type of another module. Where several packages have a module of a name, the nearest counts.
 * Not here: which files are a module (`targets.ts`).
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFact } from "../../../syntax/facts/facts.ts";
import type { Binding, Family, ReadConfig, Resolution, Resolver, SourceFile } from "../model.ts";
import { nearestOf, withoutTests } from "../nearest-files.ts";
import { packagesOf } from "../packages.ts";
import { usedNames } from "../used-names.ts";
import { swiftTargets } from "./targets.ts";

/** A module of which no name is used is needed as a whole when it has at most so many files. */
const WHOLE_MODULE_MAX = 8;

export const SWIFT: Family = {
  open: swiftResolver,
  scoping: { selfNames: ["self"], superNames: ["super"], implicitSelf: true, exportsAll: true, starsPassOn: false },
};

function swiftResolver(all: readonly SourceFile[], paths: ReadonlySet<string>, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ language }) => language === "swift");
  const targets = swiftTargets(
    files.map(({ path }) => path),
    paths,
    readConfig,
  );
  const packages = packagesOf(files, ({ path }) => targets.folderOf(path));
  const additions = addedMembers(files, targets.folderOf);
  const uses = usedNames(files);

  /** The folder of the module that a name means in a file. */
  const moduleNamed = (from: string, name: string): string | null =>
    nearestOf(targets.folderOf(from), targets.foldersNamed(name), (folder) => folder)[0] ?? null;

  const needed = (from: string, group: string, name: string | null): readonly string[] => {
    const used = uses(from);
    const found = new Set<string>();
    for (const each of name === null ? used.bare : [name]) {
      for (const file of packages.filesDefining(group, each)) found.add(file);
    }
    if (name === null) {
      for (const each of used.members) for (const file of additions.get(`${group}\0${each}`) ?? []) found.add(file);
    }
    const sources = packages.filesOf(group).filter((file) => !isTestPath(file));
    if (found.size > 0) return withoutTests([...found]);
    return name === null && sources.length <= WHOLE_MODULE_MAX ? sources : [];
  };

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const group = moduleNamed(path, fact.specifier);
    const binding = { module: null, submodule: null, group, reexport: fact.kind === "reexport" };
    const bindings = fact.star
      ? [
          { ...binding, alias: null, name: "*", star: true },
          // `Module.Name` says where a name comes from.
          { ...binding, alias: fact.specifier, name: "*", star: false, reexport: false },
        ]
      : fact.names.map(({ name, alias }): Binding => ({ ...binding, alias, name, star: false }));
    if (group === null || group === targets.folderOf(path)) return { targets: [], bindings };
    const names = fact.star ? [null] : fact.names.map(({ name }) => name);
    return { targets: names.flatMap((name) => needed(path, group, name)), bindings };
  };
  return { resolve, groupOf: packages.groupOf };
}

/** The files that add a member to a type of another module, by module and name. */
function addedMembers(
  files: readonly SourceFile[],
  folderOf: (path: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const defined = new Set<string>();
  for (const { path, facts } of files) {
    for (const { name, parent } of facts.symbols) if (parent === null) defined.add(`${folderOf(path)}\0${name}`);
  }
  const found = new Map<string, Set<string>>();
  for (const { path, facts } of files) {
    const folder = folderOf(path);
    for (const { name, qualifiedName, parent, kind } of facts.symbols) {
      if (parent !== null || qualifiedName === name || kind !== "method") continue;
      if (defined.has(`${folder}\0${qualifiedName.split(".", 1)[0]}`)) continue;
      const key = `${folder}\0${name}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, new Set([path]));
      else known.add(path);
    }
  }
  return new Map([...found].map(([key, definers]) => [key, [...definers].sort()]));
}
