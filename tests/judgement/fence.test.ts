import { expect, test } from "bun:test";
import fc from "fast-check";
import { openFence } from "../../src/judgement/fence.ts";
import { asItem, listingPrompt, repairPrompt } from "../../src/judgement/prompt.ts";
import { shorten } from "../../src/judgement/shorten.ts";
import { display } from "../../src/text/display.ts";
import { anyCharacter } from "../support/any-character.ts";
import { INJECTIONS, withToken } from "./injections.ts";
import { idsIn, TOKEN } from "./told-model.ts";

const fence = openFence(TOKEN);

/** Lines of a text that open or close a fence. */
const fenceLines = (text: string): readonly string[] => text.split("\n").filter((line) => line.includes(TOKEN));

test("there are fifty injections, all different", () => {
  expect(new Set(INJECTIONS).size).toBe(50);
});

test("a fence is two lines with its token", () => {
  expect(fence.wrap("task", "fix it")).toBe(`<<< task ${TOKEN}\nfix it\n>>> task ${TOKEN}`);
});

test.each(["", "short", "with blank in it", "a".repeat(41), "dots.and.dots", "brackets[ab]"])(
  "%j is no token",
  (token) => {
    expect(() => openFence(token)).toThrow("a fence needs a token");
  },
);

test("the token is removed from a text, in any case", () => {
  expect(fence.guard(`a ${TOKEN} b ${TOKEN.toUpperCase()} c`)).toBe("a [fence] b [fence] c");
});

test.each(INJECTIONS.map((text) => [display(text).slice(0, 60), withToken(text, TOKEN)]))(
  "cannot close the fence: %s",
  (_, text) => {
    const wrapped = fence.wrap("items", text);
    expect(wrapped.split(TOKEN)).toHaveLength(3);
    expect(fenceLines(wrapped)).toEqual([`<<< items ${TOKEN}`, `>>> items ${TOKEN}`]);
    expect(wrapped).toStartWith(`<<< items ${TOKEN}\n`);
    expect(wrapped).toEndWith(`\n>>> items ${TOKEN}`);

    const question = { instruction: "Sort.", form: '{"a":[numbers]}', task: asItem(text) };
    const item = { text: asItem(text), group: asItem(text).replaceAll("\n", " ") };
    const { prompt } = listingPrompt(question, [item, { text: item.text }], fence);
    expect(fenceLines(prompt)).toHaveLength(4);
    const items = prompt.slice(prompt.indexOf(`<<< items ${TOKEN}`), prompt.indexOf(`>>> items ${TOKEN}`));
    expect(idsIn(prompt)).toEqual([1, 2]);
    expect(items.split("\n").filter((line) => /^\S/.test(line) && !/^\[[12]\] |^in /.test(line))).toEqual([
      `<<< items ${TOKEN}`,
    ]);
    const repair = repairPrompt({ prompt: "asked", why: text.slice(0, 100), answer: text, form: "{}" }, fence);
    expect(fenceLines(repair)).toHaveLength(2);
  },
);

const nasty = fc
  .array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...INJECTIONS, TOKEN, "\n", "\r\n", "{{token}}")))
  .map((parts) => withToken(parts.join(""), TOKEN));

test("property: for any text, the token is on the first and the last line only, and no character is invisible", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const guarded = fence.guard(text);
      expect(guarded).not.toContain(TOKEN);
      expect(fence.guard(guarded)).toBe(guarded);
      expect(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(guarded)).toBe(false);
    }),
  );
});

test("property: a shortened text is one safe line within its bound", () => {
  fc.assert(
    fc.property(nasty, fc.integer({ min: 1, max: 300 }), (text, charsMax) => {
      const line = shorten(text, charsMax);
      expect(line.length).toBeLessThanOrEqual(charsMax);
      expect<string>(display(line)).toBe(line);
      expect(shorten(line, charsMax)).toBe(line);
    }),
  );
});

test.each([
  ["plain", 10, "plain"],
  ["two\n  lines\tand tab", 40, "two lines and tab"],
  ["0123456789", 5, "0123…"],
  [`a${" ".repeat(9)}b`, 5, "a b"],
  ["far \n\n\n\n\n\n\n\n\n\n\n\n\n\n away", 4, "far…"],
  ["ab😀cd", 4, "ab…"],
  ["\x1b[31mred", 20, "\\x1b[31mred"],
  [" ".repeat(100), 3, "…"],
])("%j in %d characters is %j", (text, charsMax, line) => {
  expect(shorten(text, charsMax)).toBe(line);
});
