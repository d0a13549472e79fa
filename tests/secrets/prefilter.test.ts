/** The prefilter never misses a secret: checked against the patterns of the rules. */
import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { mayHoldSecret, mayHoldWholeSecret } from "../../src/secrets/prefilter.ts";
import { findSecrets } from "../../src/secrets/redact.ts";
import { PLANTED_KEYS, PRIVATE_KEYS } from "../support/planted-keys.ts";

/** Every pattern that any rule looks for, those of the preset as its pinned version has them. */
function patterns(): readonly RegExp[] {
  const used = new Map<string, RegExp>();
  const original = String.prototype.matchAll;
  const spy = spyOn(String.prototype, "matchAll").mockImplementation(function (this: string, pattern) {
    if (pattern instanceof RegExp) used.set(String(pattern), pattern);
    return original.call(this, pattern);
  });
  try {
    findSecrets(`${PLANTED_KEYS.map(({ line }) => line).join("\n")}\n`);
  } finally {
    spy.mockRestore();
  }
  return [...used.values()];
}

/** The pattern as a generator understands it: without what looks around, and without names. */
const generable = ({ source }: RegExp): RegExp =>
  new RegExp(
    `^(?:${source
      .replaceAll(/\(\?<?[!=](?:\\.|\[[^\]]*\]|[^()[\]\\])*\)/g, "")
      .replaceAll(/\(\?<\w+>/g, "(?:")
      .replaceAll("\\b", "")
      .replaceAll("\\p{L}", "a")
      .replaceAll(/\{(\d+),(\d{3,})\}/g, (_, least: string) => `{${least},${Number(least) + 40}}`)})$`,
  );

const used = patterns();

test("the test covers the preset's rules and our own", () => {
  expect(used.length).toBeGreaterThan(55);
  const sources = used.map(({ source }) => source).join("\n");
  for (const part of ["T3BlbkFJ", "github_pat", "mongodb", "hooks", "AIza", "dckr_pat", "figd_"])
    expect(sources).toContain(part);
});

test.each(used.map((pattern) => [String(pattern), pattern] as const))(
  "text that %s matches passes the prefilter",
  (_, pattern) => {
    const isFound = (text: string): boolean => new RegExp(pattern.source, pattern.flags.replace("g", "")).test(text);
    let matched = 0;
    fc.assert(
      fc.property(fc.stringMatching(generable(pattern)), fc.boolean(), (text, isUpper) => {
        const inCase = isUpper && pattern.flags.includes("i") ? text.toUpperCase() : text;
        const around = `x = "${inCase}"\n`;
        if (!isFound(around) || (pattern.source.includes("@") && !hasPassword(around))) return;
        matched += 1;
        expect([mayHoldSecret(around), mayHoldWholeSecret(around)]).toEqual([true, true]);
      }),
      { numRuns: 60 },
    );
    expect(matched).toBeGreaterThan(0);
  },
);

/** An address is a secret only with a password in it. */
const hasPassword = (text: string): boolean => /:\/\/[^\s:/]*:[^\s@/]+@/.test(text);

test("every planted key has a literal, also if truncated", () => {
  for (const { line } of PLANTED_KEYS)
    expect([line, mayHoldSecret(line), mayHoldWholeSecret(line)]).toEqual([line, true, true]);
  for (const form of [PRIVATE_KEYS.plain, PRIVATE_KEYS.commented, PRIVATE_KEYS.escaped, PRIVATE_KEYS.cutOff])
    expect(mayHoldSecret(form)).toBe(true);
});

test("in base64 data, the literal of a Square token counts only in truncated text", () => {
  const token = `EAAA${"b".repeat(60)}`;
  for (const [text, isMarked] of [
    [`AAAA${token}`, false],
    [token, true],
    [`"${token}"`, true],
    [`AAAA${token} ${token}`, true],
    [`AAAA${token} AKIA2222222222222222`, true],
  ] as const)
    expect([text, mayHoldSecret(text), mayHoldWholeSecret(text)]).toEqual([text, true, isMarked]);
});

test("ordinary code has no literal", () => {
  expect(
    mayHoldSecret("export const add = (a: number, b: number): number => a + b; // https://example.com/a:b\n"),
  ).toBe(false);
  expect(mayHoldSecret("")).toBe(false);
});
