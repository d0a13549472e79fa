import { expect, test } from "bun:test";
import fc from "fast-check";
import { expandIdentifier } from "../../../src/text/terms/identifiers.ts";
import { SPLIT, splitAscii } from "../../../src/text/terms/split-ascii.ts";

/** The terms of an identifier that stands between others. */
function termsOf(name: string): readonly string[] {
  const count = splitAscii(Buffer.from(`before.${name}.after`), 7, 7 + name.length);
  const { lower, spans } = SPLIT;
  const spanAt = (at: number): readonly [number, number] => [spans[2 * at] ?? 0, spans[2 * at + 1] ?? 0];
  return Array.from({ length: count }, (_, at) => Buffer.from(lower.slice(...spanAt(at))).toString());
}

test("an identifier has the terms of its string", () => {
  const names = fc.oneof(
    fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,20}$/),
    fc.array(fc.constantFrom("a", "ab", "Http", "HTTP", "12", "1", "_", "$"), { minLength: 1, maxLength: 12 }),
  );
  fc.assert(
    fc.property(names, (name) => {
      const text = typeof name === "string" ? name : name.join("");
      expect(termsOf(text)).toEqual(expandIdentifier(text));
    }),
  );
});

test.each([256, 257, 700, 5_000])("one with %d times two parts has them all", (times) => {
  const name = "ab12".repeat(times);
  expect(termsOf(name)).toEqual(expandIdentifier(name));
});
