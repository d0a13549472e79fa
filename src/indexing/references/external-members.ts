/** Finds members that are defined outside their type, by name. */

import type { FileSymbols, SymbolRef } from "./file-symbols.ts";
import { isExternalMember } from "./member-owner.ts";

/** External members of a name, in order of files and text. */
export type ExternalMembers = (name: string) => readonly SymbolRef[];

/** Collects the members of all files on the first lookup. */
export function externalMembers(files: readonly FileSymbols[]): ExternalMembers {
  let table: Map<string, SymbolRef[]> | null = null;
  return (name) => {
    table ??= collected(files);
    return table.get(name) ?? NONE;
  };
}

function collected(files: readonly FileSymbols[]): Map<string, SymbolRef[]> {
  const table = new Map<string, SymbolRef[]>();
  for (const file of files) {
    file.facts.symbols.forEach((fact, symbol) => {
      if (isExternalMember(file.facts, fact)) table.getOrInsertComputed(fact.name, () => []).push({ file, symbol });
    });
  }
  return table;
}

/** Reads only the files that may have such a member; `filesOf` gives them in order. */
export const externalMembersIn =
  (filesOf: (name: string) => Iterable<FileSymbols>): ExternalMembers =>
  (name) =>
    [...filesOf(name)].flatMap((file) =>
      file.facts.symbols.flatMap((fact, symbol) =>
        fact.name === name && isExternalMember(file.facts, fact) ? [{ file, symbol }] : [],
      ),
    );

const NONE: readonly SymbolRef[] = [];
