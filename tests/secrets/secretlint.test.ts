/** Keys that the recommended rules of secretlint look for are found. They are an oracle here, and no part of the program. */
import { expect, spyOn, test } from "bun:test";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { z } from "zod";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { isVaried } from "../../src/secrets/rule.ts";
import { PLANTED_KEYS } from "../support/planted-keys.ts";

const isFunction = (value: unknown): boolean => typeof value === "function";
const Rules = z.array(
  z.object({
    meta: z.object({ id: z.string() }),
    create: z.custom<(context: object, options: object) => unknown>(isFunction),
  }),
);
const Scanner = z.object({ file: z.custom<(source: object) => void>(isFunction) });

/** Every pattern that a rule runs on a text of all kinds. */
function patternsOf({ create }: z.infer<typeof Rules>[number]): readonly RegExp[] {
  const used = new Map<string, RegExp>();
  const original = String.prototype.matchAll;
  const spy = spyOn(String.prototype, "matchAll").mockImplementation(function (this: string, pattern) {
    if (pattern instanceof RegExp) used.set(String(pattern), pattern);
    return original.call(this, pattern);
  });
  try {
    const context = { createTranslator: () => () => ({}), report: () => {}, ignore: () => {} };
    const content = PLANTED_KEYS.map(({ line }) => line).join("\n");
    Scanner.parse(create(context, {})).file({ content, filePath: undefined, ext: "", contentType: "text" });
  } finally {
    spy.mockRestore();
  }
  return [...used.values()];
}

/**
 * The pattern as a generator understands it: without what looks around, without names, and of the letters that the issuers use
 * (no `_` where a class says `\\w`, no padding within base64).
 */
const generable = (source: string): RegExp =>
  new RegExp(
    `^(?:${source
      .replaceAll(/\(\?<?[!=](?:\\.|\[[^\]]*\]|[^()[\]\\])*\)/g, "")
      .replaceAll(/\(\?<\w+>/g, "(?:")
      .replaceAll("\\b", "")
      .replaceAll(/\[([^\]]*?0-9)_\]/g, "[$1]")
      .replaceAll(/\[([^\]]*?\/[^\]]*?)=\]/g, "[$1]")
      .replaceAll(/\{(\d+),(\d{3,})\}/g, (_, least: string) => `{${least},${Number(least) + 40}}`)})$`,
  );

/** Addresses with a password, and tokens of any length: they match what is no key, too. */
const LOOSE = /:\/\/|:\\\/|xoxb|SG\\|secretlint-|\\s\*|\(\[\^\$\]/;
const EXACT = Rules.parse(rules)
  .flatMap(patternsOf)
  .filter(({ source }) => !LOOSE.test(source));

test("the patterns of the rules are known", () => {
  expect(EXACT.length).toBeGreaterThan(25);
});

test.each(EXACT.map((pattern) => [String(pattern), pattern] as const))("%s", (_, pattern) => {
  const matches = new RegExp(pattern.source, pattern.flags.replace("g", ""));
  let found = 0;
  fc.assert(
    fc.property(fc.stringMatching(generable(pattern.source)), (key) => {
      const line = `x = "${key}"\n`;
      fc.pre(isVaried(key.replaceAll(/["']/g, "")) && matches.test(line));
      found += 1;
      expect([line, findSecrets(line).length]).toEqual([line, 1]);
    }),
    { numRuns: 50 },
  );
  expect(found).toBeGreaterThan(0);
});
