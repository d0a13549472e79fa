/** Finds the files that define a name from their facts, where the index cannot be asked. */
import { isTestPath } from "../../languages/file-role.ts";
import { inOrder } from "../../text/order.ts";
import type { SourceFile } from "../imports/model.ts";
import { isExternalMember } from "./member-owner.ts";
import type { Definers } from "./resolve-references.ts";

/** `files` are those of a family in path order. Each is read once; a number for each of its names stays in memory. */
export function definersInFacts(files: readonly SourceFile[]): Definers {
  const names: Record<"methods" | "globals" | "external" | "owned", number[]> = {
    methods: [],
    globals: [],
    external: [],
    owned: [],
  };
  for (const [position, file] of files.entries()) {
    const { facts } = file;
    const isTest = isTestPath(file.path);
    const isOpen = !facts.symbols.some(({ exported }) => exported);
    for (const symbol of facts.symbols) {
      const { name, kind, qualifiedName, parent, signature } = symbol;
      const row = rowOf(name) + position;
      if (isExternalMember(facts, symbol)) {
        names.external.push(row);
        names.owned.push(rowOf(ownedName(name, qualifiedName.split(".").at(-2) ?? "")) + position);
      }
      if (isTest) continue;
      if (kind === "method" || (kind === "function" && qualifiedName !== name)) names.methods.push(row);
      if ((isOpen && parent === null) || signature.startsWith("macro_rules!")) names.globals.push(row);
    }
  }
  const table = (rows: readonly number[]) => {
    const sorted = withoutRepeats(Float64Array.from(rows).sort());
    return function* (name: string): Generator<string> {
      const first = rowOf(name);
      for (let at = lowerBound(sorted, first); (sorted[at] ?? Number.POSITIVE_INFINITY) < first + FILES_MAX; at += 1)
        yield files[(sorted[at] ?? 0) - first]?.path ?? "";
    };
  };
  const [methods, globals] = [table(names.methods), table(names.globals)];
  const [external, owned] = [table(names.external), table(names.owned)];
  return {
    of: (sort, name) => (sort === "methods" ? methods(name) : globals(name)),
    external: (name, owners) => {
      if (owners === null) return external(name);
      const found = new Set(owners.flatMap((owner) => [...owned(ownedName(name, owner))]));
      return [...found].sort(inOrder);
    },
  };
}

/** Of sorted rows. A set of them would take several times their room. */
function withoutRepeats(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const row of sorted) {
    if (count > 0 && sorted[count - 1] === row) continue;
    sorted[count] = row;
    count += 1;
  }
  return sorted.slice(0, count);
}

const ownedName = (name: string, owner: string): string => `${owner}.${name}`;

/** More than a repository has. With a hash of 32 bits before it, a position is a safe integer. */
const FILES_MAX = 2 ** 20;

/** Names with the same hash share their files, which whoever asks reads anyway. */
const rowOf = (name: string): number => Bun.hash.crc32(name) * FILES_MAX;

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
