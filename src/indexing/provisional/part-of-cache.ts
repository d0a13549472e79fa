/** The parse cache as if it held the facts of some files only: all others have no definitions and no imports. */
import type { ParseCache, ParseKey } from "../../db/parse-cache/parse-cache.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { EMPTY } from "../links/link-facts.ts";
import type { GenerationFacts } from "../update/link-written.ts";

/** A content in one string. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** `keys` are those of the contents with facts (`keyOf`). */
export const partOfCache = (cache: GenerationFacts, keys: ReadonlySet<string>): GenerationFacts => ({
  facts: (key) => (keys.has(keyOf(key)) ? cache.facts(key) : null),
  outline: (key, intern) => (keys.has(keyOf(key)) ? cache.outline(key, intern) : EMPTY),
  uses: (key) => (keys.has(keyOf(key)) ? cache.uses(key) : []),
});

/** The same cache, which gives the facts that are put into it back as they are: reading them takes as long as writing their rows. */
export function keepingFacts(cache: ParseCache): ParseCache {
  const known = new Map<string, FileFacts>();
  return {
    ...cache,
    facts: (key) => known.get(keyOf(key)) ?? cache.facts(key),
    outline: (key, intern) => known.get(keyOf(key)) ?? cache.outline(key, intern),
    uses: (key) => known.get(keyOf(key))?.references ?? cache.uses(key),
    put(entries) {
      cache.put(entries);
      for (const entry of entries) known.set(keyOf(entry), entry.facts);
    },
    drop(key) {
      known.delete(keyOf(key));
      cache.drop(key);
    },
  };
}
