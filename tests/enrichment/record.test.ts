/** What a model says becomes a record that is safe, bounded, and the same when it is read back. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { loggedAnswers } from "../../src/enrichment/logged-answers.ts";
import {
  EnrichmentAnswer,
  fromStored,
  RECORD_LIMITS,
  recordOf,
  toStored,
  toStoredFailure,
} from "../../src/enrichment/record.ts";
import { display } from "../../src/text/display.ts";
import { anyCharacter } from "../support/any-character.ts";

const ANSWER: EnrichmentAnswer = {
  purpose: "Adds up\n the prices of a  cart.",
  module: "Pricing",
  domain: "E-Commerce",
  concepts: ["Cart", "cart", "discount code", "", "a phrase that is much longer than any word of a task"],
  public_api_surface: ["total(items)", "discount"],
  complexity_notes: "None.",
};

test("texts become one line, words lower case, and empty values null", () => {
  expect(recordOf(ANSWER)).toEqual({
    purpose: "Adds up the prices of a cart.",
    module: "Pricing",
    domain: "e-commerce",
    concepts: ["cart", "discount code"],
    publicApiSurface: ["total(items)", "discount"],
    complexityNotes: null,
  });
  expect(recordOf({ ...ANSWER, module: "n/a", domain: " - " })).toMatchObject({ module: null, domain: null });
});

test("an answer without a purpose is invalid; unknown keys are ignored", () => {
  for (const purpose of ["", " \n", "N/A", "none."])
    expect(EnrichmentAnswer.safeParse({ ...ANSWER, purpose }).success).toBe(false);
  expect(EnrichmentAnswer.safeParse({ ...ANSWER, mood: "good" }).data).toEqual(ANSWER);
  expect(EnrichmentAnswer.safeParse({ ...ANSWER, concepts: "cart" }).success).toBe(false);
});

test("an answer that repeats what was asked is none", () => {
  for (const purpose of ["one sentence", "One sentence, what it is for.", "string", "purpose", "what it is for"])
    expect(EnrichmentAnswer.safeParse({ ...ANSWER, purpose }).success).toBe(false);
  const echoed = {
    ...ANSWER,
    module: "one or two words",
    domain: "string",
    concepts: ["cart", "lower case", "a change"],
  };
  expect(recordOf(echoed)).toMatchObject({ module: null, domain: null, concepts: ["cart"] });
});

test("the schema sent to the server bounds the lists", () => {
  const { properties, required } = z.toJSONSchema(EnrichmentAnswer, { io: "input" });
  expect(Object.keys(properties ?? {})).toEqual(Object.keys(ANSWER));
  expect(required).toEqual(Object.keys(ANSWER));
  expect(properties?.concepts).toMatchObject({ type: "array", items: { type: "string" }, maxItems: 12 });
});

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 600 }),
  fc.constantFrom("\x1b[2J", "\u202e", "\ud800", "Ä\u0301".repeat(90), "\u{1f600}".repeat(200), "unknown", "\0"),
);
const anyAnswer: fc.Arbitrary<EnrichmentAnswer> = fc.record({
  purpose: anyText,
  module: anyText,
  domain: anyText,
  concepts: fc.array(anyText, { maxLength: 30 }),
  public_api_surface: fc.array(anyText, { maxLength: 30 }),
  complexity_notes: anyText,
});

test("for any valid answer, its record is safe and bounded, and is read back from the log", () => {
  fc.assert(
    fc.property(anyAnswer, (said) => {
      const answer = EnrichmentAnswer.safeParse(said);
      fc.pre(answer.success);
      const record = recordOf(answer.data);
      const { purpose, module, domain, concepts, publicApiSurface, complexityNotes } = record;
      for (const text of [purpose, module, domain, complexityNotes, ...concepts, ...publicApiSurface])
        if (text !== null) expect([String(display(text)), text !== ""]).toEqual([text, true]);
      expect(purpose.length).toBeLessThanOrEqual(RECORD_LIMITS.purposeChars);
      expect(concepts.length).toBeLessThanOrEqual(RECORD_LIMITS.concepts);
      expect(concepts.every((concept) => concept === concept.toLowerCase())).toBe(true);
      expect(new Set(concepts).size).toBe(concepts.length);
      expect(fromStored(toStored(record))).toEqual(record);
    }),
    { numRuns: 300 },
  );
});

test("a text in the log from another version is not a record", () => {
  const stored = toStored(recordOf(ANSWER));
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    stored.replace('"schema_version":1', '"schema_version":2'),
    stored.replace('"purpose"', '"porpoise"'),
    stored.replace("Pricing", "P".repeat(10_000)),
  ])
    expect(fromStored(text)).toBeNull();
});

test("the newest record of a content counts, from any model; each model is asked once", () => {
  const row = (model: string, purpose: string, contentHash = "h1") => ({
    path: "a.py",
    contentHash,
    model,
    output: toStored({ ...recordOf(ANSWER), purpose }),
    createdAt: "2024-01-01T00:00:00Z",
  });
  const logged = loggedAnswers([
    row("m", "first"),
    row("n", "second"),
    row("m", "other", "h2"),
    { ...row("o", ""), output: "{" },
    { ...row("o", ""), output: toStoredFailure("invalid") },
  ]);
  const content = { path: "a.py", contentHash: "h1" };
  expect(logged.record(content)?.purpose).toBe("second");
  expect(["m", "n", "o"].map((model) => logged.isAnswered(content, model))).toEqual([true, true, false]);
  expect(["m", "o"].map((model) => logged.failures(content, model))).toEqual([0, 1]);
  expect(logged.failures({ ...content, contentHash: "h2" }, "o")).toBe(0);
  expect(logged.record({ ...content, path: "b.py" })).toBeNull();
  expect(logged.isAnswered({ ...content, contentHash: "h2" }, "n")).toBe(false);
});
