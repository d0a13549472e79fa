/**
 * Packages: files that share their top-level names, for languages that import packages instead of files.
 *
 * A package's name is its family's own (Go: the folder; Java, C#, PHP: the declared namespace). Importing a package
 * needs only those of its files that define what is used, so edges go there. Not here: what a name means
 * (`references.ts`).
 */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { SourceFile } from "./model.ts";

export type Packages = {
  /** The files of a package, in path order; empty for a package outside of the repository. */
  filesOf(group: string): readonly string[];
  /** The files of a package that define a top-level name, in path order. */
  filesDefining(group: string, name: string): readonly string[];
  groupOf(path: string): string | null;
};

/** Groups files. `nameOf` gives a file's package, or null for a file that is in none. */
export function packagesOf(files: readonly SourceFile[], nameOf: (file: SourceFile) => string | null): Packages {
  const groups = new Map<string, string | null>();
  const members = new Map<string, string[]>();
  const definers = new Map<string, string[]>();
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const group = nameOf(file);
    groups.set(file.path, group);
    if (group === null) continue;
    const known = members.get(group);
    if (known === undefined) members.set(group, [file.path]);
    else known.push(file.path);
    for (const name of topLevelNames(file.facts)) {
      const key = `${group}\0${name}`;
      const before = definers.get(key);
      if (before === undefined) definers.set(key, [file.path]);
      else before.push(file.path);
    }
  }
  return {
    filesOf: (group) => members.get(group) ?? [],
    filesDefining: (group, name) => definers.get(`${group}\0${name}`) ?? [],
    groupOf: (path) => groups.get(path) ?? null,
  };
}

/** Names that a file defines outside of other definitions; a member that stands outside of its owner is none. */
function topLevelNames({ symbols }: FileFacts): ReadonlySet<string> {
  return new Set(
    symbols.flatMap(({ name, qualifiedName, parent }) => (parent === null && qualifiedName === name ? [name] : [])),
  );
}

/** The names that a file takes through an alias (`alias.Name`), each once, in order. */
export function namesUsedThrough({ references }: FileFacts, alias: string): readonly string[] {
  const names = new Set<string>();
  for (const { qualifier, name } of references) {
    if (qualifier === alias) names.add(name);
    else if (qualifier?.startsWith(`${alias}.`)) names.add(qualifier.slice(alias.length + 1).split(".", 1)[0] ?? "");
  }
  return [...names];
}
