/**
 * PHP: `use` names a class or namespace, `require` a path.
 *
 * Classes are found by their declared namespace, in any folder; composer.json only decides between several definitions of
 * one name. `require` needs a literal path: after `__DIR__`, or relative to the file's folder or the project.
 */

import { z } from "zod";
import { isTestPath } from "../../languages/file-role.ts";
import type { ImportFact, OutlinedFacts } from "../../syntax/facts/facts.ts";
import { parseJson } from "../../text/parse-json.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../../text/repo-path.ts";
import {
  type Binding,
  type Family,
  familyOf,
  type ReadConfig,
  type RepoPaths,
  type Resolution,
  type Resolver,
  type SourceFile,
} from "./model.ts";
import { packagesOf } from "./packages.ts";

export const PHP: Family = {
  open: phpResolver,
  scoping: {
    selfNames: ["$this", "self", "static"],
    superNames: ["parent"],
    implicitSelf: false,
    exportsAll: true,
  },
};

function phpResolver(files: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const own = files.filter(({ language }) => familyOf(language) === "php");
  const byPath = new Map(own.map((file) => [file.path, file]));
  const packages = packagesOf(own, (file) => file.facts.namespace ?? "");
  const autoload = autoloadOf(paths, readConfig);
  const isNamespace = namespaceTest(own);

  const cached = new Map<string, string | null>();
  /** The file that defines a name of a namespace; among several, the one that composer loads. */
  const fileOf = (group: string, name: string): string | null => {
    const full = group === "" ? name : `${group}.${name}`;
    const known = cached.get(full);
    if (known !== undefined) return known;
    const defining = packages.filesDefining(group, name);
    const found = (defining.length > 1 ? defining : [])
      .map((path) => ({ path, distance: autoload.distance(path, full) }))
      .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1))[0];
    const chosen = found?.path ?? defining[0] ?? null;
    cached.set(full, chosen);
    return chosen;
  };

  /** The file that defines the longest prefix of a path inside a namespace. */
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
      const inside = isNamespace(full) ? usesThrough(byPath.get(path)?.facts, alias ?? name) : [];
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

/** Tests whether any file declares a namespace or one inside it. */
function namespaceTest(files: readonly SourceFile[]): (name: string) => boolean {
  const known = new Set<string>();
  for (const { facts } of files) {
    const parts = facts.namespace?.split(".") ?? [];
    for (let length = 1; length <= parts.length; length++) known.add(parts.slice(0, length).join("."));
  }
  return (name) => known.has(name);
}

/** The path after an alias in each use of it (`Alias\A\B::f()` -> A, B, f). */
function usesThrough(facts: OutlinedFacts | undefined, alias: string): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const { qualifier, name } of facts?.references ?? []) {
    if (qualifier !== alias && !qualifier?.startsWith(`${alias}.`)) continue;
    const path = `${qualifier}.${name}`.slice(alias.length + 1);
    found.set(path, path.split("."));
  }
  return [...found.values()];
}

/** A constant or call, then a literal path. */
const INCLUDED = /^((?:\\?dirname\s*\(\s*)*(?:__DIR__|__FILE__)[\s\d,)]*)\.\s*(["'])([^"']+)\2$/;
const INCLUDED_MAX = 300;

/** The file that a `require` of a literal path includes, or null. */
function includedFile(from: string, specifier: string, paths: RepoPaths): string | null {
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

/** Ranks the files that define a class (`A.B.C`): the lowest distance is the file that composer loads. */
type Autoload = { distance(path: string, className: string): number };

const folders = z.union([z.string().transform((folder) => [folder]), z.array(z.string())]).catch([]);
const Section = z
  .object({
    "psr-4": z.record(z.string(), folders).catch({}),
    "psr-0": z.record(z.string(), folders).catch({}),
    classmap: folders,
    files: folders,
  })
  .catch({ "psr-4": {}, "psr-0": {}, classmap: [], files: [] });
const Composer = z.object({ autoload: Section, "autoload-dev": Section });

/** `prefix` is a namespace with dots (`A.B`). `nested`: the folders repeat it (psr-0). */
type Root = { readonly prefix: string; readonly folder: string; readonly nested: boolean };

/** Reads the composer.json files among the paths. */
function autoloadOf(paths: RepoPaths, readConfig: ReadConfig): Autoload {
  const roots: Root[] = [];
  const mapped: string[] = [];
  for (const path of [...paths.keys()].filter((each) => nameOf(each) === "composer.json").sort()) {
    const parsed = Composer.safeParse(parseJson(readConfig(path) ?? ""));
    if (!parsed.success) continue;
    const inside = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => joinPath(folderOf(path), name) ?? []);
    for (const section of [parsed.data.autoload, parsed.data["autoload-dev"]]) {
      roots.push(...rootsOf(section["psr-4"], inside, false), ...rootsOf(section["psr-0"], inside, true));
      mapped.push(...inside([...section.classmap, ...section.files]));
    }
  }
  const isLoaded = (path: string, className: string): boolean =>
    roots.some(({ prefix, folder, nested }) => {
      if (prefix !== "" && !className.startsWith(`${prefix}.`)) return false;
      const rest = nested || prefix === "" ? className : className.slice(prefix.length + 1);
      return path === `${within(folder, rest.replaceAll(".", "/"))}.php`;
    }) || mapped.some((each) => isWithin(path, each));
  return {
    distance: (path, className) =>
      (isLoaded(path, className) ? 0 : 4) +
      (isTestPath(path) ? 8 : 0) +
      (path.endsWith(`${className.slice(className.lastIndexOf(".") + 1)}.php`) ? 0 : 1),
  };
}

const rootsOf = (
  section: Readonly<Record<string, readonly string[]>>,
  inside: (names: readonly string[]) => readonly string[],
  nested: boolean,
): readonly Root[] =>
  Object.entries(section).flatMap(([namespace, names]) => {
    const prefix = namespace.replaceAll("\\", ".").replace(/\.$/, "");
    return inside(names).map((folder) => ({ prefix, folder, nested }));
  });
