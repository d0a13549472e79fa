/** Finds members that are defined outside their type, by name. */

import { fixtureIn } from "../../../languages/cpp/tests.ts";
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { isExternalMember } from "../../../syntax/facts/member-owner.ts";
import type { FileSymbols, SymbolRef } from "./file-symbols.ts";

/**
 * External members of a name, in order of files and text: all that may belong to a type of the name `type`, and possibly others. The same
 * members are the same list.
 */
export type ExternalMembers = (name: string, type: string) => readonly SymbolRef[];

/** The class of which a macro makes a function a member, or null. */
const fixtureOf = ({ rules }: FileSymbols, { kind, signature }: OutlineSymbol): string | null =>
  rules.parts === "included" && kind === "function" ? fixtureIn(signature) : null;

/** `extension Labels on Cart { … }` of Dart: the name is for imports, and the members are those of the type. */
const EXTENSION = /^extension [\w$]{1,100}(?:<[^<>]{0,100}>)? on ([\w$.]{1,100})/;

/** The type that the named extension around a member extends, or null. */
function extendedBy({ family, facts }: FileSymbols, { parent }: OutlineSymbol): string | null {
  const around = family === "dart" && parent !== null ? facts.symbols[parent] : undefined;
  return around === undefined ? null : (EXTENSION.exec(around.signature)?.[1] ?? null);
}

/** The owner of a member that its qualified name does not have, or null. */
export const ownerRead = (file: FileSymbols, symbol: OutlineSymbol): string | null =>
  fixtureOf(file, symbol) ?? extendedBy(file, symbol);

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
      const isExternal = isExternalMember(file.facts, fact) || extendedBy(file, fact) !== null;
      if (isExternal) table.getOrInsertComputed(fact.name, () => []).push({ file, symbol });
    });
  }
  return table;
}

/**
 * Reads only the files that may have such a member; `filesOf` gives them in order. `writtenAs`: the names by which owners may name a type,
 * if that is known: thousands of files define a `fmt` or a `new`, and few of them for one type.
 */
export function externalMembersIn(
  filesOf: (name: string, owners: readonly string[] | null) => Iterable<FileSymbols>,
  writtenAs: ((type: string) => readonly string[]) | null,
): ExternalMembers {
  const known = new Map<string, readonly SymbolRef[]>();
  return (name, type) => {
    const key = writtenAs === null ? name : `${type}\0${name}`;
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const found: SymbolRef[] = [];
    for (const file of filesOf(name, writtenAs?.(type) ?? null)) {
      for (const [symbol, fact] of file.facts.symbols.entries())
        if (fact.name === name && isExternalMember(file.facts, fact)) found.push({ file, symbol });
    }
    const members = found.length === 0 ? NONE : found;
    known.set(key, members);
    return members;
  };
}

const NONE: readonly SymbolRef[] = [];
