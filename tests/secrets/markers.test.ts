/** The search finds every literal wherever it stands, in any case where that counts, and in base64. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { base64Around } from "../../src/secrets/base64.ts";
import { hitsIn as hitsInAll } from "../../src/secrets/find-secrets.ts";
import { markerTable } from "../../src/secrets/marker-table.ts";
import { markerSearch } from "../../src/secrets/markers.ts";
import { named, type Rule, token } from "../../src/secrets/rule.ts";
import { RULES as ALL_RULES } from "../../src/secrets/rules.ts";

const RULES: readonly Rule[] = [
  token("long", ["prefix_long-"], "x"),
  token("four", ["abcd"], "x"),
  token("three", ["hf_", "1//"], "x"),
  token("far", ["pat????."], "x"),
  named("word", ["twilio"], "x", () => true),
];
const hitsIn = markerSearch(RULES, markerTable(RULES, ["://"]));
const kindsAt = (text: string): readonly string[] =>
  hitsIn(text).map(({ at, end, rule }) => `${rule?.kind}:${text.slice(at, end)}`);

const around = fc.string({ unit: "grapheme", maxLength: 20 });
const OTHERS = /prefix_long-|abcd|hf_.|1\/\/.|pat|twilio/i;

test("law: each literal is found at its place", () => {
  const literals = fc.constantFrom("prefix_long-", "abcd", "hf_x", "1//é", "pat1234.", "twilio", "TWILIO", "TwiLio");
  fc.assert(
    fc.property(around, literals, around, (before, literal, after) => {
      fc.pre(!OTHERS.test(before) && !OTHERS.test(after));
      const hits = hitsIn(before + literal + after).filter(({ rule }) => rule !== null);
      expect(hits.map(({ at }) => at)).toEqual([before.length]);
    }),
  );
});

test("law: in base64 each literal is found at all three places, in both alphabets", () => {
  const literals = fc.constantFrom("prefix_long-", "abcd", "hf_", "://", "twilio", "Twilio", "TWILIO");
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 9 }),
      literals,
      fc.uint8Array({ minLength: 30, maxLength: 40 }),
      fc.boolean(),
      (before, literal, after, forUrls) => {
        const bytes = Buffer.concat([before, Buffer.from(literal), after]);
        const text = `x: ${bytes.toString(forUrls ? "base64url" : "base64").replaceAll("=", "")}`;
        const texts = hitsIn(text).flatMap(({ at, rule }) =>
          rule === null ? [base64Around(text, at)?.view.text ?? ""] : [],
        );
        expect(texts).toContainEqual(expect.stringContaining(literal));
      },
    ),
  );
});

test("what is not a literal is no hit", () => {
  expect(kindsAt("ABCD prefix_lon- pat1234x twili 1/ hf- a plain text of words")).toEqual([]);
  expect(kindsAt("")).toEqual([]);
  expect(kindsAt("hf_")).toEqual(["three:hf_"]);
  expect(kindsAt("hf_abcd TWILIO")).toEqual(["three:hf_", "four:abcd", "word:TWILIO"]);
});

test("the literals of all rules are found in base64, at all three places", () => {
  const missed = ALL_RULES.flatMap(({ markers }) =>
    markers.flatMap((marker) =>
      ["", "a", "ab"].flatMap((before) => {
        const literal = marker.replace(/\?.*/, "");
        const text = Buffer.from(`${before}${literal}${"x".repeat(20)}`).toString("base64");
        const isFound = hitsInAll(text).some(
          ({ at, rule }) => rule === null && base64Around(text, at)?.view.text.includes(literal),
        );
        return isFound ? [] : [[before, literal]];
      }),
    ),
  );
  expect(missed).toEqual([]);
});
