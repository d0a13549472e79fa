/** Escapes are decoded, and every decoded character knows where it was written. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hidesLiteral, unescaped } from "../../src/secrets/unescape.ts";

/** The escapes of a text, each with what it stands for. */
function parts(text: string): readonly string[] {
  const view = unescaped(text);
  if (view === null) return [];
  return Array.from(view.text, (character, at) => {
    const { start, end } = view.original({ start: at, end: at + 1 });
    return text.slice(start, end) === character ? character : `${text.slice(start, end)}→${character}`;
  });
}

test.each([
  ["a\\nb", ["a", "\\n→\n", "b"]],
  ['\\"a\\"', ['\\"→"', "a", '\\"→"']],
  ['\\\\\\"a', ['\\\\\\"→"', "a"]],
  ["\\x41\\u0041\\U00000041", ["\\x41→A", "\\u0041→A", "\\U00000041→A"]],
  ["\\u{41}\\x{41}", ["\\u{41}→A", "\\x{41}→A"]],
  ["\\101\\0", ["\\101→A", "\\0→\0"]],
  ["%41%2541%252541%u0041", ["%41→A", "%2541→A", "%252541→A", "%u0041→A"]],
  ["%C3%A9!", ["%C3→\ufffd", "%A9→\ufffd", "!"]],
  ["&quot;&#65;&#x41;&amp;#65;&amp;amp;", ['&quot;→"', "&#65;→A", "&#x41;→A", "&amp;#65;→A", "&amp;amp;→&"]],
  ["\\u001b[1;31ma\u001b[0mb", ["\\u001b[1;31m→\u001b", "a", "\u001b[0m→\u001b", "b"]],
  ["ab\\\n    cd", ["a", "b", "c", "d"]],
])("%j", (text, expected) => expect(parts(text)).toEqual(expected));

test.each(["plain", "50% off", "a & b", "\\d+", "\\u12", "&unknown;", "%zz", "\\u{1234567}", "\\u{}"])(
  "%j has no escapes",
  (text) => expect(unescaped(text)).toBeNull(),
);

test("what joins two lines is within the range of both characters", () => {
  const text = "ab\\\n  cd";
  expect(unescaped(text)?.original({ start: 1, end: 3 })).toEqual({ start: 1, end: 7 });
});

test("law: JSON, percent and HTML of any text are decoded to it, and each range maps to what was written", () => {
  const written = fc.constantFrom<(text: string) => string>(
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    encodeURIComponent,
    (text) => Array.from(text, (letter) => `&#${letter.charCodeAt(0)};`).join(""),
    (text) => Array.from(text, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[ !-$'-[\]-~]{1,40}$/), written, fc.nat(), fc.nat(), (text, write, a, b) => {
      const source = write(text);
      const view = unescaped(source) ?? { text: source, original: (span) => span };
      expect(view.text).toBe(text);
      const [start, end] = [Math.min(a % text.length, b % text.length), Math.max(a % text.length, b % text.length) + 1];
      const range = view.original({ start, end });
      expect(unescaped(source.slice(range.start, range.end))?.text ?? source.slice(range.start, range.end)).toBe(
        text.slice(start, end),
      );
    }),
  );
});

describe("a literal is hidden", () => {
  test.each(["\\u0041", "a\\-b", "a%2Fb", "a&#45;b", "ab\\\n  cd", "https:\\/\\/a", "Bearer%20a"])("by %j", (text) =>
    expect(hidesLiteral(text)).toBe(true),
  );
  test.each(["a\\n", 'say \\"this\\"', "a \\\n  b", "100%", "a &amp; b", "^\\.*$", "\\u00e9", "a&#b"])(
    "not by %j",
    (text) => expect(hidesLiteral(text)).toBe(false),
  );
});
