/** Which names a file uses, as imports of whole packages ask. */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { SourceFile } from "./model.ts";

/**
 * `bare` are names without anything before them, and the first part of what stands before others; `members` what is
 * called on something; `attributes` what decorates. All each once, in order.
 */
export type UsedNames = {
  readonly bare: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  /** The same for what stands behind an alias (`alias.Name`). */
  through(alias: string): UsedNames;
};

/** Finds the names that a file uses, once for each file. */
export function usedNames(files: readonly SourceFile[]): (path: string) => UsedNames {
  const byPath = new Map(files.map(({ path, facts }) => [path, facts]));
  const kept = new Map<string, UsedNames>();
  return (path) => {
    const known = kept.get(path);
    if (known !== undefined) return known;
    const found = namesOf(byPath.get(path)?.references ?? []);
    kept.set(path, found);
    return found;
  };
}

type Uses = FileFacts["references"];

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
  return { bare, members, attributes, through: (alias) => namesOf(behind(references, alias)) };
}

/** What is left of the uses that begin with an alias, without it. */
const behind = (references: Uses, alias: string): Uses =>
  references.flatMap((use): Uses => {
    if (use.qualifier === alias) return [{ ...use, qualifier: null }];
    if (use.qualifier?.startsWith(`${alias}.`)) return [{ ...use, qualifier: use.qualifier.slice(alias.length + 1) }];
    return [];
  });
