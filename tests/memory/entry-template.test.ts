/** The editor template: it round-trips, and errors name their line. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Draft, DraftSchema, readDraft } from "../../src/memory/entry-draft.ts";
import { entryTemplate, readTemplate } from "../../src/memory/entry-template.ts";
import {
  CONFIDENCES,
  DOMAINS,
  MEMORY_CATEGORIES,
  OUTCOMES,
  ROOT_CAUSE_CATEGORIES,
  STRATEGIES,
} from "../../src/memory/vocabulary.ts";
import { anyCharacter } from "../support/any-character.ts";
import { HOSTILE } from "../support/hostile-text.ts";

/** Texts that a TOML string could trip over. */
const text = fc
  .oneof(
    fc.string({ minLength: 1, unit: "grapheme" }),
    fc.string({ minLength: 1, unit: anyCharacter }),
    fc
      .array(fc.constantFrom("'", "'''", '"""', "\\", "\n", "\r\n", "# ", "[outcome]", "= ", "\t", ...HOSTILE))
      .map((parts) => parts.join("")),
  )
  .map((raw) => raw.toWellFormed().trim())
  .filter((trimmed) => trimmed !== "");
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const attempt = fc.record({ hypothesis: maybe(text), action: maybe(text), prediction: maybe(text) });
const drafts: fc.Arbitrary<Draft> = fc.oneof(
  fc
    .record({
      content: maybe(text),
      category: maybe(fc.constantFrom(...MEMORY_CATEGORIES)),
      importance: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
    })
    .map((fields): Draft => ({ type: "memory", ...fields })),
  fc
    .record({
      goal: maybe(text),
      domain: maybe(fc.constantFrom(...DOMAINS)),
      strategy: maybe(fc.constantFrom(...STRATEGIES)),
      surprise: maybe(text),
      confidence: maybe(fc.constantFrom(...CONFIDENCES)),
      iterations: maybe(fc.array(attempt, { maxLength: 3 })),
      outcome: maybe(fc.record({ status: maybe(fc.constantFrom(...OUTCOMES)), result: maybe(text) })),
      root_cause: maybe(
        fc.record({ category: maybe(fc.constantFrom(...ROOT_CAUSE_CATEGORIES)), description: maybe(text) }),
      ),
      lesson: maybe(fc.record({ what_worked: maybe(text), takeaway: maybe(text) })),
    })
    .map((fields): Draft => ({ type: "experience", ...fields })),
);

/** Without what is empty, in whatever way that is said. */
function bare(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) {
    const items = value.map(bare).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value !== "object") return value;
  const entries = Object.entries(value ?? {}).flatMap(([name, own]) => {
    const left = bare(own);
    return left === undefined ? [] : [[name, left]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

test("an unedited template gives back its draft", () => {
  fc.assert(
    fc.property(drafts, fc.array(text, { maxLength: 2 }), fc.boolean(), (draft, remarks, dos) => {
      const written = entryTemplate(draft, remarks);
      const read = readTemplate(dos ? written.replaceAll("\n", "\r\n") : written);
      if (!read.ok) throw new Error(JSON.stringify(read));
      expect(bare(read.value)).toEqual(bare(DraftSchema.parse(draft)));
    }),
    { numRuns: 300 },
  );
});

describe("an invalid template is refused", () => {
  test.each([
    ['type = "memory"\ncontent = "a', 2, ""],
    ['type = "experience"\ngoal = "g"\nnope = 1\n', undefined, 'has an unknown field "nope"'],
    ['type = "experience"\ndomain = "cooking"\n', undefined, "is not one of debugging"],
    ['type = "experience"\n[[iterations]]\naction = 3\n', undefined, "is not a string"],
    ['type = "experience"\n__proto__ = 1\n', undefined, "unknown field"],
    ['type = "experience"\ngoal = 2020-01-01\n', undefined, "is not a string"],
    ["", undefined, ""],
  ])("%j", (written, line, why) => {
    const read = readTemplate(written);
    if (read.ok) throw new Error("it was taken");
    expect(read.line).toBe(line);
    expect(read.problem.why).toContain(why);
  });
});

test("a field left empty in the editor is cleared", () => {
  const read = readTemplate(entryTemplate({ type: "experience", goal: "g" }, ["one", "two\nlines"]));
  expect(read).toEqual({
    ok: true,
    value: {
      type: "experience",
      goal: "g",
      iterations: [],
      outcome: null,
      surprise: null,
      root_cause: null,
      lesson: null,
    },
  });
});

test("the type may be omitted, and a single attempt may be top-level fields", () => {
  expect(readDraft({ content: "a" })).toEqual({ ok: true, value: { type: "memory", content: "a" } });
  expect(readDraft({ goal: "g", action: "a" })).toEqual({
    ok: true,
    value: { type: "experience", goal: "g", iterations: [{ action: "a" }] },
  });
  for (const wrong of [
    null,
    3,
    [],
    "x",
    { goal: "g", action: "a", iterations: [] },
    { type: "value" },
    JSON.parse('{"__proto__": 1}'),
  ])
    expect(readDraft(wrong).ok).toBe(false);
});
