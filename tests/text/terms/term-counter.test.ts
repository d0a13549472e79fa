import { expect, test } from "bun:test";
import fc from "fast-check";
import { termsIn } from "../../../src/text/terms/identifiers.ts";
import { stem } from "../../../src/text/terms/stem.ts";
import { COUNT_MAX, countOf, fieldOf, segmentOf, termCounter } from "../../../src/text/terms/term-counter.ts";
import { termHash } from "../../../src/text/terms/term-hashes.ts";

type Counted = { readonly text: string; readonly segment: number; readonly field: number };

/** What a counter finds in texts: a line for each posting, in order. */
function found(texts: readonly Counted[]) {
  const counter = termCounter();
  const totals = texts.map(({ text, segment, field }) => counter.count(text, segment, field));
  const { terms, exact, stems, postings, postingTerm, posting } = counter.found();
  const rows = Array.from({ length: postings }, (_, at) => {
    const row = postingTerm[at] ?? -1;
    const word = posting[at] ?? 0;
    const hashes = [exact[row] ?? 0, stems[row] ?? 0].map((hash) => hash >>> 0);
    return [...hashes, segmentOf(word), fieldOf(word), countOf(word)];
  });
  return { terms, totals, rows };
}

/** The same, from the strings of all terms. */
function expected(texts: readonly Counted[]) {
  const all = texts.map(({ text }) => termsIn(text));
  const rows = texts.flatMap(({ segment, field }, at) => {
    const times = new Map<string, number>();
    for (const term of all[at] ?? []) times.set(term, (times.get(term) ?? 0) + 1);
    return [...times].map(([term, count]) => [
      termHash(term),
      termHash(stem(term)),
      segment,
      field,
      Math.min(count, COUNT_MAX),
    ]);
  });
  return { terms: new Set(all.flat()).size, totals: all.map((terms) => terms.length), rows };
}

/** Words of which some repeat, from a few to thousands. */
const words = fc
  .record({ count: fc.nat({ max: 4_000 }), distinct: fc.integer({ min: 1, max: 4_000 }), seed: fc.nat() })
  .map(({ count, distinct, seed }) =>
    Array.from({ length: count }, (_, at) => `get${((seed % 9973) + at * 7919) % distinct}Users_${at % 13}`).join(" "),
  );

test("a file has each of its terms once, and a posting for each text with the term", () => {
  const texts = fc
    .array(fc.oneof(words, fc.constant("")), { maxLength: 4 })
    .map((all) => all.map((text, at): Counted => ({ text, segment: at >> 1, field: at & 3 })));
  // The files follow one another in the same counter.
  fc.assert(
    fc.property(texts, (texts) => {
      expect(found(texts)).toEqual(expected(texts));
    }),
    { numRuns: 40 },
  );
});

test("a count ends at its limit", () => {
  const texts = [{ text: "again ".repeat(COUNT_MAX + 1), segment: 3, field: 2 }];
  expect(found(texts).rows).toEqual(expected(texts).rows);
});
