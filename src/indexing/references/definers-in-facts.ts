/** Finds the files that define a name from their facts, where the index cannot be asked. */
import { isTestPath } from "../../languages/file-role.ts";
import { hashOfName, ownedName, packNames, unpackNames } from "../../syntax/facts/defined-names.ts";
import { inOrder } from "../../text/order.ts";
import type { SourceFile } from "../imports/model.ts";
import { hashFilter } from "../model/hash-filter.ts";
import { hashedRow, positionsUnder } from "../model/hashed-rows.ts";
import type { Definers } from "./resolve-references.ts";

/**
 * `files` are those of a family in path order. `namesOf` gives what `packNames` finds in the facts of one, if that is known. A number for each
 * name of each file stays in memory.
 */
export function definersInFacts(
  files: readonly SourceFile[],
  namesOf: (file: SourceFile) => Uint32Array | null,
): Definers {
  const named = hashFilter();
  const rows: Record<(typeof LISTS)[number], number[]> = { methods: [], globals: [], external: [], owned: [] };
  for (const [position, file] of files.entries()) {
    const names = unpackNames(namesOf(file) ?? packNames(file.facts));
    for (const hash of names.all) named.add(hash);
    const isTest = isTestPath(file.path);
    for (const list of LISTS) {
      if (isTest && !KNOWN_OF_TESTS.has(list)) continue;
      for (const hash of names[list]) rows[list].push(hashedRow(hash, position));
    }
  }
  const table = (found: readonly number[]) => {
    const positions = positionsUnder(found);
    return function* (name: string): Generator<string> {
      for (const position of positions(hashOfName(name))) yield files[position]?.path ?? "";
    };
  };
  const [methods, globals] = [table(rows.methods), table(rows.globals)];
  const [external, owned] = [table(rows.external), table(rows.owned)];
  return {
    isDefined: (name) => named.mayHave(hashOfName(name)),
    of: (sort, name) => (sort === "methods" ? methods(name) : globals(name)),
    external: (name, owners) => {
      if (owners === null) return external(name);
      const found = new Set(owners.flatMap((owner) => [...owned(ownedName(name, owner))]));
      return [...found].sort(inOrder);
    },
  };
}

const LISTS = ["methods", "globals", "external", "owned"] as const;
/** Other names of tests count in their own file only. */
const KNOWN_OF_TESTS: ReadonlySet<(typeof LISTS)[number]> = new Set(["external", "owned"]);
