/** Blocks of term statistics: what is put in comes out, in whatever order it was put, and damage is found. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { replaceInBlock, statsInBlock } from "../../../src/text/terms/encode-stats-block.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { BLOCK_FILES, BLOCK_HEADER_WORDS, readStatsBlock } from "../../../src/text/terms/stats-block.ts";
import { readTermStats, segmentsOf } from "../../../src/text/terms/term-stats.ts";
import { soundStatsBlock } from "../../../src/text/terms/term-stats-check.ts";

const statsOf = (text: string): Uint8Array =>
  encodeTermStats({ text, symbols: [], commentLines: [{ line: 1, endLine: 1 }], docstrings: false });

const words = fc.array(fc.constantFrom("store", "stores", "storing", "user_id", "userId", "x1", "session", "\n"), {
  maxLength: 20,
});
const places = fc.uniqueArray(fc.nat(BLOCK_FILES - 1), { maxLength: 9 });
const placed = fc
  .tuple(places, fc.array(words, { minLength: 9, maxLength: 9 }))
  .map(([at, texts]) => new Map(at.map((place, index) => [place, statsOf(texts[index]?.join(" ") ?? "")])));

test("a block depends only on which files are at which places", () => {
  fc.assert(
    fc.property(placed, placed, (before, after) => {
      const whole = replaceInBlock(null, new Map([...before, ...after]));
      const other = replaceInBlock(null, before);
      expect(replaceInBlock(other, after)).toEqual(whole);
      // What is removed leaves nothing behind.
      const removed = new Map([...after.keys()].map((place) => [place, before.get(place) ?? null]));
      expect(replaceInBlock(whole, removed)).toEqual(other);
    }),
  );
});

test("the statistics of each file come out of a block with the terms, segments and numbers that they had", () => {
  fc.assert(
    fc.property(placed, (files) => {
      const block = replaceInBlock(null, files);
      if (block === null) return expect(files.size).toBe(0);
      const found = statsInBlock(block);
      expect([...found.keys()]).toEqual([...files.keys()].sort((a, b) => a - b));
      for (const [place, stats] of found) {
        const [was, is] = [readTermStats(files.get(place) ?? new Uint8Array(0)), readTermStats(stats)];
        if (was === null || is === null) throw new Error("unreadable");
        const { termCount, ownStems, segmentCount, codeTerms, commentTerms, definitionTerms } = was;
        expect(is).toMatchObject({ termCount, ownStems, segmentCount, codeTerms, commentTerms, definitionTerms });
        expect(segmentsOf(is)).toEqual(segmentsOf(was));
      }
      expect(replaceInBlock(null, found)).toEqual(block);
      expect(soundStatsBlock(block, (place) => (files.has(place) ? 0 : null))).toEqual([...found.keys()]);
    }),
  );
});

test("a damaged block is refused, or ends what reads it", () => {
  const block = replaceInBlock(null, new Map([1, 5, 127].map((place) => [place, statsOf(`store user_id a${place}`)])));
  if (block === null) throw new Error("no block");
  expect(readStatsBlock(block.subarray(0, -1))).toBeNull();
  expect(readStatsBlock(new Uint8Array(3))).toBeNull();
  expect(replaceInBlock(block, new Map([1, 5, 127].map((place) => [place, null])))).toBeNull();
  const symbolsAt = (place: number): number | null => ([1, 5, 127].includes(place) ? 0 : null);
  expect(soundStatsBlock(block, symbolsAt)).toEqual([1, 5, 127]);
  expect(soundStatsBlock(block, () => 0)).toEqual([]);
  let refused = 0;
  for (let at = 4; at < block.length; at += 1) {
    const damaged = block.map((byte, index) => (index === at ? byte ^ 0x81 : byte));
    if (readStatsBlock(damaged) === null) refused += 1;
    else if (soundStatsBlock(damaged, symbolsAt).length < 3) refused += 1;
  }
  // Hashes of terms, counts and fields can be any.
  expect(refused).toBeGreaterThan(block.length / 3);
});

test("a block whose lists overlap is refused, because reading it would take forever", () => {
  const block = replaceInBlock(null, new Map([1, 5].map((place) => [place, statsOf("store user_id session")])));
  if (block === null) throw new Error("no block");
  const words = new Int32Array(block.buffer, block.byteOffset, block.byteLength >>> 2);
  const stems = words[2] ?? 0;
  words.fill(0, BLOCK_HEADER_WORDS + stems, BLOCK_HEADER_WORDS + 2 * stems);
  expect(soundStatsBlock(block, () => 0)).toEqual([]);
  expect(() => replaceInBlock(block, new Map([[1, null]]))).toThrow("cannot be read");
  expect(() => statsInBlock(block)).toThrow("cannot be read");
});
