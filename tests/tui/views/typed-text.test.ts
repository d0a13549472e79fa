/** Fields being typed in: the caret is in sight and the lines have room, wherever it is. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Look } from "../../../src/tui/state/state.ts";
import { type Field, fieldOf, left, lineDown, lineUp, right } from "../../../src/tui/state/text-field.ts";
import { lineColumns } from "../../../src/tui/styling/styled-text.ts";
import { typedLine, typedLines } from "../../../src/tui/views/typed-text.ts";
import { anyCharacter } from "../../support/any-character.ts";

const LOOK: Look = { ascii: true, colour: true, screenReader: null };

const shown = (field: Field, columns: number, rows: number, look: Look = { ...LOOK, colour: false }): string =>
  typedLines(field, columns, rows, look)
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");

const at = (text: string): Field => ({ text: text.replace("|", ""), cursor: text.indexOf("|") });

const check = (name: string, typed: string, columns: number, rows: number, expected: string): void =>
  test(name, () => expect(shown(at(typed), columns, rows)).toBe(expected));

check("a short text", "ab|c", 10, 3, "ab|c");
check("an empty text", "|", 10, 3, "|");
check("a long line breaks between words", "one two three|", 8, 4, "one two\nthree|");
check("a blank at the end of a row goes with it", "one two |", 8, 4, "one two\n|");
check("a word longer than the line breaks anywhere", "abcdefghij|", 6, 4, "abcde\nfghij|");
check("the caret on an empty line", "a\n|\nb", 6, 4, "a\n|\nb");
check("lines above and below a caret in the middle", "1\n2\n3\n4|\n5\n6\n7", 6, 3, "3\n4|\n5");
check("tabs are blanks", "\tx|", 8, 2, "  x|");
check("escapes are shown", "a\u001b|", 10, 2, "a\\x1b|");

test("one line scrolls with the caret", () => {
  const text = (field: Field): string =>
    typedLine(field, 8, { ...LOOK, colour: false })
      .map((piece) => piece.text)
      .join("");
  expect(text(fieldOf("0123456789"))).toBe("3456789|");
  expect(text(at("|0123456789"))).toBe("|0123456");
  expect(text(at("ab|c"))).toBe("ab|c");
});

test("the caret is shown once and every line fits, in any text, after any moves", () => {
  const moves = fc.array(fc.constantFrom(left, right, lineUp, lineDown), { maxLength: 30 });
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: anyCharacter, maxLength: 100 }),
    fc
      .array(fc.constantFrom("word ", "\n", "日本", "x".repeat(500), "\u0301", "👩‍👩‍👧", "\t"), { maxLength: 40 })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(
      text,
      moves,
      fc.integer({ min: 12, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (typed, steps, columns, rows) => {
        const field = steps.reduce((now: Field, step) => step(now) ?? now, fieldOf(typed));
        for (const lines of [typedLines(field, columns, rows, LOOK), [typedLine(field, columns, LOOK)]]) {
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(lines.flat().filter(({ role }) => role === "caret")).toHaveLength(1);
          for (const line of lines) expect(lineColumns(line)).toBeLessThanOrEqual(columns);
        }
      },
    ),
    { numRuns: 200 },
  );
});
