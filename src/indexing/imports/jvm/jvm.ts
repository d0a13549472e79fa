/**
 * Java, Kotlin and Scala: an import names a package and a definition in it.
 *
 * A nested class or a member is found through its outermost class. A star import brings the members of a class, or the names of
 * a package that the file uses and that nothing nearer defines. Scala paths are relative to what the file imports and to the
 * packages around it.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { FileFacts, ImportFact } from "../../../syntax/facts/facts.ts";
import { type Family, type Resolution, type Resolver, type SourceFile, UNBOUND } from "../model.ts";
import { namesUsedThrough } from "../packages.ts";
import { folderOf } from "../repo-path.ts";
import { type Found, type JvmNames, jvmNames, meantFrom } from "./definitions.ts";

/** A package of which no name is used is needed as a whole when it has at most so many files. */
const WHOLE_PACKAGE_MAX = 8;

export const JVM: Family = {
  open: jvmResolver,
  scoping: { selfNames: ["this"], superNames: ["super"], implicitSelf: true, exportsAll: true, starsPassOn: false },
};

const LANGUAGES: ReadonlySet<string> = new Set(["java", "kotlin", "scala"]);

/** What a path of an import means: a definition, a package of the repository, or neither. */
type Meaning = { readonly found: Found | null; readonly group: string | null };
const OUTSIDE: Meaning = { found: null, group: null };

/** A file, what each name that it imports stands for, and the packages around its own that it sees. */
type Own = {
  readonly file: SourceFile;
  readonly imported: ReadonlyMap<string, string>;
  readonly outer: ReadonlySet<string>;
};

function jvmResolver(everything: readonly SourceFile[]): Resolver {
  const files = everything.filter(({ language }) => LANGUAGES.has(language));
  const names = jvmNames(files);
  const byPath = new Map(files.map((file) => [file.path, ownOf(file)]));

  const usedBy = new Map<string, ReadonlySet<string>>();

  const named = (own: Own, path: string, alias: string | null): Resolution => {
    const { found, group } = meaningOf(names, own, path);
    if (group !== null) {
      const used = alias === null ? [] : namesUsedThrough(own.file.facts, alias);
      return { targets: definersIn(names, own, group, used), bindings: [{ ...UNBOUND, alias, group }] };
    }
    if (found === null) return { targets: [], bindings: [{ ...UNBOUND, alias, name: last(path) }] };
    const targets = meantFrom(own.file.path, found.files);
    const [only] = targets;
    // A name of one file is bound to it; one of several, and one inside a class, is looked up in the package.
    const place =
      only !== undefined && targets.length === 1 && !found.path.includes(".")
        ? { module: only }
        : { group: found.group };
    return { targets, bindings: [{ ...UNBOUND, alias, name: found.path, ...place }] };
  };

  const star = (own: Own, path: string): Resolution => {
    const { found, group } = meaningOf(names, own, path);
    if (found !== null) {
      const targets = meantFrom(own.file.path, found.files);
      return { targets, bindings: [{ ...UNBOUND, name: found.path, module: targets[0] ?? null, star: true }] };
    }
    const bindings = [{ ...UNBOUND, name: "*", group, star: true }];
    return { targets: group === null ? [] : filesUsed(own, group), bindings };
  };

  /** The files of a package that define what a file uses. */
  const filesUsed = (own: Own, group: string): readonly string[] => {
    const { file, imported } = own;
    const { facts } = file;
    const isNearer = (name: string): boolean =>
      imported.has(name) || names.inPackage(facts.namespace ?? "", name).length > 0;
    const all = usedBy.get(file.path) ?? usedNames(facts);
    usedBy.set(file.path, all);
    const used = [...all].filter((name) => !isNearer(name));
    const targets = definersIn(names, own, group, used);
    if (targets.length > 0) return targets;
    // What a package sees of the one around it comes without asking.
    if (facts.namespace?.startsWith(`${group}.`)) return [];
    const whole = names.filesOf(group).filter((each) => !isTestPath(each));
    return whole.length > WHOLE_PACKAGE_MAX ? [] : whole;
  };

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const own = byPath.get(path);
    if (own === undefined) return { targets: [], bindings: [] };
    const parts: Resolution[] = fact.names.map(({ name, alias }) =>
      named(own, fullName(own.file.language, fact.specifier, name), alias),
    );
    if (fact.star) parts.push(star(own, fact.specifier));
    // What a module-info names binds nothing.
    else if (parts.length === 0) parts.push({ ...named(own, fact.specifier, null), bindings: [] });
    return {
      targets: [...new Set(parts.flatMap(({ targets }) => targets))],
      bindings: parts.flatMap(({ bindings }) => bindings),
    };
  };

  /** What declares no package is seen in its own folder. */
  const groupOf = (path: string): string | null => {
    const own = byPath.get(path);
    return own === undefined ? null : (own.file.facts.namespace ?? `/${folderOf(path)}`);
  };
  return { resolve, groupOf };
}

/** What a path means in a file: Scala reads it from the inside out. */
function meaningOf(names: JvmNames, own: Own, path: string): Meaning {
  if (own.file.language !== "scala") return absolute(names, path);
  if (path.startsWith("_root_.")) return absolute(names, path.slice("_root_.".length));
  for (const full of scalaPaths(own, path)) {
    const meaning = absolute(names, full);
    if (meaning.found !== null || meaning.group !== null) return meaning;
  }
  return OUTSIDE;
}

function absolute(names: JvmNames, full: string): Meaning {
  const found = names.find(full);
  if (found !== null) return { found, group: null };
  return { found: null, group: names.filesOf(full).length > 0 ? full : null };
}

/** The files of a package that define the names that a file uses of it. */
const definersIn = (names: JvmNames, { file }: Own, group: string, used: readonly string[]): readonly string[] => [
  ...new Set(used.flatMap((name) => meantFrom(file.path, names.inPackage(group, name)))),
];

const last = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Java and Kotlin write the whole name; Scala may name several things of one path. */
const fullName = (language: string, specifier: string, name: string): string =>
  language !== "scala" || name === "*" ? specifier : `${specifier}.${name}`;

const ownOf = (file: SourceFile): Own => {
  const { imports, namespace } = file.facts;
  const outer = imports.flatMap(({ specifier, star }) =>
    star && namespace?.startsWith(`${specifier}.`) ? specifier : [],
  );
  return { file, imported: importedNames(file.facts), outer: new Set(outer) };
};

/** What each name that a file imports stands for, as written. */
function importedNames({ imports }: FileFacts): ReadonlyMap<string, string> {
  const imported = new Map<string, string>();
  for (const { specifier, names } of imports) {
    for (const { name, alias } of names) {
      if (alias !== null) imported.set(alias, name === "*" ? specifier : `${specifier}.${name}`);
    }
  }
  return imported;
}

/**
 * The full names that a path can mean in a file, the nearest first. Its first part may be imported, or stand in the
 * file's package, or in one around it that has a clause of its own (which reads as an import of everything in it).
 */
function scalaPaths({ file, imported, outer }: Own, path: string): readonly string[] {
  const dot = path.indexOf(".");
  const origin = dot < 0 ? undefined : imported.get(path.slice(0, dot));
  const spelled = origin === undefined ? [path] : [origin + path.slice(dot), path];
  const own = file.facts.namespace;
  if (own === null) return spelled;
  return spelled.flatMap((each) => [...[own, ...outer].map((around) => `${around}.${each}`), each]);
}

/** The names that a file uses without telling where they come from. */
function usedNames({ references }: FileFacts): ReadonlySet<string> {
  return new Set(
    references.map(({ qualifier, name }) => (qualifier === null ? name : (qualifier.split(".", 1)[0] ?? name))),
  );
}
