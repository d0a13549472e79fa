import { expect, test } from "bun:test";
import fc from "fast-check";
import { excerpt, looseSnippets } from "../../src/retrieval/snippets.ts";

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
  expect(show(looseSnippets(file, [], hits("needle"), false))).toBe("1-5 35-52 85-95");
  expect(show(looseSnippets(file, [{ startLine: 38, endLine: 60 }], hits("needle"), false))).toBe("1-5 85-95");
});

test("a file of under 50 lines goes in whole; nothing matches: nothing, unless the file is wanted anyway", () => {
  expect(show(looseSnippets(text(49, { 7: "needle" }), [], hits("needle"), false))).toBe("1-49");
  expect(show(looseSnippets(text(49, {}), [], hits("needle"), false))).toBe("");
  expect(show(looseSnippets(text(80, {}), [], hits("needle"), true))).toBe("1-10");
});

test("an excerpt keeps the beginning and the best hits", () => {
  const lines = text(60, { 30: "needle", 50: "needle thread" }).split("\n");
  const ranges = excerpt(lines, { startLine: 1, endLine: 60 }, hits("needle", "thread"), () => 5, 100);
  expect(show(ranges)).toBe("1-5 45-55");
});

test("an excerpt never costs more than it may, stays inside its range, and is in order", () => {
  const line = fc.constantFrom("", "needle", "thread", "other words here");
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 120 }),
      fc.nat(400),
      fc.nat(30),
      (lines, tokensMax, offset) => {
        const range = { startLine: Math.min(1 + offset, lines.length), endLine: lines.length };
        const cost = (at: number): number => 1 + (lines[at - 1]?.length ?? 0);
        const ranges = excerpt(lines, range, hits("needle", "thread"), cost, tokensMax);
        let spent = 0;
        let previous = range.startLine - 1;
        for (const { startLine, endLine } of ranges) {
          expect(startLine).toBeGreaterThan(previous);
          expect(endLine).toBeLessThanOrEqual(range.endLine);
          previous = endLine;
          for (let at = startLine; at <= endLine; at += 1) spent += cost(at);
        }
        expect(spent).toBeLessThanOrEqual(tokensMax);
      },
    ),
  );
});
