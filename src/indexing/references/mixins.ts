/** Modules of Ruby as bases: a class names them in its body, and a module can extend its users with further ones. */
import { CONTAINER_KINDS, type ReferenceFact } from "../../syntax/facts/facts.ts";
import type { FileSymbols, SymbolRef } from "./file-symbols.ts";

/** `isExtension`: a module extends its users with it, which gives them its methods but no types inside it. */
export type Base = SymbolRef & { readonly isExtension?: boolean };

/** The methods of a module that extend what includes it. */
export const hooksOf = ({ rules, named }: FileSymbols, symbol: number): readonly number[] =>
  [...rules.hooks].flatMap((name) => named(symbol, name));

/** Those of its members that a base gives to a class. */
export const given = ({ isExtension }: Base, members: readonly SymbolRef[]): readonly SymbolRef[] =>
  isExtension === true
    ? members.filter(({ file, symbol }) => !CONTAINER_KINDS.has(file.facts.symbols[symbol]?.kind ?? "variable"))
    : members;

/** Where the name of a base is looked up: around the class, or in it if its body names a module that is there (`include Labels`). */
export function scopeOfBase(
  { facts, named, rules }: FileSymbols,
  { symbol, kind, name, qualifier }: ReferenceFact,
): number | null {
  const isInBody = kind === "implement" && rules.hooks.size > 0;
  const first = qualifier?.split(".", 1)[0] ?? name;
  return isInBody && named(symbol, first).length > 0 ? symbol : (facts.symbols[symbol ?? -1]?.parent ?? null);
}
