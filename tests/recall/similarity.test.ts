import { expect, test } from "bun:test";
import fc from "fast-check";
import { fingerprint, isSameText } from "../../src/recall/similarity.ts";

/** One minus the edit distance over the longer length, by the plain table, over the texts as they are. */
function editSimilarity(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1),
        ),
      );
    row = next;
  }
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - (row[b.length] ?? 0) / longer;
}

const WORDS = (
  "the session cookie expired early because nobody refreshed it while a worker held an open handle to the index so retry " +
  "logic never fired parser config thread database migration lock timeout header request response cache key rotated"
).split(" ");

const words = (least: number, most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: least, maxLength: most }).map((list) => list.join(" "));

/** One change to a text, at a place of it. */
type Edit = { readonly kind: number; readonly at: number; readonly word: string };
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.integer({ min: 0, max: 4 }),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  word: fc.constantFrom(...WORDS),
});

/** A character more, less or other; a word more or less. */
function edited(text: string, { kind, at, word }: Edit): string {
  const place = Math.floor(at * text.length);
  const [before, after] = [text.slice(0, place), text.slice(place)];
  if (kind === 0) return `${before}x${after}`;
  if (kind === 1) return before + after.slice(1);
  if (kind === 2) return `${before}q${after.slice(1)}`;
  if (kind === 3) return `${before} ${word} ${after}`;
  return before + after.slice(word.length);
}

const isSame = (a: string, b: string): boolean => isSameText(fingerprint(a), fingerprint(b));

test("of planted duplicates, alike to .9 and more, at least nine in ten are found", () => {
  let planted = 0;
  let found = 0;
  const pair = fc.tuple(words(3, 120), fc.array(edit, { minLength: 0, maxLength: 60 }));
  fc.assert(
    fc.property(pair, ([text, edits]) => {
      let copy = text;
      for (const one of edits) {
        const next = edited(copy, one);
        if (editSimilarity(text, next) < 0.9) break;
        copy = next;
      }
      planted += 1;
      if (isSame(text, copy)) found += 1;
    }),
    { numRuns: 250 },
  );
  expect(found / planted).toBeGreaterThanOrEqual(0.9);
});

test("no pair that is alike to .7 at most is taken for one", () => {
  const apart = fc.oneof(
    fc.tuple(words(3, 120), words(3, 120)),
    // From one text, until it is just far enough away.
    fc.tuple(words(10, 80), fc.array(edit, { minLength: 5, maxLength: 400 })).map(([text, edits]) => {
      let copy = text;
      for (const [at, one] of edits.entries()) {
        copy = edited(copy, one);
        if (at % 4 === 0 && editSimilarity(text, copy) <= 0.7) break;
      }
      return [text, copy] as const;
    }),
  );
  fc.assert(
    fc.property(apart, ([a, b]) => {
      fc.pre(editSimilarity(a, b) <= 0.7);
      expect(isSame(a, b)).toBe(false);
    }),
    { numRuns: 250 },
  );
});

test("long texts: a copy with a part more, less or other is one, two texts of the same words are two", () => {
  const long = Array.from({ length: 600 }, (_, at) => WORDS[(at * at + 7 * at) % WORDS.length]).join(" ");
  const other = Array.from({ length: 600 }, (_, at) => WORDS[(at * at * 3 + 5 * at + 1) % WORDS.length]).join(" ");
  const part = Math.floor(long.length * 0.08);
  expect(isSame(long, long.slice(part))).toBe(true);
  expect(isSame(long, `${other.slice(0, part)}${long}`)).toBe(true);
  expect(isSame(long, long.slice(0, 500) + other.slice(0, part) + long.slice(500 + part))).toBe(true);
  expect(isSame(long, other)).toBe(false);
  expect(isSame(long, long.slice(0, long.length / 2))).toBe(false);
});

test("case and white space make no difference; nothing is like nothing", () => {
  expect(isSame("Check  the\n\tCache key", "check the cache key")).toBe(true);
  expect(isSame("", "")).toBe(true);
  expect(isSame("", "a")).toBe(false);
  expect(isSame("cache", "cakes")).toBe(false);
});
