/** Hunks hold what changed and three lines around it, and begin and end where a reader expects. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { unifiedHunks } from "../../../src/text/diff/unified-hunks.ts";

const shown = (before: string, after: string): readonly string[] =>
  unifiedHunks(before, after).flatMap(({ lines }) => lines);

const line = fc.constantFrom("", "a", "b", "  a", "\tb", "}");
const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.map((one) => `${one}\n`).join(""));

test("the lines of hunks are those of both texts, at the numbers that their headers say", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const { oldStart, oldLines, newStart, newLines, lines } of unifiedHunks(before, after))
        for (const [own, start, count, other] of [
          [before, oldStart, oldLines, "+"],
          [after, newStart, newLines, "-"],
        ] as const) {
          const kept = lines.filter((one) => !one.startsWith(other)).map((one) => one.slice(1));
          expect(kept).toHaveLength(count);
          expect(
            own
              .split("\n")
              .slice(count === 0 ? start : start - 1)
              .slice(0, count),
          ).toEqual(kept);
        }
      expect(unifiedHunks(before, after).length === 0).toBe(before === after);
    }),
    { numRuns: 500 },
  );
});

test("a new function begins with its own first line, not with the last one of the function above", () => {
  const one = "def one():\n    if a:\n        return 1\n    return 2\n\n\n";
  const two = "def two():\n    if a:\n        return 1\n    return 2\n\n\n";
  expect(shown(`${one}x = 1\n`, `${one}${two}x = 1\n`).filter((text) => !text.startsWith(" "))).toEqual(
    two
      .trimEnd()
      .split("\n")
      .map((text) => `+${text}`)
      .concat("+", "+"),
  );
  const java = "  void a() {\n    go();\n  }\n";
  expect(shown(`class A {\n${java}}\n`, `class A {\n${java}\n${java.replace("a()", "b()")}}\n`)).toEqual([
    "   void a() {",
    "     go();",
    "   }",
    "+",
    "+  void b() {",
    "+    go();",
    "+  }",
    " }",
  ]);
});

test("an addition that can reach a deletion is shown with it", () => {
  expect(shown("a\n\nold\n\nz\n", "a\n\nnew\n\nnewer\n\nz\n")).toEqual([
    " a",
    " ",
    "-old",
    "+new",
    "+",
    "+newer",
    " ",
    " z",
  ]);
});

test("a hunk has the nearest line above that looks like a heading", () => {
  const body = Array.from({ length: 9 }, (_, at) => `    x${at} = ${at}\n`).join("");
  const [hunk] = unifiedHunks(`def f():\n${body}`, `def f():\n${body.replace("x7 = 7", "x7 = 8")}`);
  expect(hunk?.heading).toBe("def f():");
});
