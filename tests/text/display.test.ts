import { expect, test } from "bun:test";
import fc from "fast-check";
import { display, displayLines, MARKS_MAX } from "../../src/text/display.ts";

test.each([
  ["plain text, ünïcode 漢字", "plain text, ünïcode 漢字"],
  ["\x1b]0;title\x07", "\\x1b]0;title\\x07"],
  ["\x1b]52;c;aGk=\x1b\\", "\\x1b]52;c;aGk=\\x1b\\"],
  ["a\rb\nc\td", "a\\x0db\\x0ac\\x09d"],
  ["\x7f\x80\x9b31m", "\\x7f\\x80\\x9b31m"],
  ["\u{202e}gpj.exe", "\\u{202e}gpj.exe"],
  ["a\u{200b}\u{200d}\u{feff}\u{2060}b", "a\\u{200b}\\u{200d}\\u{feff}\\u{2060}b"],
  ["\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"],
  ["\u{2028}\u{2029}", "\\u{2028}\\u{2029}"],
  ["\u{2066}x\u{2069}\u{61c}", "\\u{2066}x\\u{2069}\\u{61c}"],
  ["\u{3164}\u{e0100}\u{ad}", "\\u{3164}\\u{e0100}\\xad"],
  ["\ud800 alone", "\\u{d800} alone"],
  ["❤\u{fe0f}", "❤\u{fe0f}"],
  ["👩\u{200d}💻 👩🏽\u{200d}💻 ❤\u{fe0f}\u{200d}🔥", "👩\u{200d}💻 👩🏽\u{200d}💻 ❤\u{fe0f}\u{200d}🔥"],
  ["👩\u{200d}a \u{200d}💻 a\u{fe0f}\u{200d}💻", "👩\\u{200d}a \\u{200d}💻 a\u{fe0f}\\u{200d}💻"],
])("%j", (raw, shown) => {
  expect<string>(display(raw)).toBe(shown);
});

test("lines and tabs stay where many lines are shown; CRLF becomes a line feed", () => {
  expect<string>(displayLines("a\tb\r\nc\n\x1b[2J\rd")).toBe("a\tb\nc\n\\x1b[2J\\x0dd");
});

test("combining marks are bounded", () => {
  const mark = "\u{301}";
  expect<string>(display(`e${mark.repeat(MARKS_MAX)}`)).toBe(`e${mark.repeat(MARKS_MAX)}`);
  expect<string>(display(`e${mark.repeat(MARKS_MAX + 2)}x`)).toBe(`e${mark.repeat(MARKS_MAX)}\\u{301}\\u{301}x`);
  expect(
    display(mark.repeat(100_000))
      .match(/\p{M}+/gu)
      ?.map((run) => run.length),
  ).toEqual([MARKS_MAX]);
});

test("property: nothing unsafe is left, and nothing is escaped twice", () => {
  const any = fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0x10ffff }),
        fc.integer({ min: 0, max: 0x9f }),
        fc.integer({ min: 0x2000, max: 0x206f }),
        fc.integer({ min: 0x300, max: 0x302 }),
      ),
    )
    .map((codes) => String.fromCodePoint(...codes));
  fc.assert(
    fc.property(any, (raw) => {
      for (const [show, allowed] of [
        [display, ""],
        [displayLines, "\n\t"],
      ] as const) {
        const shown = show(raw);
        expect(
          [...shown].filter(
            (character) =>
              /(?!\u{200d})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) && !allowed.includes(character),
          ),
        ).toEqual([]);
        expect(/\p{M}{9}/u.test(shown)).toBe(false);
        expect(show(shown)).toBe(shown);
      }
    }),
    { numRuns: 300 },
  );
});
