/** Queries of equal weights, and files, for tests of how words are looked up. */
import type { FileRow } from "../../src/db/curated/knowledge-base.ts";
import type { LexicalQuery } from "../../src/retrieval/lexical/weighted-terms.ts";
import { stem } from "../../src/text/terms/stem.ts";

const weighted = (terms: readonly string[]): LexicalQuery["exact"] => ({ terms, weights: terms.map(() => 1) });

/** A query of these words and their stems, each once. */
export const queryOf = (words: readonly string[]): LexicalQuery => ({
  exact: weighted([...new Set(words)]),
  stems: weighted([...new Set(words.map(stem))]),
});

/** A query of stems alone. */
export const queryOfStems = (stems: readonly string[]): LexicalQuery => ({
  exact: weighted([]),
  stems: weighted(stems),
});

export const fileRow = (path: string, id: number): FileRow => ({
  id,
  path,
  language: "text",
  lineCount: 1,
  tokenCount: 1,
  isTest: false,
  modifiedAt: null,
});
