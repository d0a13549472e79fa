/** Lines of tables and reports on a narrow terminal. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import stringWidth from "string-width";
import { hangingLines } from "../../../src/cli/output/hanging-lines.ts";
import { pairs, table } from "../../../src/present/layout.ts";

test("a value that is too long goes on below its start", () => {
  const text = pairs([
    ["tool", "one 1.0, another 2.0, a third 3.0"],
    ["size", 7],
  ]);
  expect(hangingLines(text, 32)).toBe("tool  one 1.0, another 2.0, a\n      third 3.0\nsize  7\n");
  expect(hangingLines(text, 80)).toBe(text);
});

test("what begins too far to the right goes below the row, in every row and in the heading", () => {
  const why = "not expected to matter enough for its tokens";
  const text = table(
    ["rank", "path", "why"],
    [
      [1, `src/${"a".repeat(20)}.py`, why],
      [2, "b.py", "short"],
    ],
  );
  expect(hangingLines(text, 36)).toBe(
    [
      "rank  path",
      "      why",
      "   1  src/aaaaaaaaaaaaaaaaaaaa.py",
      "      not expected to matter enough",
      "      for its tokens",
      "   2  b.py",
      "      short",
      "",
    ].join("\n"),
  );
});

test("a line of very many columns is broken as one of few", () => {
  const line = (count: number): string => Array.from({ length: count }, (_, at) => `c${at}`).join("  ");
  const lines = hangingLines(line(50_000), 40).split("\n");
  expect(lines.slice(0, 3)).toEqual(hangingLines(line(20), 40).split("\n").slice(0, 3));
  expect(lines.at(-1)).toBe("      c49999");
});

test("law: no line with blanks to break at is too wide, and no word is lost, cut or moved", () => {
  const word = fc.constantFrom("a", "word", "longer-word", "日本語", "🧑‍💻", "path/to/a/file.ts");
  const line = fc.array(fc.tuple(word, fc.constantFrom(" ", "  ", "     ")), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 40, max: 100 }), (lines, columns) => {
      const text = lines.map((words) => `${words.flat().join("").trimEnd()}\n`).join("");
      const hung = hangingLines(text, columns);
      expect(hung.split(/\s+/)).toEqual(text.split(/\s+/));
      for (const one of hung.split("\n")) expect(stringWidth(one)).toBeLessThanOrEqual(columns);
    }),
  );
});
