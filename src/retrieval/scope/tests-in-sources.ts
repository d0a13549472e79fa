/** Finds tests inside of sources, as in Rust: definitions in a module of tests, and functions whose names begin with `test_`. */
import type { KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";

/** The ids of those among the symbols. */
export const testsInSources = (
  kb: Pick<KnowledgeBase, "inlineTests">,
  symbols: readonly Pick<SymbolRow, "id" | "name">[],
): ReadonlySet<number> =>
  new Set([
    ...kb.inlineTests(symbols.map(({ id }) => id)),
    ...symbols.flatMap(({ id, name }) => (name.startsWith("test_") ? [id] : [])),
  ]);

/** The ids of those that are tests: symbols of these test files, and tests in sources. */
export const testSymbols = (
  kb: Pick<KnowledgeBase, "inlineTests">,
  symbols: readonly SymbolRow[],
  testFiles: ReadonlySet<number>,
): ReadonlySet<number> =>
  new Set([
    ...symbols.flatMap(({ id, fileId }) => (testFiles.has(fileId) ? [id] : [])),
    ...testsInSources(
      kb,
      symbols.filter(({ fileId }) => !testFiles.has(fileId)),
    ),
  ]);
