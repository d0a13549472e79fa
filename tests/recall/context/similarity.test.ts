import { expect, test } from "bun:test";
import fc from "fast-check";
import { fingerprint, textComparer } from "../../../src/recall/context/similarity.ts";

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

const isSame = (a: string, b: string): boolean => textComparer()(fingerprint(a), fingerprint(b));

/** Numbers from 0 to 1, the same every time. */
function chance(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How edits lie in a text: anywhere, evenly, or in one part. All leave so many characters changed at most. */
const PLANTING: readonly ((text: string, edits: number, next: () => number) => string)[] = [
  (text, edits, next) => {
    const units = [...text];
    for (let done = 0; done < edits; done += 1)
      units.splice(Math.floor(next() * units.length), Math.floor(next() * 2), ...(next() < 0.6 ? ["q"] : []));
    return units.join("");
  },
  (text, edits) => {
    const units = [...text];
    for (let done = 0; done < edits; done += 1) units[Math.floor(((done + 0.5) * units.length) / edits)] = "Q";
    return units.join("");
  },
  (text, edits, next) => {
    const at = Math.floor(next() * (text.length - edits));
    return next() < 0.5
      ? text.slice(0, at) + text.slice(at + edits)
      : `${text.slice(0, at)}${"k".repeat(edits)}${text.slice(at)}`;
  },
];

test("of 2,160 planted duplicates with a similarity of at least .9, 99 % are found", () => {
  const next = chance();
  let planted = 0;
  let found = 0;
  for (const length of [40, 120, 200, 600, 1_500])
    for (const vocabulary of [8, WORDS.length, 600])
      for (const plant of PLANTING)
        for (let turn = 0; turn < 48; turn += 1) {
          let text = "";
          while (text.length < length) {
            const word = Math.floor(next() * vocabulary);
            text += `${WORDS[word % WORDS.length]}${word < WORDS.length ? "" : word} `;
          }
          // So many edits make the edit distance a tenth of the length at most; half of the pairs have all of them.
          const edits = Math.floor((turn % 2 === 0 ? 0.1 : 0.1 * next()) * text.trim().length);
          planted += 1;
          if (isSame(text.trim(), plant(text.trim(), edits, next))) found += 1;
        }
  expect(planted).toBe(2_160);
  expect(found / planted).toBeGreaterThanOrEqual(0.99);
});

test("no pair with a similarity of at most .7 is a duplicate", () => {
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
    { numRuns: 100 },
  );
});

test("long texts: a copy with a changed part is a duplicate, another text of the same words is not", () => {
  const long = Array.from({ length: 600 }, (_, at) => WORDS[(at * at + 7 * at) % WORDS.length]).join(" ");
  const other = Array.from({ length: 600 }, (_, at) => WORDS[(at * at * 3 + 5 * at + 1) % WORDS.length]).join(" ");
  const part = Math.floor(long.length * 0.08);
  expect(isSame(long, long.slice(part))).toBe(true);
  expect(isSame(long, `${other.slice(0, part)}${long}`)).toBe(true);
  expect(isSame(long, long.slice(0, 500) + other.slice(0, part) + long.slice(500 + part))).toBe(true);
  expect(isSame(long, other)).toBe(false);
  expect(isSame(long, long.slice(0, long.length / 2))).toBe(false);
});

test("many long texts of few words are compared in bounded steps, and equal ones are still duplicates", () => {
  const next = chance();
  const some = () => Array.from({ length: 400 }, () => WORDS[Math.floor(next() * 6)]).join(" ");
  const prints = Array.from({ length: 120 }, some).map(fingerprint);
  const areSame = textComparer();
  const near = (print: { readonly normal: string }) => fingerprint(`${print.normal.slice(0, -1)}x`);
  const [first = fingerprint(""), second = fingerprint("")] = prints;
  expect(areSame(first, near(first))).toBe(true);
  expect(prints.flatMap((one, at) => prints.slice(0, at).filter((other) => areSame(one, other)))).toEqual([]);
  expect(areSame(second, near(second))).toBe(false);
  expect(areSame(second, fingerprint(second.normal.toUpperCase()))).toBe(true);
  expect(textComparer()(second, near(second))).toBe(true);
});

test("case and white space are ignored; empty texts are equal", () => {
  expect(isSame("Check  the\n\tCache key", "check the cache key")).toBe(true);
  expect(isSame("", "")).toBe(true);
  expect(isSame("", "a")).toBe(false);
  expect(isSame("cache", "cakes")).toBe(false);
});
