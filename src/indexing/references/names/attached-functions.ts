/**
 * Functions that a class or file attaches to values: `using L for T` in Solidity, a "decorate" reference to a library or a function.
 *
 * The types of values are mostly unknown, so every library counts that the class or file names.
 */
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, distinct, isSymbol } from "../confidence.ts";
import { type FileSymbols, type SymbolRef, scopesOf } from "../declarations/file-symbols.ts";
import type { MemberResolver } from "./members.ts";

/** Finds the function that a call of a member (`x.f()`) means if no type has it. */
export function attachedFunctions({
  resolvePath,
  classes,
}: MemberResolver): (file: FileSymbols, use: ReferenceFact) => Candidates | null {
  const cached = new Map<FileSymbols, readonly ReferenceFact[]>();
  const attachments = (file: FileSymbols): readonly ReferenceFact[] =>
    cached.getOrInsertComputed(file, () => file.facts.references.filter(({ kind }) => kind === "decorate"));

  const attachedBy = (
    file: FileSymbols,
    { name, qualifier, symbol }: ReferenceFact,
    wanted: string,
  ): readonly SymbolRef[] => {
    const path = [...(qualifier?.split(".") ?? []), name];
    const found = resolvePath(file, symbol, path, "value", 0);
    if (found === null || found === "external") return [];
    const named = found.targets.filter(isSymbol);
    const isLibrary = ({ file: { facts }, symbol: at }: SymbolRef): boolean => facts.symbols[at]?.kind === "class";
    const members =
      classes.inherited(named.filter(isLibrary), wanted, "call", false, 0)?.targets.filter(isSymbol) ?? [];
    return name === wanted ? [...named.filter((ref) => !isLibrary(ref)), ...members] : members;
  };

  return (file, use) => {
    if (file.scoping.attaches !== true || use.kind !== "call") return null;
    const scopes = scopesOf(file.facts, use.symbol);
    const visible = attachments(file).filter(({ symbol }) => symbol === null || scopes.includes(symbol));
    const functions = distinct(visible.flatMap((attachment) => attachedBy(file, attachment, use.name)));
    return candidates(functions, CONFIDENCE.typed);
  };
}
