/** Asking what a dotted name means, from tables that are made before all that answers it. */
import { isSymbol, type Resolution } from "../confidence.ts";
import { asType, type FileSymbols, type Role, type SymbolRef } from "../declarations/file-symbols.ts";

/** Resolves a dotted name, seen from a symbol of a file. */
export type ResolvePath = (
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  role: Role,
  depth: number,
) => Resolution;

/** The symbols of an answer. A file that is a type counts as one. */
export const symbolsIn = (resolution: Resolution): readonly SymbolRef[] =>
  resolution === null || resolution === "external" ? [] : resolution.targets.map(asType).filter(isSymbol);
