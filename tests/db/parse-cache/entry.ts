/** An entry of the parse cache for tests. */
import type { PackedEntry } from "../../../src/db/parse-cache/parse-cache.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";
import { packFacts } from "../../../src/syntax/facts/facts-codec.ts";

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

export const cacheEntry = (hash: string, lineCount = 1): PackedEntry => ({
  hash,
  language: "python",
  ...packFacts({ ...EMPTY_FACTS, lineCount }),
});
