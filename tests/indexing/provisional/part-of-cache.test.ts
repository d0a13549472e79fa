/** Facts that were just parsed are given back as the cache would read them. */
import { expect, test } from "bun:test";
import { keepingFacts } from "../../../src/indexing/provisional/part-of-cache.ts";
import { packFacts } from "../../../src/syntax/facts/facts-codec.ts";
import { tempRepo } from "../../support/repo.ts";
import { SHOP_FILES } from "../../support/shop.ts";
import { sharedWorlds } from "../update/index-repo-world.ts";

const worldOf = sharedWorlds();
const asIs = (text: string): string => text;

test("what is kept resolves and is written as what the cache reads", async () => {
  using repo = tempRepo(SHOP_FILES);
  const { deps } = worldOf(repo);
  const cache = deps.store.openCache();
  const kept = keepingFacts(cache);
  for (const [path, text] of Object.entries(SHOP_FILES)) {
    const key = { hash: Bun.SHA256.hash(path, "hex"), language: "python" };
    const { facts } = await deps.parser.parse({ path, text, ...key }, new AbortController().signal);
    kept.put([{ ...key, ...packFacts(facts) }]);
    expect(kept.facts(key)).toEqual(facts);
    expect(cache.facts(key)).toEqual(facts);
    // It is in memory, not read again.
    expect(kept.facts(key)).toBe(kept.facts(key));
    expect(kept.uses(key)).toEqual(cache.uses(key));
    expect(kept.outline(key, asIs)).toMatchObject({
      ...cache.outline(key, asIs),
      doc: facts.doc,
      comments: facts.comments,
      symbols: facts.symbols,
      commentLines: facts.commentLines,
    });
    kept.drop(key);
    expect([kept.facts(key), cache.facts(key)]).toEqual([null, null]);
  }
  cache.close();
});
