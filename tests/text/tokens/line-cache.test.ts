import { expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { rememberingLines } from "../../../src/text/tokens/line-cache.ts";
import { anyCharacter } from "../../support/any-character.ts";

const plain = { disallowedSpecial: new Set<string>() };
const piece = fc.constantFrom(
  ..."\n|\n\n|\r\n|\t| |    |/|//| // x|}|};|);\n/|#|a|fn foo(bar)|é|\u00a0|\u3000|\u2028|漢字|1234|'s|...|```|\n  \n|\n\t/|💡|<|endoftext".split(
    "|",
  ),
);

for (const [name, countTokens] of [
  ["o200k_base", o200k],
  ["cl100k_base", cl100k],
] as const)
  test(`${name}: counting by lines is counting the whole text, the second time too`, () => {
    const whole = (text: string): number => countTokens(text, plain);
    const byLines = rememberingLines(whole);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, piece, fc.string({ unit: anyCharacter, maxLength: 6 })), { maxLength: 60 }),
        (parts) => {
          const text = parts.join("");
          const expected = whole(text);
          expect(byLines(text)).toBe(expected);
          expect(byLines(text)).toBe(expected);
        },
      ),
      { numRuns: 1500 },
    );
  });

test("each different line is counted once", () => {
  const counted: string[] = [];
  const count = rememberingLines((text) => {
    counted.push(text);
    return 1;
  });
  expect(count("a\nb\na\nb\n")).toBe(4);
  expect(counted).toEqual(["a\n", "b\n"]);
});

test("a line of any length is counted once", () => {
  const counted: number[] = [];
  const count = rememberingLines((text) => counted.push(text.length));
  const line = `${"x".repeat(1_000_000)}\n`;
  for (const size of [1, 12, 123]) count(`{\n${line}${size}\n}`);
  expect(counted.filter((length) => length === line.length)).toHaveLength(1);
});

test("the cache is cleared after texts of 32 million characters", () => {
  let counted = 0;
  const count = rememberingLines(() => {
    counted += 1;
    return 1;
  });
  count("a\n");
  for (let text = 0; text < 30; text += 1) count(`${"x".repeat(1_000_000)}\n${text}\n`);
  counted = 0;
  count("a\n");
  expect(counted).toBe(0);
  for (let text = 30; text < 33; text += 1) count(`${"x".repeat(1_000_000)}\n${text}\n`);
  counted = 0;
  count("a\n");
  expect(counted).toBe(1);
});
