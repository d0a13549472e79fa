/**
 * Go: an import names a package, which is a folder found through go.mod and go.work.
 *
 * A folder can also hold the package of its external tests and programs outside the build. All modules of the repository see
 * each other, as in a workspace; among modules with the same path (fixtures) the nearest counts. A project without go.mod gets
 * the path that most of its imports share. Only tests of the same folder see what test files define.
 */

import { goPackageName } from "../../languages/go/package-name.ts";
import type { ImportFact, OutlinedFacts } from "../../syntax/facts/facts.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../../text/repo-path.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolution, Resolver, SourceFile } from "./model.ts";
import { namesUsedThrough, packagesOf } from "./packages.ts";

/** If no name of a package is used, all its files are targets, unless it has more than this. */
const WHOLE_PACKAGE_MAX = 8;

export const GO: Family = {
  open: goResolver,
  scoping: { selfNames: [], superNames: [], implicitSelf: false, exportsAll: false },
};

function goResolver(all: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ path, language }) => language === "go" && path.endsWith(".go") && !isVendored(path));
  const byPath = new Map(files.map((file) => [file.path, file]));
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
    const importer = byPath.get(path)?.facts;
    if (group === null || importer === undefined) return { targets: [], bindings };

    const isVisible = (file: string): boolean =>
      !isTestFile(file) || (isTestFile(path) && folderOf(file) === folderOf(path));
    const targets = new Set<string>();
    for (const name of namesUsed(importer, fact, aliases)) {
      for (const file of packages.filesDefining(group, name)) if (isVisible(file)) targets.add(file);
    }
    const whole = packages.filesOf(group).filter((file) => !isTestFile(file));
    if (targets.size === 0 && whole.length <= WHOLE_PACKAGE_MAX) return { targets: whole, bindings };
    return { targets: [...targets], bindings };
  };
  return { resolve, groupOf: packages.groupOf };
}

const isTestFile = (path: string): boolean => path.endsWith("_test.go");

/** The name of each folder's package: the one that most of its files declare; tests and programs count last. */
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
 * The names of an import in its file. The parser fills in a missing alias from the path, so an alias equal to that may also
 * be written: then both it and the declared name apply.
 */
function aliasesOf({ specifier, names }: ImportFact, declared: string | null): readonly string[] {
  const written = names.flatMap(({ alias }) => alias ?? []);
  const isGuess = declared !== null && written.includes(goPackageName(specifier));
  return [...new Set(isGuess ? [declared, ...written] : written)];
}

/** The names of the imported package that the file uses; for an import only for its effects, those that run. */
function namesUsed(facts: OutlinedFacts, fact: ImportFact, aliases: readonly string[]): readonly string[] {
  if (fact.star) return facts.references.flatMap(({ qualifier, name }) => (qualifier === null ? [name] : []));
  if (aliases.length === 0) return ["init"];
  return aliases.flatMap((alias) => namesUsedThrough(facts, alias));
}

type GoModules = {
  /** The folder of an imported package, as seen from a file; null if it is not in the repository. */
  folderOf(from: string, specifier: string): string | null;
};

/** Lines of a go.mod are short. */
const LINE_MAX = 1_000;

/** The maximum of parts in the path of a project without go.mod (`github.com/owner/name/sub`). */
const GUESSED_PARTS_MAX = 4;

/** Reads the modules. `files` are the Go files; `holdsPackage` tests whether a folder has any. */
function goModules(
  files: readonly SourceFile[],
  paths: RepoPaths,
  readConfig: ReadConfig,
  holdsPackage: (folder: string) => boolean,
): GoModules {
  const roots = new Map<string, string[]>();
  const replaced = new Map<string, ReadonlyMap<string, string>>();
  for (const path of [...paths.keys()].sort()) {
    const name = nameOf(path);
    if ((name !== "go.mod" && name !== "go.work") || isVendored(path)) continue;
    const folder = folderOf(path);
    const { module, replaces } = readModFile(readConfig(path) ?? "", folder);
    if (name === "go.mod" && module !== null) roots.set(module, [...(roots.get(module) ?? []), folder]);
    replaced.set(folder, new Map([...(replaced.get(folder) ?? []), ...replaces]));
  }
  if (roots.size === 0) {
    const guessed = guessedPath(files, holdsPackage);
    if (guessed !== null) roots.set(guessed, [""]);
  }

  const search = (folder: string, specifier: string): string | null => {
    if (/^\.\.?(?:\/|$)/.test(specifier)) return existing(joinPath(folder, specifier));
    const up = foldersUp(folder);
    for (let end = specifier.length; end > 0; end = specifier.lastIndexOf("/", end - 1)) {
      const prefix = specifier.slice(0, end);
      const rest = specifier.slice(end + 1);
      for (const at of up) {
        const target = replaced.get(at)?.get(prefix);
        const found = target === undefined ? null : existing(within(target, rest));
        if (found !== null) return found;
      }
      const found = (roots.get(prefix) ?? [])
        .filter((root) => holdsPackage(within(root, rest)))
        .map((root) => ({ root, near: up.findIndex((at) => isWithin(root, at)) }))
        .sort((a, b) => a.near - b.near || (a.root < b.root ? -1 : 1))[0];
      if (found !== undefined) return within(found.root, rest);
    }
    return null;
  };
  const existing = (folder: string | null): string | null => (folder !== null && holdsPackage(folder) ? folder : null);

  const known = new Map<string, string | null>();
  return {
    folderOf: (from, specifier) => {
      const folder = folderOf(from);
      const key = `${folder}\0${specifier}`;
      return known.getOrInsertComputed(key, () => search(folder, specifier));
    },
  };
}

/** Vendored copies of other projects, which are external. */
const isVendored = (path: string): boolean => /(?:^|\/)vendor\//.test(path);

type ModFile = { readonly module: string | null; readonly replaces: ReadonlyMap<string, string> };

/** The module's path, and the paths that are replaced by folders of the repository. */
function readModFile(text: string, folder: string): ModFile {
  let module: string | null = null;
  const replaces = new Map<string, string>();
  for (const line of text.split("\n")) {
    const words = line
      .slice(0, LINE_MAX)
      .replace(/\/\/.*/, "")
      .replaceAll('"', "")
      .trim()
      .split(/\s+/);
    if (words[0] === "module") module ??= words[1] ?? null;
    const arrow = words.indexOf("=>");
    const path = words[0] === "replace" ? words[1] : words[0];
    const target = words[arrow + 1] ?? "";
    if (arrow < 1 || path === undefined || !/^\.\.?(?:\/|$)/.test(target)) continue;
    const local = joinPath(folder, target);
    if (local !== null) replaces.set(path, local);
  }
  return { module, replaces };
}

/** The path under which most imports find a folder of Go files, or null if there is none or a tie. */
function guessedPath(files: readonly SourceFile[], holdsPackage: (folder: string) => boolean): string | null {
  const votes = new Map<string, number>();
  for (const { facts } of files) {
    for (const { specifier } of facts.imports) {
      const parts = specifier.split("/");
      if (parts[0]?.includes(".") !== true) continue;
      for (let length = 1; length < Math.min(parts.length, GUESSED_PARTS_MAX + 1); length += 1) {
        if (!holdsPackage(parts.slice(length).join("/"))) continue;
        const prefix = parts.slice(0, length).join("/");
        votes.set(prefix, (votes.get(prefix) ?? 0) + 1);
      }
    }
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
