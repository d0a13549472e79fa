/** Lines of a commit in a later text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { carriedLines } from "../../../src/source/revisions/carried-lines.ts";
import { diffLines } from "../../../src/text/diff/line-diff.ts";

test("equal code that was added later is not of the commit", () => {
  const then = "def a():\n    return 1\n\n\ndef b():\n    return 1\n";
  const now = `def z():\n    return 1\n\n\n${then}\n\ndef c():\n    return 3\n`;
  const found = carriedLines("def a():\n    return 1\n", then, now);
  expect(found).toEqual({ added: [{ startLine: 7, endLine: 10 }], goneAfter: [] });
});

test("a deletion is where its lines were, unless the line above is gone too", () => {
  expect(carriedLines("a\nb\nc\n", "a\nc\n", "new\na\nc\n")).toEqual({ added: [], goneAfter: [2] });
  expect(carriedLines("a\nb\n", "b\n", "new\nb\n")).toEqual({ added: [], goneAfter: [0] });
  expect(carriedLines("a\nb\nc\n", "a\nc\n", "x\nc\n")).toEqual({ added: [], goneAfter: [] });
});

const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 }).map((lines) => lines.join("\n"));

test("what is left are lines of the later text that the commit added; without later changes it is all", () => {
  fc.assert(
    fc.property(text, text, text, (before, then, now) => {
      expect(carriedLines(before, then, then)).toEqual(diffLines(before, then));
      const added = linesOf(then, diffLines(before, then).added);
      for (const line of linesOf(now, carriedLines(before, then, now).added)) expect(added).toContain(line);
    }),
  );
});

const linesOf = (of: string, ranges: ReturnType<typeof diffLines>["added"]): readonly string[] =>
  ranges.flatMap(({ startLine, endLine }) => of.split("\n").slice(startLine - 1, endLine));
