/**
 * C#: a `using` names a namespace, a type for its static members, or either under an alias.
 *
 * Namespaces come from declarations, never from folders. An imported namespace leads to the files that define a type or an
 * extension method that the importer uses, in its own project first, then in the nearest one. Global usings apply to the
 * whole project.
 */
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { folderOf, foldersUp } from "../../text/repo-path.ts";
import {
  type Family,
  type ReadConfig,
  type RepoPaths,
  type Resolution,
  type Resolver,
  type SourceFile,
  UNBOUND,
} from "./model.ts";
import { nearestOf, type Packages, packagesOf, type UsedNames, usedNames, withoutTests } from "./packages.ts";

const GLOBAL = "";

export const CSHARP: Family = {
  open: csharpResolver,
  scoping: { selfNames: ["this"], superNames: ["base"], implicitSelf: true, exportsAll: true },
};

function csharpResolver(all: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ language }) => language === "csharp");
  const byPath = new Map(files.map((file) => [file.path, file]));
  const packages = packagesOf(files, ({ facts }) => facts.namespace ?? GLOBAL);
  const extensions = extensionMethods(files);
  const projects = projectsOf(paths, readConfig);
  const globals = Map.groupBy(files.filter(hasGlobals), ({ path }) => projects.folderOf(path));
  const uses = usedNames(files);

  const chosen = (from: string, candidates: readonly string[]): readonly string[] =>
    nearestOf(from, withoutTests(candidates), projects.folderOf);

  /** The files of a namespace that a file needs. */
  const needed = (from: string, group: string, used: UsedNames): readonly string[] => {
    const targets = new Set<string>();
    for (const name of used.bare)
      for (const file of chosen(from, packages.filesDefining(group, name))) targets.add(file);
    for (const name of used.attributes) {
      for (const file of chosen(from, packages.filesDefining(group, `${name}Attribute`))) targets.add(file);
    }
    for (const name of used.members) {
      for (const file of chosen(from, extensions.get(`${group}\0${name}`) ?? [])) targets.add(file);
    }
    return [...targets];
  };

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const written = plainName(fact.specifier);
    const alias = fact.names[0]?.alias ?? null;
    const used = uses(path);
    const around = byPath.get(path)?.facts.namespace ?? GLOBAL;
    for (const full of namesInside(written, around)) {
      if (packages.filesOf(full).length > 0) {
        const binding = { ...UNBOUND, alias, group: full, star: alias === null };
        const through = alias === null ? used : used.through(alias);
        return { targets: needed(path, full, through), bindings: [binding] };
      }
      const type = typeNamed(packages, full);
      if (type === null) continue;
      const targets = chosen(path, packages.filesDefining(type.group, type.name));
      // A type that one file defines is bound to the file. A partial type is found through its namespace.
      const module = targets.length === 1 ? (targets[0] ?? null) : null;
      const from = { module, group: module === null ? type.group : null };
      return { targets, bindings: [{ ...UNBOUND, ...from, alias, name: type.path, star: alias === null }] };
    }
    return { targets: [], bindings: [{ ...UNBOUND, alias, star: alias === null }] };
  };

  /** The global usings of the project, from its files and its project file. */
  const implied = (path: string): readonly ImportFact[] => {
    const project = projects.folderOf(path);
    const written = (globals.get(project) ?? []).filter((file) => file.path !== path);
    return [...written.flatMap(({ facts }) => facts.imports.filter(isGlobal)), ...projects.usings(project)];
  };
  return { resolve, implied, groupOf: packages.groupOf };
}

const isGlobal = ({ kind }: ImportFact): boolean => kind === "reexport";

const hasGlobals = ({ facts }: SourceFile): boolean => facts.imports.some(isGlobal);

/** `global::A.B<int>` is `A.B`. */
const plainName = (specifier: string): string =>
  specifier
    .replace(/\s+/g, "")
    .replace(/^global::/, "")
    .replace(/<.*$/, "");

/** The full names that a name can have: as written, or inside the surrounding namespaces, innermost first. */
function namesInside(written: string, around: string): readonly string[] {
  const names = [written];
  const parts = around === GLOBAL ? [] : around.split(".").slice(0, PARTS_MAX);
  for (; parts.length > 0; parts.pop()) names.push(`${parts.join(".")}.${written}`);
  return names;
}

type NamedType = { readonly group: string; readonly name: string; readonly path: string };

/** A type by its full name: its namespace, the name of the type there, and the path of a nested type. */
function typeNamed(packages: Packages, full: string): NamedType | null {
  const parts = full.split(".");
  for (let length = Math.min(parts.length, PARTS_MAX) - 1; length >= 0; length -= 1) {
    const group = parts.slice(0, length).join(".");
    const name = parts[length] ?? "";
    if (packages.filesDefining(group, name).length > 0) return { group, name, path: parts.slice(length).join(".") };
  }
  return null;
}

/** Limit on the parts of a name. */
const PARTS_MAX = 32;

/** The files that define extension methods, by namespace and name. */
function extensionMethods(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { path, facts } of files) {
    for (const { name, kind, signature, exported } of facts.symbols) {
      if (kind !== "method" || !exported || !/\((?:\[[^[\]]*\] ?)?this /.test(signature)) continue;
      const key = `${facts.namespace ?? GLOBAL}\0${name}`;
      found.getOrInsertComputed(key, () => new Set()).add(path);
    }
  }
  return new Map([...found].map(([key, definers]) => [key, [...definers].sort()]));
}

type Projects = {
  /** The folder of a file's project, or "". */
  folderOf(path: string): string;
  /** The usings in the project file. */
  usings(project: string): readonly ImportFact[];
};

const PROJECT_FILE = /\.(?:csproj|shproj)$/i;

/** The rest of a project file is ignored. In characters. */
const PROJECT_MAX = 200_000;

function projectsOf(paths: RepoPaths, readConfig: ReadConfig): Projects {
  const files = Map.groupBy([...paths.keys()].filter((path) => PROJECT_FILE.test(path)).sort(), folderOf);
  const cached = new Map<string, readonly ImportFact[]>();
  return {
    folderOf: (path) => foldersUp(folderOf(path)).find((folder) => files.has(folder)) ?? "",
    usings: (project) => {
      return cached.getOrInsertComputed(project, () =>
        (files.get(project) ?? []).flatMap((file) => usingsIn(readConfig(file) ?? "")),
      );
    },
  };
}

const usingsIn = (text: string): readonly ImportFact[] =>
  [...text.slice(0, PROJECT_MAX).matchAll(/<Using\s+Include="([\w.]{1,200})"([^<>]{0,200})>/g)].flatMap(
    ([, specifier = "", rest = ""]) =>
      /\bAlias=/.test(rest) ? [] : [{ specifier, line: 1, kind: "import" as const, names: [], star: true }],
  );
