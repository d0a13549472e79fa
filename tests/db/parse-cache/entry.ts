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
};

export const cacheEntry = (hash: string, text = "x = 1\n"): ParseEntry => ({
  hash,
  language: "python",
  facts: EMPTY_FACTS,
  stats: new Uint8Array([1, 2, 3]),
  text,
});
