/** The parse cache as if it held the facts of some files only: all others have no definitions and no imports. */
import type { ParseCache, ParseKey } from "../../db/parse-cache/parse-cache.ts";
import { EMPTY } from "../links/link-facts.ts";
import type { GenerationFacts } from "../update/write-generation.ts";

/** A content in one string. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** `keys` are those of the contents with facts (`keyOf`). */
export const partOfCache = (cache: ParseCache, keys: ReadonlySet<string>): GenerationFacts => ({
  facts: (key) => (keys.has(keyOf(key)) ? cache.facts(key) : null),
  outline: (key, intern) => (keys.has(keyOf(key)) ? cache.outline(key, intern) : EMPTY),
  uses: (key) => (keys.has(keyOf(key)) ? cache.uses(key) : []),
});
