/** Random valid entries with arbitrary texts, for property tests. */
import fc from "fast-check";
import type { Entry } from "../../src/memory/entry.ts";
import {
  CONFIDENCES,
  DOMAINS,
  MEMORY_CATEGORIES,
  OUTCOMES,
  ROOT_CAUSE_CATEGORIES,
  STRATEGIES,
} from "../../src/memory/vocabulary.ts";
import { anyCharacter } from "./any-character.ts";
import { idOf } from "./entries.ts";

const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      "a\0b",
      "\u001b[2J\u202e",
      "```\n# x\n{task}",
      '"; drop table memories; --',
      "検索語 и café",
      "x".repeat(2_000),
    ),
  )
  .map((written) => written.toWellFormed().trim())
  .filter((written) => written !== "");
const moment = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2099-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const hex = fc.integer({ min: 0, max: 2 ** 40 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });

/** Any valid entry. */
export const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    type: fc.constant("memory" as const),
    id: hex.map((number) => idOf("mem", number)),
    content: text,
    category: fc.constantFrom(...MEMORY_CATEGORIES),
    importance: fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0),
    created_at: moment,
  }),
  fc.record({
    type: fc.constant("experience" as const),
    id: hex.map((number) => idOf("exp", number)),
    domain: fc.constantFrom(...DOMAINS),
    strategy: fc.constantFrom(...STRATEGIES),
    goal: text,
    iterations: fc.array(fc.record({ hypothesis: text, action: text, prediction: text }), {
      minLength: 1,
      maxLength: 3,
    }),
    outcome: maybe(fc.record({ status: fc.constantFrom(...OUTCOMES), result: text })),
    surprise: maybe(text),
    root_cause: maybe(fc.record({ category: fc.constantFrom(...ROOT_CAUSE_CATEGORIES), description: text })),
    lesson: maybe(fc.record({ what_worked: text, takeaway: maybe(text) })),
    confidence: fc.constantFrom(...CONFIDENCES),
    task_id: maybe(fc.constantFrom("0123456789ab", "f".repeat(64))),
    created_at: moment,
    updated_at: moment,
  }),
);

/** Any number of entries with distinct ids. */
export const anyEntries = fc.uniqueArray(anyEntry, { selector: ({ id }) => id, maxLength: 12 });
