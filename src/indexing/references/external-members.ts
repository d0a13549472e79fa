/**
 * Members that stand outside of their types, by their names (`member-owners.ts` says what such a member is).
 *
 * Not here: which type each belongs to (`classes.ts`).
 */

import { type FileSymbols, listed, type Place } from "./file-symbols.ts";
import { isOutside } from "./member-owners.ts";

/** Where members of a name stand outside of their types, in order of the files and of their texts. */
export type OutsideNames = (name: string) => readonly Place[];

/** Looks through all files at once, on the first question. */
export function outsideNames(files: readonly FileSymbols[]): OutsideNames {
  let table: Map<string, Place[]> | null = null;
  return (name) => {
    table ??= collected(files);
    return table.get(name) ?? NONE;
  };
}

function collected(files: readonly FileSymbols[]): Map<string, Place[]> {
  const table = new Map<string, Place[]>();
  for (const file of files) {
    file.facts.symbols.forEach((fact, symbol) => {
      if (isOutside(file.facts, fact)) listed(table, fact.name, () => []).push({ file, symbol });
    });
  }
  return table;
}

/** Looks through those files only that have such a member of the name; `filesOf` gives them, in order. */
export const outsideNamesIn =
  (filesOf: (name: string) => Iterable<FileSymbols>): OutsideNames =>
  (name) =>
    [...filesOf(name)].flatMap((file) =>
      file.facts.symbols.flatMap((fact, symbol) =>
        fact.name === name && isOutside(file.facts, fact) ? [{ file, symbol }] : [],
      ),
    );

const NONE: readonly Place[] = [];
