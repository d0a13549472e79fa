/**
 * PHP's `use` and `require`, on paths.
 *
 * `use A\B\C` needs the file that declares C in the namespace A\B, wherever it lies; `use A\B` of a namespace
 * needs the files of the names that this file takes through it. Composer decides only between several
 * definitions of one name. `require` needs a path that is written out, from `__DIR__` or as it is; a bare path
 * counts from the folder of the file, then from the project. Not here: what composer loads (`autoload.ts`).
 */
import type { FileFacts, ImportFact } from "../../../syntax/facts/facts.ts";
import type { Binding, Family, ReadConfig, Resolution, Resolver, SourceFile } from "../model.ts";
import { familyOf } from "../model.ts";
import { packagesOf } from "../packages.ts";
import { folderOf, foldersUp, joinPath, within } from "../repo-path.ts";
import { autoloadOf } from "./autoload.ts";

export const PHP: Family = {
  open: phpResolver,
  scoping: {
    selfNames: ["$this", "self", "static"],
    superNames: ["parent"],
    implicitSelf: false,
    exportsAll: true,
    starsPassOn: false,
  },
};

function phpResolver(files: readonly SourceFile[], paths: ReadonlySet<string>, readConfig: ReadConfig): Resolver {
  const own = files.filter(({ language }) => familyOf(language) === "php");
  const facts = new Map(own.map((file) => [file.path, file.facts]));
  const packages = packagesOf(own, (file) => file.facts.namespace ?? "");
  const autoload = autoloadOf(paths, readConfig);
  const isNamespace = namespaceTest(own);

  const kept = new Map<string, string | null>();
  /** The file that defines a name of a namespace: of several the one that is loaded. */
  const fileOf = (group: string, name: string): string | null => {
    const full = group === "" ? name : `${group}.${name}`;
    const known = kept.get(full);
    if (known !== undefined) return known;
    const defining = packages.filesDefining(group, name);
    const found = (defining.length > 1 ? defining : [])
      .map((path) => ({ path, distance: autoload.distance(path, full) }))
      .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1))[0];
    const chosen = found?.path ?? defining[0] ?? null;
    kept.set(full, chosen);
    return chosen;
  };

  /** The file that a path inside a namespace leads into: the longest beginning of it that is defined. */
  const fileInside = (group: string, parts: readonly string[]): string | null => {
    for (let length = parts.length; length > 0; length--) {
      const file = fileOf([group, ...parts.slice(0, length - 1)].join("."), parts[length - 1] ?? "");
      if (file !== null) return file;
    }
    return null;
  };

  const use = (path: string, fact: ImportFact): Resolution => {
    const targets = new Set<string>();
    const bindings: Binding[] = [];
    for (const { name: written, alias } of fact.names) {
      const full = (written === "*" ? fact.specifier : `${fact.specifier}\\${written}`).replaceAll("\\", ".");
      const name = full.slice(full.lastIndexOf(".") + 1);
      const group = full.slice(0, Math.max(0, full.length - name.length - 1));
      const file = fileOf(group, name);
      if (file !== null) targets.add(file);
      const inside = isNamespace(full) ? usesThrough(facts.get(path), alias ?? name) : [];
      for (const parts of inside) {
        const used = fileInside(full, parts);
        if (used !== null) targets.add(used);
      }
      const base = { alias, submodule: null, star: false, reexport: false };
      if (file === null && isNamespace(full)) bindings.push({ ...base, name: "*", module: null, group: full });
      else bindings.push({ ...base, name, module: file, group: null });
    }
    return { targets: [...targets], bindings };
  };

  const included = (path: string, { specifier }: ImportFact): Resolution => {
    const target = includedFile(path, specifier, paths);
    return { targets: target === null ? [] : [target], bindings: [] };
  };
  return {
    resolve: (path, fact) => (fact.kind === "require" ? included(path, fact) : use(path, fact)),
    groupOf: packages.groupOf,
  };
}

/** Whether any file declares a namespace or one inside it. */
function namespaceTest(files: readonly SourceFile[]): (name: string) => boolean {
  const known = new Set<string>();
  for (const { facts } of files) {
    const parts = facts.namespace?.split(".") ?? [];
    for (let length = 1; length <= parts.length; length++) known.add(parts.slice(0, length).join("."));
  }
  return (name) => known.has(name);
}

/** What stands behind an alias in each use of it (`Alias\A\B::f()` -> A, B, f). */
function usesThrough(facts: FileFacts | undefined, alias: string): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const { qualifier, name } of facts?.references ?? []) {
    if (qualifier !== alias && !qualifier?.startsWith(`${alias}.`)) continue;
    const path = `${qualifier}.${name}`.slice(alias.length + 1);
    found.set(path, path.split("."));
  }
  return [...found.values()];
}

/** A path, the constant or call before it, how many folders `dirname` climbs. */
const INCLUDED = /^((?:\\?dirname\s*\(\s*)*(?:__DIR__|__FILE__)[\s\d,)]*)\.\s*(["'])([^"']+)\2$/;
const INCLUDED_MAX = 300;

/** The file that a `require` of a written path needs, or null. */
function includedFile(from: string, specifier: string, paths: ReadonlySet<string>): string | null {
  if (specifier.length > INCLUDED_MAX) return null;
  const [, start, , rest] = INCLUDED.exec(specifier) ?? [];
  const known = (path: string | null): string | null => (path !== null && paths.has(path) ? path : null);
  if (start !== undefined && rest !== undefined) {
    const climbs = (start.match(/dirname/g) ?? []).length + Number(/,\s*(\d)\s*\)/.exec(start)?.[1] ?? 1) - 1;
    const base = start.includes("__FILE__") ? from : folderOf(from);
    const folder = joinPath(base, "../".repeat(climbs));
    return folder === null ? null : known(joinPath(folder, rest));
  }
  if (/^[/\\]|["'$]|:\/\//.test(specifier)) return null;
  if (/^\.\.?\//.test(specifier)) return known(joinPath(folderOf(from), specifier));
  const project = foldersUp(folderOf(from)).find((folder) => paths.has(within(folder, "composer.json"))) ?? "";
  return known(joinPath(folderOf(from), specifier)) ?? known(joinPath(project, specifier));
}
