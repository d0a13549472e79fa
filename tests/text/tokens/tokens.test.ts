import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { countLines, cutMiddle, openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { anyCharacter } from "../../support/any-character.ts";

const options = { margin: 0.15 };
const o200k = await openTokenCounter("o200k_base", options);
const cl100k = await openTokenCounter("cl100k_base", options);
const approximate = await openTokenCounter("approximate", options);
/** Long words are merged in another way from a length on; these lie on both sides of it, in bytes too. */
const LONG = { minLength: 300, maxLength: 1_500, size: "max" } as const;
const plain = { disallowedSpecial: new Set<string>() };
const exact = [
  { counter: o200k, truth: (text: string): number => countO200k(text, plain) },
  { counter: cl100k, truth: (text: string): number => countCl100k(text, plain) },
];

describe("exact counts", () => {
  test("property: equal to the tokenizer's own on text of short words", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.string({ unit: anyCharacter, maxLength: 10 }),
      fc.constantFrom("\n", "  ", "return", "(", "漢字", "<|endoftext|>", "\ud800", "\ufeff", "\ufeffusing"),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join(" ");
        for (const { counter, truth } of exact) expect(counter.count(text)).toBe(truth(text));
      }),
    );
  });

  test("property: equal to the tokenizer's own on long runs", () => {
    const alphabet = fc.constantFrom(
      "ab",
      "aB",
      "etaoin",
      "漢字仮名",
      "=-",
      " \n",
      " ",
      "\t ",
      "!@#$%^&*()",
      "é日x",
      "-\u{301}",
      "😀🎉",
      "ab=/",
      "。、漢",
      "\ufeffa-",
      "\ud800x",
    );
    const run = alphabet
      .chain((letters) => fc.array(fc.constantFrom(...letters), LONG))
      .map((characters) => characters.join(""));
    const repeated = fc
      .tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: 200, max: 900 }))
      .map(([unit, times]) => unit.repeat(times));
    fc.assert(
      fc.property(
        fc.constantFrom("", "x", " ", "word "),
        fc.oneof(run, repeated),
        fc.constantFrom("", "'s", " end", "1"),
        (before, middle, after) => {
          const text = before + middle + after;
          for (const { counter, truth } of exact) expect(counter.count(text)).toBe(truth(text));
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(["a", " ", "\n", "-", "漢", "é", "=\u{301}", "ab.", "😀"])("40,000 characters of %j end", (unit) => {
    const text = unit.repeat(40_000 / unit.length);
    for (const { counter } of exact) expect(counter.count(text)).toBeGreaterThan(200);
  });
});

test("approximate: a quarter of the characters and the margin, rounded up", () => {
  expect([approximate.count(""), approximate.count("abcd"), approximate.count("a".repeat(400))]).toEqual([0, 2, 115]);
});

test("tokens per line, each with its line feed", () => {
  const text = "const a = 1;\n\nlast";
  expect([...countLines(text, o200k)]).toEqual(["const a = 1;\n", "\n", "last"].map((line) => o200k.count(line)));
  expect([...countLines("x\n", o200k)]).toEqual([o200k.count("x\n")]);
  expect(countLines("", o200k)).toHaveLength(0);
});

describe("truncating the middle", () => {
  const marker = "\n[…]\n";

  test("text that fits is unchanged; otherwise head and tail stay", () => {
    expect(cutMiddle("short", 10, marker, o200k)).toBe("short");
    const text = Array.from({ length: 2_000 }, (_, at) => `line ${at}`).join("\n");
    const cut = cutMiddle(text, 512, marker, o200k);
    expect(cut).toStartWith("line 0\nline 1\n");
    expect(cut).toEndWith("line 1998\nline 1999");
    expect(cut).toContain(marker);
    expect(o200k.count(cut)).toBeLessThanOrEqual(512);
    expect(o200k.count(cut)).toBeGreaterThan(500);
  });

  test("the result is empty if the marker does not fit", () => {
    expect(cutMiddle("a b c d e f g h i j", 1, marker, o200k)).toBe("");
    expect(cutMiddle("", 0, marker, o200k)).toBe("");
  });

  test("property: within the limit, made of a head and a tail, without a split pair", () => {
    const text = fc.string({ unit: fc.constantFrom("😀", "word ", "\n", "x", "漢", "a".repeat(600)), maxLength: 200 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 8, max: 80 }),
        fc.constantFrom(o200k, cl100k, approximate),
        (whole, tokensMax, counter) => {
          const cut = cutMiddle(whole, tokensMax, marker, counter);
          expect(counter.count(cut)).toBeLessThanOrEqual(tokensMax);
          expect(cut.isWellFormed()).toBe(true);
          if (cut === whole) return;
          expect(counter.count(whole)).toBeGreaterThan(tokensMax);
          const at = cut.indexOf(marker);
          expect(whole.startsWith(cut.slice(0, at)) && whole.endsWith(cut.slice(at + marker.length))).toBe(true);
        },
      ),
    );
  });

  test("a text far too long is truncated without counting all of it", () => {
    expect(o200k.count(cutMiddle("漢字 ".repeat(200_000), 512, marker, o200k))).toBeLessThanOrEqual(512);
  });
});
