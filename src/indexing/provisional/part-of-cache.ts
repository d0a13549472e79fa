/** The parse cache as if it held the facts of some files only: all others have no definitions and no imports. */
import { onDemand } from "../../concurrency/on-demand.ts";
import type { ParseCache, ParseKey } from "../../db/parse-cache/parse-cache.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { unpackFacts } from "../../syntax/facts/facts-codec.ts";
import { EMPTY } from "../links/link-facts.ts";
import type { GenerationFacts } from "../update/writer/link-written.ts";

/** A content in one string. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** `keys` are those of the contents with facts (`keyOf`). */
export const partOfCache = (cache: GenerationFacts, keys: ReadonlySet<string>): GenerationFacts => ({
  facts: (key) => (keys.has(keyOf(key)) ? cache.facts(key) : null),
  outline: (key, intern) => (keys.has(keyOf(key)) ? cache.outline(key, intern) : EMPTY),
  uses: (key) => (keys.has(keyOf(key)) ? cache.uses(key) : []),
});

/** The same cache, which keeps what is put into it: nothing is read back, and each is unpacked once. */
export function keepingFacts(cache: ParseCache): ParseCache {
  const known = new Map<string, () => FileFacts | null>();
  const kept = (key: ParseKey): FileFacts | null => known.get(keyOf(key))?.() ?? null;
  return {
    ...cache,
    facts: (key) => kept(key) ?? cache.facts(key),
    outline(key, intern) {
      const facts = kept(key);
      if (facts === null) return cache.outline(key, intern);
      // Who reads an outline reads its references elsewhere.
      const { references: _, ...outline } = facts;
      return outline;
    },
    uses: (key) => kept(key)?.references ?? cache.uses(key),
    put(entries) {
      cache.put(entries);
      for (const entry of entries)
        known.set(
          keyOf(entry),
          onDemand(() => unpackFacts(entry)),
        );
    },
    drop(key) {
      known.delete(keyOf(key));
      cache.drop(key);
    },
  };
}
