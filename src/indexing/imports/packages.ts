/**
 * Packages, for languages that import packages instead of files: their files, and which of them an import needs.
 *
 * Each family names packages in its own way (Go: the folder; Java, C#, PHP: the declared namespace). An import leads only to
 * the files that define the names it uses.
 */

import { isTestPath } from "../../languages/file-role.ts";
import type { OutlinedFacts } from "../../syntax/facts/facts.ts";
import { foldersUp, isWithin } from "../../text/repo-path.ts";
import type { SourceFile } from "./model.ts";

export type Packages = {
  /** The files of a package, in path order; empty for a package outside of the repository. */
  filesOf(group: string): readonly string[];
  /** The files of a package that define a top-level name, in path order. */
  filesDefining(group: string, name: string): readonly string[];
  groupOf(path: string): string | null;
};

/** Groups files. `nameOf` returns a file's package, or null if it has none. */
export function packagesOf(files: readonly SourceFile[], nameOf: (file: SourceFile) => string | null): Packages {
  const groups = new Map<string, string | null>();
  const members = new Map<string, string[]>();
  const definers = new Map<string, string[]>();
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const group = nameOf(file);
    groups.set(file.path, group);
    if (group === null) continue;
    members.getOrInsertComputed(group, () => []).push(file.path);
    for (const name of topLevelNames(file.facts)) {
      const key = `${group}\0${name}`;
      definers.getOrInsertComputed(key, () => []).push(file.path);
    }
  }
  return {
    filesOf: (group) => members.get(group) ?? [],
    filesDefining: (group, name) => definers.get(`${group}\0${name}`) ?? [],
    groupOf: (path) => groups.get(path) ?? null,
  };
}

/** Top-level names, without members written outside their type. */
function topLevelNames({ symbols }: OutlinedFacts): ReadonlySet<string> {
  return new Set(
    symbols.flatMap(({ name, qualifiedName, parent }) => (parent === null && qualifiedName === name ? [name] : [])),
  );
}

/** The names that a file uses through an alias (`alias.Name`), each once, in order. */
export function namesUsedThrough({ references }: OutlinedFacts, alias: string): readonly string[] {
  const names = new Set<string>();
  for (const { qualifier, name } of references) {
    if (qualifier === alias) names.add(name);
    else if (qualifier?.startsWith(`${alias}.`)) names.add(qualifier.slice(alias.length + 1).split(".", 1)[0] ?? "");
  }
  return [...names];
}

/**
 * Names in order, each once. `bare`: unqualified names and the first parts of qualifiers; `members`: called on a value;
 * `attributes`: unqualified decorators.
 */
export type UsedNames = {
  readonly bare: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  /** The names used through an alias (`alias.Name`). */
  through(alias: string): UsedNames;
};

/** Finds the names that a file uses, once for each file. */
export function usedNames(files: readonly SourceFile[]): (path: string) => UsedNames {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const cached = new Map<string, UsedNames>();
  return (path) => cached.getOrInsertComputed(path, () => namesOf(byPath.get(path)?.facts.references ?? []));
}

type Uses = OutlinedFacts["references"];

function namesOf(references: Uses): UsedNames {
  const bare = new Set<string>();
  const members = new Set<string>();
  const attributes = new Set<string>();
  for (const { kind, name, qualifier } of references) {
    if (kind === "decorate" && qualifier === null) attributes.add(name);
    if (kind === "call" && qualifier !== null) members.add(name);
    const first = qualifier === null ? name : /^[\p{L}_]\w*/u.exec(qualifier)?.[0];
    if (first !== undefined) bare.add(first);
  }
  return { bare, members, attributes, through: (alias) => namesOf(throughAlias(references, alias)) };
}

/** The references whose qualifier begins with an alias, without the alias. */
const throughAlias = (references: Uses, alias: string): Uses =>
  references.flatMap((use): Uses => {
    if (use.qualifier === alias) return [{ ...use, qualifier: null }];
    if (use.qualifier?.startsWith(`${alias}.`)) return [{ ...use, qualifier: use.qualifier.slice(alias.length + 1) }];
    return [];
  });

/** The files of the one project that is nearest to a file, in their order. `projectOf` gives the folder of a project. */
export function nearestOf(
  from: string,
  files: readonly string[],
  projectOf: (path: string) => string,
): readonly string[] {
  if (files.length < 2) return files;
  const byProject = Map.groupBy(files, projectOf);
  const own = projectOf(from);
  const around = foldersUp(own);
  const distance = (project: string): number =>
    project === own ? -1 : around.findIndex((folder) => isWithin(project, folder));
  const [nearest = own] = [...byProject.keys()].sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
  return byProject.get(nearest) ?? files;
}

/** Drops tests, unless there is nothing else. */
export function withoutTests(files: readonly string[]): readonly string[] {
  const sources = files.filter((file) => !isTestPath(file));
  return sources.length > 0 ? sources : files;
}
