/** Which lines are new, held to what a plain table of longest common subsequences says. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines } from "../../../src/text/diff/line-diff.ts";

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const letters = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

/** The length of the longest list of lines that both have in the same order. */
function common(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const line of one) {
    const next = [0];
    for (const [at, own] of other.entries())
      next.push(line === own ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("unchanged lines are a longest common subsequence", () => {
  fc.assert(
    fc.property(letters, letters, (old, now) => {
      const { added, goneAfter } = diffLines(text(old), text(now));
      const kept = now.filter((_, at) => !added.some((range) => range.startLine <= at + 1 && at + 1 <= range.endLine));
      expect(common(old, kept)).toBe(kept.length);
      expect(kept.length).toBe(common(old, now));
      for (const line of goneAfter) expect(line >= 0 && line <= now.length).toBe(true);
      const isSame = added.length + goneAfter.length === 0;
      expect(isSame).toBe(text(old) === text(now));
    }),
    { numRuns: 500 },
  );
});

test("removed lines are reported by the line before them, unless new lines replace them", () => {
  expect(diffLines(text(["a", "x", "b"]), text(["a", "b"]))).toEqual({ added: [], goneAfter: [1] });
  expect(diffLines(text(["x", "a"]), text(["a"]))).toEqual({ added: [], goneAfter: [0] });
  expect(diffLines(text(["a", "x"]), text(["a"]))).toEqual({ added: [], goneAfter: [1] });
  expect(diffLines(text(["a", "x", "b"]), text(["a", "y", "b"]))).toEqual({
    added: [{ startLine: 2, endLine: 2 }],
    goneAfter: [],
  });
  expect(diffLines("", text(["a", "b"]))).toEqual({ added: [{ startLine: 1, endLine: 2 }], goneAfter: [] });
});

test("line ends are ignored, also at the end of the text", () => {
  expect(diffLines("a\r\nb\r\n", "a\nb")).toEqual({ added: [], goneAfter: [] });
});

test("texts without common lines are new between their common start and end", () => {
  const many = (name: string): string[] => Array.from({ length: 1_500 }, (_, at) => `${name} ${at}`);
  const diff = diffLines(text(["first", ...many("old"), "last"]), text(["first", ...many("new"), "last"]));
  expect(diff).toEqual({ added: [{ startLine: 2, endLine: 1_501 }], goneAfter: [] });
});

test("a thousand edits are told apart, more are one", () => {
  const ending = (count: number) => {
    const kept = Array.from({ length: count }, (_, at) => `kept ${at}`);
    return diffLines(text(kept.flatMap((line, at) => [`gone ${at}`, line])), text(kept));
  };
  expect(ending(1_000).goneAfter).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  expect(ending(1_001)).toEqual({ added: [{ startLine: 1, endLine: 1_000 }], goneAfter: [] });
});
