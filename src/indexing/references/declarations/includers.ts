/**
 * The files that include a file: what they include before it is seen in it, too. That holds for a source that is part of another one, and
 * in C for headers that expect others before them.
 */
import { nameOf } from "../../../text/repo-path.ts";
import type { FileSymbols } from "./file-symbols.ts";

/** More of them are not asked. */
const INCLUDERS_MAX = 8;

/** Those of a file that are no tests, unless it is one; first the source of its own name, then in order of paths. */
export function includersIn(files: readonly FileSymbols[]): (file: FileSymbols) => readonly FileSymbols[] {
  let table: Map<string, FileSymbols[]> | null = null;
  return (file) => {
    table ??= includersByName(files);
    const named = table.get(nameOf(file.path)) ?? [];
    const own = named.filter(({ stem }) => stem === file.stem);
    const found: FileSymbols[] = [];
    for (const other of new Set([...own, ...named])) {
      if (found.length >= INCLUDERS_MAX) break;
      const isSeen = file.isTest || !other.isTest;
      if (other !== file && isSeen && other.stars.some(({ module }) => module === file.path)) found.push(other);
    }
    return found;
  };
}

/** By the name of the included file alone, because resolving all includes takes long. */
function includersByName(files: readonly FileSymbols[]): Map<string, FileSymbols[]> {
  const table = new Map<string, FileSymbols[]>();
  for (const file of files)
    for (const { specifier, star } of file.rules.parts === "included" ? file.facts.imports : [])
      if (star) table.getOrInsertComputed(includedName(specifier), () => []).push(file);
  return table;
}

/** `cart.h` of `"shop/cart.h"`, `<shop/cart.h>` and `shop\cart.h`. */
const includedName = (specifier: string): string =>
  nameOf(specifier.replaceAll(/[<>"]/g, "").replaceAll("\\", "/").trim());
