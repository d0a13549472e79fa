import { expect, test } from "bun:test";
import fc from "fast-check";
import { lineScorer } from "../../../src/retrieval/lexical/line-scorer.ts";
import { charsWithin, cutText, excerpt, looseSnippets } from "../../../src/retrieval/lexical/snippets.ts";

const hits =
  (...words: string[]) =>
  (line: string) =>
    words.filter((word) => line.includes(word)).length;
const text = (length: number, at: Record<number, string>): string =>
  Array.from({ length }, (_, index) => at[index + 1] ?? `line ${index + 1}`).join("\n");
const show = (ranges: readonly { startLine: number; endLine: number }[]): string =>
  ranges.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(" ");

test("windows of five lines around hits outside symbols, merged, with the file's header", () => {
  const file = text(100, { 40: "needle", 47: "needle", 90: "needle" });
  expect(show(looseSnippets(file, [], hits("needle"), 0))).toBe("1-5 35-52 85-95");
  expect(show(looseSnippets(file, [{ startLine: 38, endLine: 60 }], hits("needle"), 0))).toBe("1-5 85-95");
});

test("a window ends with the last line, whether or not a line feed follows it", () => {
  const file = text(60, { 58: "needle" });
  expect(show(looseSnippets(file, [], hits("needle"), 0))).toBe("1-5 53-60");
  expect(show(looseSnippets(`${file}\n`, [], hits("needle"), 0))).toBe("1-5 53-60");
});

test("a file of under 50 lines is shown whole; without a match nothing is shown, unless the file is required", () => {
  expect(show(looseSnippets(text(49, { 7: "needle" }), [], hits("needle"), 0))).toBe("1-49");
  expect(show(looseSnippets(text(49, {}), [], hits("needle"), 0))).toBe("");
  expect(show(looseSnippets(text(80, {}), [], hits("needle"), 10))).toBe("1-10");
  expect(show(looseSnippets(text(80, {}), [], hits("needle"), 200))).toBe("1-80");
});

test("an excerpt keeps the beginning and the best hits", () => {
  const lines = text(60, { 30: "needle", 50: "needle thread" }).split("\n");
  const text60 = { lines, lineTokens: () => 5, tokensOf: (part: string) => part.length };
  const { ranges } = excerpt(text60, { startLine: 1, endLine: 60 }, hits("needle", "thread"), ALL_OF(100));
  expect(show(ranges)).toBe("1-5 45-55");
});

/** A conflict from line 20 to 50, of which the middle is line 35. */
const CONFLICT = text(60, { 20: "<<<<<<< HEAD", 35: "=======", 50: ">>>>>>> theirs" }).split("\n");

test("an excerpt with part of a conflict shows each line that marks it", () => {
  const lines = CONFLICT.with(29, "needle");
  const text60 = { lines, lineTokens: () => 5, tokensOf: (part: string) => part.length };
  const { ranges } = excerpt(text60, { startLine: 1, endLine: 60 }, hits("needle"), ALL_OF(130));
  expect(show(ranges)).toBe("1-6 20-20 25-35 50-50");
  // Without room for all of them, nothing of it is shown.
  const small = excerpt(text60, { startLine: 18, endLine: 60 }, hits(), ALL_OF(25));
  expect(show(small.ranges)).toBe("18-19");
});

test("a window with part of a conflict shows each line that marks it", () => {
  expect(show(looseSnippets(CONFLICT.with(44, "needle").join("\n"), [], hits("needle"), 0))).toBe(
    "1-5 20-20 35-35 40-50",
  );
});

test("an excerpt that ends in a conflict is within its tokens", () => {
  const tokens = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(tokens, fc.integer({ min: 1, max: 60 }), (tokensMax, hit) => {
      const lines = CONFLICT.with(
        hit - 1,
        CONFLICT[hit - 1]?.startsWith("line") ? "needle" : (CONFLICT[hit - 1] ?? ""),
      );
      const source = { lines, lineTokens: () => 5, tokensOf: (part: string) => part.length };
      const { ranges } = excerpt(source, { startLine: 1, endLine: 60 }, hits("needle"), ALL_OF(tokensMax));
      const shown = new Set(ranges.flatMap(({ startLine, endLine }) => range(startLine, endLine)));
      const isInside = range(20, 50).some((line) => shown.has(line));
      expect(isInside).toBe([20, 35, 50].every((line) => shown.has(line)));
      expect(shown.size * 5 + Math.max(0, ranges.length - 1) * 8).toBeLessThanOrEqual(tokensMax);
    }),
  );
});

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test("windows show a line that has a word of the task in another form, and first those that have it as it is written", () => {
  const scorer = lineScorer({ keywords: ["sort"] });
  expect(show(looseSnippets(text(100, { 40: "names.sorted()" }), [], scorer, 0))).toBe("1-5 35-45");
  const both = text(100, { 20: "sorting", 40: "sorted", 60: "sorts", 80: "sort" });
  expect(show(looseSnippets(both, [], scorer, 0))).toBe("1-5 15-25 35-45 75-85");
});

const ALL_OF = (tokensMax: number) => ({ tokensMax, unusedMax: tokensMax });
const priced = (lines: readonly string[]) => ({
  lines,
  lineTokens: (at: number): number => 1 + (lines[at - 1]?.length ?? 0),
  tokensOf: (part: string): number => 1 + part.length,
});

test("where two windows meet, the tokens of the marker between them are freed", () => {
  const lines = ["head", "x".repeat(60), "", "fill", "a", "needle", "b", "y".repeat(200)];
  // Lines 1 to 7 cost 83 tokens, and 8 for the one marker that is left; 23 are free for line 8, three of them for its cut.
  const room = { tokensMax: 83 + 8 + 23, unusedMax: 10 };
  const { ranges, cut } = excerpt(priced(lines), { startLine: 1, endLine: 8 }, hits("needle"), room);
  expect([show(ranges), cut]).toEqual(["1-8", { line: 8, chars: 20 }]);
});

test("an excerpt stays within its tokens and range, is in order, and wastes no more than allowed", () => {
  const line = fc.constantFrom("", "needle", "thread", "other words here", "long ".repeat(30));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 120 }),
      fc.nat(400),
      fc.nat(30),
      fc.nat(400),
      (lines, tokensMax, offset, unusedMax) => {
        const range = { startLine: Math.min(1 + offset, lines.length), endLine: lines.length };
        const text = priced(lines);
        const { ranges, cut } = excerpt(text, range, hits("needle", "thread"), { tokensMax, unusedMax });
        let spent = 0;
        let shown = 0;
        let previous = range.startLine - 1;
        for (const { startLine, endLine } of ranges) {
          expect(startLine).toBeGreaterThan(previous);
          expect(endLine).toBeLessThanOrEqual(range.endLine);
          previous = endLine;
          for (let at = startLine; at <= endLine; at += 1) {
            shown += 1;
            spent += at === cut?.line ? text.tokensOf(cutText(lines[at - 1] ?? "", cut)) : text.lineTokens(at);
          }
        }
        expect(spent).toBeLessThanOrEqual(tokensMax);
        // Markers between windows cost too; a cut line of under eight characters would say nothing.
        const markers = 8 * ranges.length;
        expect(spent + markers).toBeLessThanOrEqual(tokensMax);
        if (shown < range.endLine - range.startLine + 1 && cut === null)
          expect(tokensMax - spent - markers).toBeLessThanOrEqual(Math.max(unusedMax, 8 + 12));
      },
    ),
  );
});

test("the shown part of a line fits and cuts no surrogate pair", () => {
  const tokensOf = (part: string): number => Math.ceil(part.length / 3);
  for (const [text, tokensMax, expected] of [
    ["x".repeat(1000), 10, 28],
    ["🙂".repeat(100), 11, 28],
    ["short", 1, 0],
    ["x".repeat(1000), 0, 0],
  ] as const)
    expect(charsWithin(text, tokensMax, tokensOf)).toBe(expected);
});

test("wanted lines come before the best hits, behind the line to begin with", () => {
  const lines = text(60, { 30: "needle", 50: "needle thread" }).split("\n");
  const text60 = { lines, lineTokens: () => 5, tokensOf: (part: string) => part.length };
  const find = (tokens: number, alone = false): string => {
    const wanted = { from: 4, lines: [20], alone };
    return show(
      excerpt(text60, { startLine: 1, endLine: 60 }, hits("needle", "thread"), ALL_OF(tokens), wanted).ranges,
    );
  };
  expect(find(90)).toBe("4-6 15-25");
  expect(find(50)).toBe("4-6 19-21");
  expect(find(13)).toBe("20-20");
  expect(find(300)).toBe("1-58");
  expect(find(300, true)).toBe("4-6 15-25");
  expect(show(looseSnippets(lines.join("\n"), [{ startLine: 15, endLine: 60 }], hits("needle"), 0, [20]))).toBe(
    "1-5 15-25",
  );
});
