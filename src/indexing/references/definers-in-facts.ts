/** Finds the files that define a name from their facts, where the index cannot be asked. */
import { isTestPath } from "../../languages/file-role.ts";
import { type DefinedNames, hashOfName, namesIn, ownedName, packNames } from "../../syntax/facts/defined-names.ts";
import { inOrder } from "../../text/order.ts";
import type { SourceFile } from "../imports/model.ts";
import type { Definers } from "./resolve-references.ts";

/**
 * `files` are those of a family in path order. `namesOf` gives what `packNames` finds in the facts of one, if that is known. A number for each
 * name of each file stays in memory.
 */
export function definersInFacts(
  files: readonly SourceFile[],
  namesOf: (file: SourceFile) => Uint32Array | null = () => null,
): Definers {
  const rows: Record<keyof DefinedNames, number[]> = { methods: [], globals: [], external: [], owned: [] };
  for (const [position, file] of files.entries()) {
    const names = namesIn(namesOf(file) ?? packNames(file.facts));
    const isTest = isTestPath(file.path);
    for (const list of LISTS) {
      if (isTest && !KNOWN_OF_TESTS.has(list)) continue;
      for (const hash of names[list]) rows[list].push(hash * FILES_MAX + position);
    }
  }
  const table = (found: readonly number[]) => {
    const sorted = withoutRepeats(Float64Array.from(found).sort());
    return function* (name: string): Generator<string> {
      const first = hashOfName(name) * FILES_MAX;
      for (let at = lowerBound(sorted, first); (sorted[at] ?? Number.POSITIVE_INFINITY) < first + FILES_MAX; at += 1)
        yield files[(sorted[at] ?? 0) - first]?.path ?? "";
    };
  };
  const [methods, globals] = [table(rows.methods), table(rows.globals)];
  const [external, owned] = [table(rows.external), table(rows.owned)];
  return {
    of: (sort, name) => (sort === "methods" ? methods(name) : globals(name)),
    external: (name, owners) => {
      if (owners === null) return external(name);
      const found = new Set(owners.flatMap((owner) => [...owned(ownedName(name, owner))]));
      return [...found].sort(inOrder);
    },
  };
}

/** Removes repeated rows from a sorted list, in place. */
function withoutRepeats(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const row of sorted) {
    if (count > 0 && sorted[count - 1] === row) continue;
    sorted[count] = row;
    count += 1;
  }
  return sorted.slice(0, count);
}

const LISTS = ["methods", "globals", "external", "owned"] as const;
/** Other names of tests count in their own file only. */
const KNOWN_OF_TESTS: ReadonlySet<keyof DefinedNames> = new Set(["external", "owned"]);

/** More than a repository has. With a hash of 32 bits before it, a position is a safe integer. */
const FILES_MAX = 2 ** 20;

/** The first row that is not below another. */
function lowerBound(sorted: Float64Array, row: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
