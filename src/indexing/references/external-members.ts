/** Members that stand outside the type they belong to: `func (s *Server) Run()`, `void Foo::bar()`, extensions. */
import type { FileFacts, SymbolFact } from "../../syntax/facts/facts.ts";
import { type FileSymbols, getOrCreate, type SymbolRef } from "./file-symbols.ts";

/** The length of the owner in a symbol's qualified name: what is left without its parent and its name. */
function ownerLength({ symbols }: FileFacts, { name, qualifiedName, parent }: SymbolFact): number {
  const around = parent === null ? undefined : symbols[parent]?.qualifiedName;
  return qualifiedName.length - (around === undefined ? 0 : around.length + 1) - name.length - 1;
}

/** The owner of an external member as written (`Server` of `func (s *Server) Run()`), or null. */
export function ownerOf(facts: FileFacts, symbol: SymbolFact): string | null {
  const length = ownerLength(facts, symbol);
  const { name, qualifiedName } = symbol;
  if (length <= 0 || !qualifiedName.endsWith(`.${name}`)) return null;
  const end = qualifiedName.length - name.length - 1;
  return qualifiedName.slice(end - length, end);
}

export const isExternalMember = (facts: FileFacts, symbol: SymbolFact): boolean =>
  ownerLength(facts, symbol) > 0 && ownerOf(facts, symbol) !== null;

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
      if (isExternalMember(file.facts, fact)) getOrCreate(table, fact.name, () => []).push({ file, symbol });
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
