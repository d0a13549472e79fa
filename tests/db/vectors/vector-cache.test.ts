/** The vector cache: vectors by model and key, nearly exact, bounded, disposable. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { checkVectorCache } from "../../../src/db/check/caches.ts";
import { openVectorCache, type VectorCache } from "../../../src/db/vectors/vector-cache.ts";
import { folder } from "../folder.ts";

type Row = { readonly key: number; readonly vector: Float32Array };

/** All of a model by key, as cosines to each of its own axes. */
function stored(cache: VectorCache, model: string): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  for (const { dimensions, keys, lengths, numbers } of cache.blocks(model))
    for (const [at, key] of keys.entries())
      found.set(
        key,
        [...numbers.slice(at * dimensions, (at + 1) * dimensions)].map((one) => one / (lengths[at] ?? 0)),
      );
  return found;
}

const row = (key: number, ...numbers: readonly number[]): Row => ({ key, vector: Float32Array.from(numbers) });

test("vectors come back under their keys in nearly the same direction", () => {
  const vectors = fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      vector: fc
        .float32Array({ minLength: 8, maxLength: 8, noNaN: true, noDefaultInfinity: true, min: -1, max: 1 })
        .filter((numbers) => numbers.some((number) => Math.abs(number) > 1e-3)),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(vectors, (rows) => {
      using dir = folder();
      const cache = openVectorCache(dir.at("vectors.sqlite"), "write");
      const byKey = new Map(rows.map((one) => [one.key, one]));
      cache.put("m", [...byKey.values()]);
      const found = stored(cache, "m");
      expect([...found.keys()].sort()).toEqual([...byKey.keys()].sort());
      expect([...cache.keys("m")].sort()).toEqual([...byKey.keys()].sort());
      for (const [key, { vector }] of byKey) {
        const length = Math.hypot(...vector);
        const cosine = (found.get(key) ?? []).reduce((sum, one, at) => sum + one * ((vector[at] ?? 0) / length), 0);
        expect(cosine).toBeGreaterThan(0.999);
      }
      cache.close();
    }),
    { numRuns: 25 },
  );
});

describe("the file", () => {
  test("an unusable file reads as empty and is replaced when written", () => {
    using dir = folder();
    const path = dir.at("vectors.sqlite");
    expect(openVectorCache(path, "read").keys("m").size).toBe(0);
    writeFileSync(path, "rubbish");
    expect(openVectorCache(path, "read").keys("m").size).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("rubbish");
    const cache = openVectorCache(path, "write");
    cache.put("m", [row(1, 1, 0)]);
    cache.close();
    expect([...openVectorCache(path, "read").keys("m")]).toEqual([1]);
  });

  test("keeps models apart, and forgets one", () => {
    using dir = folder();
    const cache = openVectorCache(dir.at("vectors.sqlite"), "write");
    cache.put("a", [row(1, 1, 0)]);
    cache.put("b", [row(1, 1, 0, 0), row(2, 0, 1, 0)]);
    expect([cache.dimensions("a"), cache.dimensions("b"), cache.dimensions("c")]).toEqual([2, 3, null]);
    cache.dropVectors("b");
    expect([cache.keys("a").size, cache.keys("b").size]).toEqual([1, 0]);
    cache.close();
  });

  test("drops unused vectors once there are many", () => {
    using dir = folder();
    const cache = openVectorCache(dir.at("vectors.sqlite"), "write");
    cache.put("other", [row(9, 1, 0)]);
    cache.put("m", [row(1, 1, 0), row(2, 0, 1), row(3, 1, 1)]);
    cache.put("m", [row(4, 1, -1)]);
    cache.shrink(5, "m", new Set([2, 4]));
    expect([...cache.keys("m")].sort()).toEqual([1, 2, 3, 4]);
    cache.shrink(4, "m", new Set([2, 4]));
    expect([...cache.keys("m")].sort()).toEqual([2, 4]);
    expect(cache.keys("other").size).toBe(0);
    expect(stored(cache, "m").get(2)).toEqual([0, 1]);
    cache.close();
  });

  test("does without a block whose bytes have changed, tells of it, and forgets it when it is mended", () => {
    using dir = folder();
    const path = dir.at("vectors.sqlite");
    const cache = openVectorCache(path, "write");
    cache.put("m", [row(1, 1, 0)]);
    cache.put("m", [row(2, 0, 1)]);
    expect(checkVectorCache(path, () => {})).toEqual([]);
    const raw = new Database(path);
    raw.run("update blocks set numbers = x'7f7f' where number = 1");
    raw.close();
    expect([...stored(cache, "m").keys()]).toEqual([2]);
    expect(checkVectorCache(path, () => {})).toMatchObject([
      { severity: "warning", code: "cache-damaged", mend: "cra clean --vectors" },
    ]);
    cache.mend();
    expect([...cache.keys("m")]).toEqual([2]);
    expect(checkVectorCache(path, () => {})).toEqual([]);
    cache.close();
  });
});
