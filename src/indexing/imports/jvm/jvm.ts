/**
 * Java, Kotlin and Scala: an import names a package and a definition in it.
 *
 * A nested class or a member is found through its outermost class. A star import brings the members of a class, or the names of
 * a package that the file uses and that nothing nearer defines. Scala paths are relative to what the file imports and to the
 * packages around it.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFact, OutlinedFacts } from "../../../syntax/facts/facts.ts";
import { folderOf } from "../../../text/repo-path.ts";
import { type Family, type Resolution, type Resolver, type SourceFile, UNBOUND } from "../model.ts";
import { namesUsedThrough } from "../packages.ts";
import { type Definition, type JvmNames, jvmNames, nearestDefiners } from "./definitions.ts";

/** If no name of an imported package is used, all its files are targets, unless it has more than this. */
const WHOLE_PACKAGE_MAX = 8;

export const JVM: Family = {
  open: jvmResolver,
  scoping: { selfNames: ["this"], superNames: ["super"], implicitSelf: true, exportsAll: true },
};

const LANGUAGES: ReadonlySet<string> = new Set(["java", "kotlin", "scala"]);

/** The meaning of an import path: a definition, a package of the repository, or neither. */
type PathMeaning = { readonly definition: Definition | null; readonly group: string | null };
const OUTSIDE: PathMeaning = { definition: null, group: null };

/** A file, the full name of each name that it imports, and the packages around its own that it sees. */
type Importer = {
  readonly file: SourceFile;
  readonly imported: ReadonlyMap<string, string>;
  readonly outer: ReadonlySet<string>;
};

function jvmResolver(everything: readonly SourceFile[]): Resolver {
  const files = everything.filter(({ language }) => LANGUAGES.has(language));
  const names = jvmNames(files);
  const byPath = new Map(files.map((file) => [file.path, importerOf(file)]));

  const usedBy = new Map<string, ReadonlySet<string>>();

  const named = (importer: Importer, path: string, alias: string | null): Resolution => {
    const { definition, group } = meaningOf(names, importer, path);
    if (group !== null) {
      const used = alias === null ? [] : namesUsedThrough(importer.file.facts, alias);
      return { targets: definersIn(names, importer, group, used), bindings: [{ ...UNBOUND, alias, group }] };
    }
    if (definition === null) return { targets: [], bindings: [{ ...UNBOUND, alias, name: last(path) }] };
    const targets = nearestDefiners(importer.file.path, definition.files);
    const [only] = targets;
    // A top-level name that one file defines is bound to the file. Others are looked up in the package.
    const target =
      only !== undefined && targets.length === 1 && !definition.path.includes(".")
        ? { module: only }
        : { group: definition.group };
    return { targets, bindings: [{ ...UNBOUND, alias, name: definition.path, ...target }] };
  };

  const star = (importer: Importer, path: string): Resolution => {
    const { definition, group } = meaningOf(names, importer, path);
    if (definition !== null) {
      const targets = nearestDefiners(importer.file.path, definition.files);
      return { targets, bindings: [{ ...UNBOUND, name: definition.path, module: targets[0] ?? null, star: true }] };
    }
    const bindings = [{ ...UNBOUND, name: "*", group, star: true }];
    return { targets: group === null ? [] : filesUsed(importer, group), bindings };
  };

  /** The files of a package that define names that the importer uses. */
  const filesUsed = (importer: Importer, group: string): readonly string[] => {
    const { file, imported } = importer;
    const { facts } = file;
    const isNearer = (name: string): boolean =>
      imported.has(name) || names.inPackage(facts.namespace ?? "", name).length > 0;
    const all = usedBy.get(file.path) ?? usedNames(facts);
    usedBy.set(file.path, all);
    const used = [...all].filter((name) => !isNearer(name));
    const targets = definersIn(names, importer, group, used);
    if (targets.length > 0) return targets;
    // Names of the packages around the importer need no import.
    if (facts.namespace?.startsWith(`${group}.`)) return [];
    const whole = names.filesOf(group).filter((each) => !isTestPath(each));
    return whole.length > WHOLE_PACKAGE_MAX ? [] : whole;
  };

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const importer = byPath.get(path);
    if (importer === undefined) return { targets: [], bindings: [] };
    const parts: Resolution[] = fact.names.map(({ name, alias }) =>
      named(importer, fullName(importer.file.language, fact.specifier, name), alias),
    );
    if (fact.star) parts.push(star(importer, fact.specifier));
    // The imports of a module-info bind nothing.
    else if (parts.length === 0) parts.push({ ...named(importer, fact.specifier, null), bindings: [] });
    return {
      targets: [...new Set(parts.flatMap(({ targets }) => targets))],
      bindings: parts.flatMap(({ bindings }) => bindings),
    };
  };

  /** A file without a package is visible in its own folder. */
  const groupOf = (path: string): string | null => {
    const importer = byPath.get(path);
    return importer === undefined ? null : (importer.file.facts.namespace ?? `/${folderOf(path)}`);
  };
  return { resolve, groupOf };
}

/** The meaning of a path in a file. Scala tries the innermost package first. */
function meaningOf(names: JvmNames, importer: Importer, path: string): PathMeaning {
  if (importer.file.language !== "scala") return absolute(names, path);
  if (path.startsWith("_root_.")) return absolute(names, path.slice("_root_.".length));
  for (const full of scalaPaths(importer, path)) {
    const meaning = absolute(names, full);
    if (meaning.definition !== null || meaning.group !== null) return meaning;
  }
  return OUTSIDE;
}

function absolute(names: JvmNames, full: string): PathMeaning {
  const definition = names.find(full);
  if (definition !== null) return { definition, group: null };
  return { definition: null, group: names.filesOf(full).length > 0 ? full : null };
}

/** The files of a package that define the names that a file uses of it. */
const definersIn = (names: JvmNames, { file }: Importer, group: string, used: readonly string[]): readonly string[] => [
  ...new Set(used.flatMap((name) => nearestDefiners(file.path, names.inPackage(group, name)))),
];

const last = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Java and Kotlin write the whole name; Scala can import several names from one path. */
const fullName = (language: string, specifier: string, name: string): string =>
  language !== "scala" || name === "*" ? specifier : `${specifier}.${name}`;

const importerOf = (file: SourceFile): Importer => {
  const { imports, namespace } = file.facts;
  const outer = imports.flatMap(({ specifier, star }) =>
    star && namespace?.startsWith(`${specifier}.`) ? specifier : [],
  );
  return { file, imported: importedNames(file.facts), outer: new Set(outer) };
};

/** The full name of each imported name, as written. */
function importedNames({ imports }: OutlinedFacts): ReadonlyMap<string, string> {
  const imported = new Map<string, string>();
  for (const { specifier, names } of imports) {
    for (const { name, alias } of names) {
      if (alias !== null) imported.set(alias, name === "*" ? specifier : `${specifier}.${name}`);
    }
  }
  return imported;
}

/**
 * The full names that a path can mean in a file, the nearest first. Its first part may be imported, or be in the
 * file's package, or in one around it that has a clause of its own (which reads as an import of everything in it).
 */
function scalaPaths({ file, imported, outer }: Importer, path: string): readonly string[] {
  const dot = path.indexOf(".");
  const origin = dot < 0 ? undefined : imported.get(path.slice(0, dot));
  const spelled = origin === undefined ? [path] : [origin + path.slice(dot), path];
  const own = file.facts.namespace;
  if (own === null) return spelled;
  return spelled.flatMap((each) => [...[own, ...outer].map((around) => `${around}.${each}`), each]);
}

/** The names that a file uses without a qualifier. */
function usedNames({ references }: OutlinedFacts): ReadonlySet<string> {
  return new Set(
    references.map(({ qualifier, name }) => (qualifier === null ? name : (qualifier.split(".", 1)[0] ?? name))),
  );
}
