import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  deleteAfter,
  deleteLeft,
  deleteRight,
  deleteWord,
  EMPTY_FIELD,
  FIELD_CHARS_MAX,
  type Field,
  fieldOf,
  left,
  lineDown,
  lineEnd,
  lineHome,
  lineUp,
  right,
  typed,
  typedInLine,
  wordLeft,
  wordRight,
} from "../../../src/tui/state/text-field.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** A field, written with `|` where its cursor is. */
const field = (marked: string): Field => ({ text: marked.replace("|", ""), cursor: marked.indexOf("|") });
const marked = ({ text, cursor }: Field): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const FAMILY = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";

test.each([
  ["a letter", typed, "ab|", "abx|"],
  ["in the middle", typed, "a|b", "ax|b"],
] as const)("typing %s", (_, change, before, after) => expect(marked(change(field(before), "x"))).toBe(after));

test.each([
  ["left", left, "ab|", "a|b"],
  ["left over a family", left, `a${FAMILY}|`, `a|${FAMILY}`],
  ["left over an accent", left, "e\u0301|", "|e\u0301"],
  ["left at the start", left, "|ab", "|ab"],
  ["left over a line end", left, "a\n|b", "a|\nb"],
  ["right", right, "|ab", "a|b"],
  ["right over a family", right, `|${FAMILY}b`, `${FAMILY}|b`],
  ["right at the end", right, "ab|", "ab|"],
  ["word left", wordLeft, "fix the cart|", "fix the |cart"],
  ["word left over signs", wordLeft, "cart.add(|", "cart.|add("],
  ["word right", wordRight, "|fix the", "fix| the"],
  ["word right over signs", wordRight, "fix|, the", "fix, the|"],
  ["word left over a mark on a sign", wordLeft, "a (\u0301bc|", "a |(\u0301bc"],
  ["word left over joined letters", wordLeft, "\u0915\u094d\u200d\u0937|", "|\u0915\u094d\u200d\u0937"],
  ["word right over a joiner", wordRight, "|a\u200d b", "a\u200d| b"],
  ["home", lineHome, "a\nbc|d", "a\n|bcd"],
  ["end", lineEnd, "a|b\ncd", "ab|\ncd"],
  ["delete left", deleteLeft, "ab|c", "a|c"],
  ["delete left, a family", deleteLeft, `a${FAMILY}|`, "a|"],
  ["delete left, a line end", deleteLeft, "a\n|b", "a|b"],
  ["delete right", deleteRight, "a|bc", "a|c"],
  ["delete right at the end", deleteRight, "a|", "a|"],
  ["delete a word", deleteWord, "fix the|", "fix |"],
  ["delete a word with a mark on a sign", deleteWord, "a (\u0301bc|", "a |"],
  ["delete signs that are many", deleteWord, `a${"\u{1F600}".repeat(700)}-|`, `a${"\u{1F600}".repeat(200)}|`],
  ["delete to the end", deleteAfter, "a|b\nc", "a|\nc"],
  ["delete a line end", deleteAfter, "a|\nc", "a|c"],
] as const)("%s", (_, change, before, after) => expect(marked(change(field(before)))).toBe(after));

test("moving up and down keeps the column where the line is long enough", () => {
  expect(marked(lineUp(field("abcd\nxy\nefg|h")) ?? EMPTY_FIELD)).toBe("abcd\nxy|\nefgh");
  expect(marked(lineDown(field("abc|d\nxy\nefgh")) ?? EMPTY_FIELD)).toBe("abcd\nxy|\nefgh");
  expect(lineUp(field("ab|\ncd"))).toBeNull();
  expect(lineDown(field("ab\nc|d"))).toBeNull();
});

test("pasted newlines are normalized, and removed in a field of one line", () => {
  expect(marked(typed(EMPTY_FIELD, "a\r\nb\rc\n"))).toBe("a\nb\nc\n|");
  expect(marked(typedInLine(EMPTY_FIELD, "a\r\nb\tc"))).toBe("a b c|");
});

test("text that is too long is truncated", () => {
  const full = typed(fieldOf("x".repeat(FIELD_CHARS_MAX - 1)), "yz");
  expect([full.text.length, full.text.at(-1)]).toEqual([FIELD_CHARS_MAX, "y"]);
});

const EDITS = [
  left,
  right,
  wordLeft,
  wordRight,
  lineHome,
  lineEnd,
  deleteLeft,
  deleteRight,
  deleteWord,
  deleteAfter,
] as const;

test("after any edits, the cursor is between grapheme clusters", () => {
  const pieces = fc.oneof(
    fc.constantFrom(FAMILY, "e\u0301", "\u{1F1E9}\u{1F1EA}", "\n", "\r\n", " ", "\ud83d", "한", "ab_1"),
    fc.string({ unit: anyCharacter, maxLength: 5 }),
  );
  const steps = fc.array(fc.oneof(pieces, fc.constantFrom(...EDITS)), { maxLength: 30, size: "max" });
  fc.assert(
    fc.property(steps, (all) => {
      let now = EMPTY_FIELD;
      for (const step of all) {
        now = typeof step === "string" ? typed(now, step) : step(now);
        const ends = [...new Intl.Segmenter("en").segment(now.text)].map(({ index }) => index);
        expect([...ends, now.text.length]).toContain(now.cursor);
        expect(now.text.isWellFormed()).toBe(true);
        expect(now.text).not.toContain("\r");
      }
    }),
  );
});
