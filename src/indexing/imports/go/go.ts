/**
 * Go: an import names a package, which is a folder.
 *
 * Files of one folder with one package clause are a package; a folder can also hold the package of its external
 * tests, and programs that are left out of the build (`package main` beside a library). Without an alias an import
 * binds the name that the package declares. What test files define is seen by tests of their own folder only.
 * Not here: from paths to folders (`modules.ts`).
 */

import { goPackageName } from "../../../languages/go/package-name.ts";
import type { FileFacts, ImportFact } from "../../../syntax/facts/facts.ts";
import type { Binding, Family, ReadConfig, Resolution, Resolver, SourceFile } from "../model.ts";
import { namesUsedThrough, packagesOf } from "../packages.ts";
import { folderOf } from "../repo-path.ts";
import { goModules, isVendored } from "./modules.ts";

/** A package of which no name is used is needed as a whole when it has at most so many files. */
const WHOLE_PACKAGE_MAX = 8;

export const GO: Family = {
  open: goResolver,
  scoping: { selfNames: [], superNames: [], implicitSelf: false, exportsAll: false, starsPassOn: false },
};

function goResolver(all: readonly SourceFile[], paths: ReadonlySet<string>, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ path, language }) => language === "go" && path.endsWith(".go") && !isVendored(path));
  const facts = new Map(files.map((file) => [file.path, file.facts]));
  const names = packageNames(files);
  const packages = packagesOf(files, ({ path, facts: { namespace } }) => {
    const folder = folderOf(path);
    return namespace === null || namespace === names.get(folder) ? folder : `${folder}:${namespace}`;
  });
  const modules = goModules(files, paths, readConfig, (folder) => names.has(folder));

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const group = modules.folderOf(path, fact.specifier);
    const aliases = aliasesOf(fact, group === null ? null : (names.get(group) ?? null));
    const binding = (alias: string | null): Binding => ({
      alias,
      name: "*",
      module: null,
      submodule: null,
      group,
      star: fact.star,
      reexport: false,
    });
    const bindings = fact.star ? [binding(null)] : aliases.map(binding);
    const mine = facts.get(path);
    if (group === null || mine === undefined) return { targets: [], bindings };

    const isVisible = (file: string): boolean =>
      !isTestFile(file) || (isTestFile(path) && folderOf(file) === folderOf(path));
    const targets = new Set<string>();
    for (const name of namesUsed(mine, fact, aliases)) {
      for (const file of packages.filesDefining(group, name)) if (isVisible(file)) targets.add(file);
    }
    const whole = packages.filesOf(group).filter((file) => !isTestFile(file));
    if (targets.size === 0 && whole.length <= WHOLE_PACKAGE_MAX) return { targets: whole, bindings };
    return { targets: [...targets], bindings };
  };
  return { resolve, groupOf: packages.groupOf };
}

const isTestFile = (path: string): boolean => path.endsWith("_test.go");

/** What importers of each folder call its package: what most of its files declare, tests and programs at last. */
function packageNames(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { path, facts } of files) {
    if (facts.namespace === null) continue;
    const folder = folderOf(path);
    const names = counts.get(folder) ?? new Map<string, number>();
    counts.set(folder, names);
    const weight = isTestFile(path) ? 0 : facts.namespace === "main" ? 1e-3 : 1;
    names.set(facts.namespace, (names.get(facts.namespace) ?? 0) + weight);
  }
  return new Map(
    [...counts].flatMap(([folder, names]) => {
      const [first] = [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      return first === undefined ? [] : [[folder, first[0]]];
    }),
  );
}

/**
 * What an import is called in its file. An alias that is what the path suggests may have been put there in want of
 * a written one, or be written: then both it and the declared name are.
 */
function aliasesOf({ specifier, names }: ImportFact, declared: string | null): readonly string[] {
  const written = names.flatMap(({ alias }) => alias ?? []);
  const isGuess = declared !== null && written.includes(goPackageName(specifier));
  return [...new Set(isGuess ? [declared, ...written] : written)];
}

/** The names of the imported package that the file uses; for one that is imported to be run, what runs. */
function namesUsed(facts: FileFacts, fact: ImportFact, aliases: readonly string[]): readonly string[] {
  if (fact.star) return facts.references.flatMap(({ qualifier, name }) => (qualifier === null ? [name] : []));
  if (aliases.length === 0) return ["init"];
  return aliases.flatMap((alias) => namesUsedThrough(facts, alias));
}
