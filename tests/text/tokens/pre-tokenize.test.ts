import { expect, test } from "bun:test";
import fc from "fast-check";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { plainPieceEnd } from "../../../src/text/tokens/pre-tokenize.ts";

const split = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, "uy");

/** Units after the end do not count. */
const AFTER = "'sa/\né";

function endOf(text: string, at: number): number {
  const longer = text + AFTER;
  return plainPieceEnd(
    Uint16Array.from({ length: longer.length }, (_, unit) => longer.charCodeAt(unit)),
    at,
    text.length,
  );
}

/** Where the expression ends the piece that begins at an offset. */
function truth(text: string, at: number): number {
  split.lastIndex = at;
  return split.test(text) ? split.lastIndex : at;
}

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit))) }),
  fc.constantFrom(
    "don't",
    "WE'LL",
    "x'Re",
    "'s",
    "  ",
    "\r\n",
    "\n\n /",
    "//\n",
    "12345",
    "aB",
    "HTTPServer",
    "é",
    "漢",
  ),
  fc.constantFrom("\u{301}", "\u00a0", "\u2028", "٣", "ſ", "K", "😀", "\ud800"),
);

test("property: a piece ends where the expression ends it, or the expression decides", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = parts.join("");
      for (let at = 0; at < text.length; at = truth(text, at)) {
        const end = endOf(text, at);
        if (end >= 0) expect(end).toBe(truth(text, at));
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the expression is not needed for plain text, and for other text only near non-plain characters", () => {
  const text = "const a = 'b';\n\n\treturn 12345 // it's\n";
  for (let at = 0; at < text.length; at = truth(text, at)) expect(endOf(text, at)).toBe(truth(text, at));
  expect([..."xé"].map((_, at) => endOf("xé", at))).toEqual([-1, -1]);
  expect(endOf("x é", 0)).toBe(1);
});
