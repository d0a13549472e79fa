/**
 * Swift: an import names a module: a target of a Package.swift, else a folder (`Sources/<Module>`, `Tests/<Module>`, or the
 * top folder, as in Xcode projects).
 *
 * An imported module leads to the files that define a name that the importer uses, or a member that they add to a type of
 * another module. Among modules with the same name the nearest counts. Manifests are programs; only calls like
 * `.target(name: "A", path: "B")` are read.
 */

import { isTestPath } from "../../languages/file-role.ts";
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { folderOf, foldersUp, joinPath, nameOf } from "../../text/repo-path.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolution, Resolver, SourceFile } from "./model.ts";
import { nearestOf, packagesOf, usedNames, withoutTests } from "./packages.ts";

/** A module of which no name is used is needed as a whole when it has at most this many files. */
const WHOLE_MODULE_MAX = 8;

export const SWIFT: Family = {
  open: swiftResolver,
  scoping: { selfNames: ["self"], superNames: ["super"], implicitSelf: true, exportsAll: true },
};

function swiftResolver(all: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
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
      found.getOrInsertComputed(key, () => new Set()).add(path);
    }
  }
  return new Map([...found].map(([key, definers]) => [key, [...definers].sort()]));
}

type SwiftTargets = {
  /** The folder of the module that a file is in. */
  folderOf(path: string): string;
  /** The folders of the modules of a name, in order. */
  foldersNamed(name: string): readonly string[];
};

/** How much of a manifest, and of one target in it, is read, in characters. */
const MANIFEST_MAX = 200_000;
const TARGET_MAX = 20_000;

const TARGET = /\.(target|executableTarget|testTarget|macro|plugin|systemLibrary)\s*\(/g;

/** Where a target without a path may be, by its kind. */
const SOURCES = ["Sources", "Source", "src", "srcs"];
const TESTS = ["Tests", ...SOURCES];

/** Lays out the modules of a repository. `files` are its Swift files. */
function swiftTargets(files: readonly string[], paths: RepoPaths, readConfig: ReadConfig): SwiftTargets {
  const folders = new Set(files.flatMap((path) => foldersUp(folderOf(path))));
  const named = new Map<string, string>();
  for (const path of [...paths.keys()].filter((each) => nameOf(each) === "Package.swift").sort()) {
    const root = folderOf(path);
    for (const { name, kind, path: written } of targetsIn((readConfig(path) ?? "").slice(0, MANIFEST_MAX))) {
      const usual = kind === "testTarget" ? TESTS : kind === "plugin" ? ["Plugins", ...SOURCES] : SOURCES;
      const places = written === null ? usual.map((folder) => `${folder}/${name}`) : [written];
      const folder = places.flatMap((place) => joinPath(root, place) ?? []).find((place) => folders.has(place));
      if (folder !== undefined && !named.has(folder)) named.set(folder, moduleName(name));
    }
  }
  const folderOfFile = (path: string): string => {
    const target = foldersUp(folderOf(path)).find((folder) => named.has(folder));
    if (target !== undefined) return target;
    const layout = /^(?:.*\/)?(?:Sources|Tests)\/[^/]+(?=\/)/.exec(path)?.[0];
    return layout ?? path.slice(0, Math.max(0, path.indexOf("/")));
  };
  const byName = new Map<string, Set<string>>();
  for (const path of files) {
    const folder = folderOfFile(path);
    const name = named.get(folder) ?? moduleName(nameOf(folder));
    byName.getOrInsertComputed(name, () => new Set()).add(folder);
  }
  return {
    folderOf: folderOfFile,
    foldersNamed: (name) => [...(byName.get(name) ?? [])].sort(),
  };
}

/** Names of modules are names of Swift: `my-lib` is imported as `my_lib`. */
const moduleName = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, "_");

type Target = { readonly kind: string; readonly name: string; readonly path: string | null };

/** The targets of a manifest; what stands inside of one (`dependencies: [.target(name: "B")]`) is none. */
function targetsIn(manifest: string): readonly Target[] {
  const targets: Target[] = [];
  let end = 0;
  for (const found of manifest.matchAll(TARGET)) {
    if (found.index < end) continue;
    const start = found.index + found[0].length;
    const own = ownArguments(manifest.slice(start, start + TARGET_MAX));
    end = start + own.length;
    const name = /\bname:\s*"([^"\n]*)"/.exec(own.text)?.[1];
    if (name === undefined) continue;
    targets.push({ kind: found[1] ?? "", name, path: /\bpath:\s*"([^"\n]*)"/.exec(own.text)?.[1] ?? null });
  }
  return targets;
}

/** The text up to the parenthesis that ends a call, without what stands in brackets of its own; and how long that is. */
function ownArguments(text: string): { readonly text: string; readonly length: number } {
  const parts: string[] = [];
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/\/.*|[()[\]]|[^"()[\]/]+|\//g)) {
    if (part === ")" || part === "]") depth -= 1;
    if (depth < 0) return { text: parts.join(""), length: index };
    if (depth === 0 && !part.startsWith("//")) parts.push(part);
    if (part === "(" || part === "[") depth += 1;
  }
  return { text: parts.join(""), length: text.length };
}
