/** Finds the test around a definition: a view or a component that a test defines for itself says nothing without the test. */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isFunctionKind } from "../../syntax/facts/facts.ts";

type Nested = Pick<SymbolRow, "id" | "parentId" | "kind" | "signature">;

/** Blocks of test runners: a test, and what groups tests. */
const TEST_BLOCK = /^(?:it|test)\b/;
const GROUP_BLOCK = /^(?:describe|suite|context)\b/;

/**
 * Maps the id of each definition inside a function to that function: the test of a test runner if there is one, else the outermost
 * function. `symbols` are all symbols of the files.
 */
export function enclosingTests<Row extends Nested>(symbols: readonly Row[]): ReadonlyMap<number, Row> {
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const found = new Map<number, Row>();
  for (const symbol of symbols) {
    if (TEST_BLOCK.test(symbol.signature)) continue;
    for (let at = parentOf(symbol); at !== undefined && !GROUP_BLOCK.test(at.signature); at = parentOf(at)) {
      if (isFunctionKind(at.kind)) found.set(symbol.id, at);
      if (TEST_BLOCK.test(at.signature)) break;
    }
  }
  return found;

  function parentOf({ parentId }: Row): Row | undefined {
    return parentId === null ? undefined : byId.get(parentId);
  }
}
