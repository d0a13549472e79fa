/** An entry of the parse cache for tests. */
import type { ParseEntry } from "../../../src/db/parse-cache/parse-cache.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";

export const EMPTY_FACTS: FileFacts = {
  parsed: true,
  problem: null,
  namespace: null,
  lineCount: 1,
  tokenCount: 2,
  doc: null,
  symbols: [],
  comments: [],
  imports: [],
  references: [],
  exportedAs: {},
  commentLines: [],
};

export const cacheEntry = (hash: string, lineCount = 1): ParseEntry => ({
  hash,
  language: "python",
  facts: { ...EMPTY_FACTS, lineCount },
});
