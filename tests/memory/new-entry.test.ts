/** Entries as JSON Lines, and the fields that a user may omit. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Entry } from "../../src/memory/entry.ts";
import { readEntries } from "../../src/memory/entry-list.ts";
import { confidenceOf, newEntry } from "../../src/memory/new-entry.ts";
import { anyEntries } from "../support/any-entry.ts";
import { experience, memory, NOW } from "../support/entries.ts";

const LATER = "2030-01-01T00:00:00.000Z";

/** What is said of a text that cannot be read. */
function refusal(text: string): string {
  const read = readEntries(text, NOW);
  return read.ok ? "none" : read.why;
}

const entriesAsLines = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

test("an export imports to the same bytes", () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const text = entriesAsLines(entries);
      expect(text.split("\n")).toHaveLength(entries.length + 1);
      const read = readEntries(text, LATER);
      if (!read.ok) throw new Error(refusal(text));
      expect(read.entries).toEqual([...entries]);
      expect(entriesAsLines(read.entries)).toBe(text);
    }),
    { numRuns: 40 },
  );
});

test("omitted fields of a line are filled in", () => {
  const lines = [
    '{"content": "tests run with bun test"}',
    "",
    '{"goal": "g", "domain": "testing", "strategy": "ask-user", "hypothesis": "h", "action": "a", "prediction": "p"}\r',
    '{"type":"experience","goal":"g","domain":"testing","strategy":"ask-user","iterations":[{"hypothesis":"h","action":"a","prediction":"p"}],"outcome":{"status":"confirmed","result":"r"},"lesson":{"what_worked":"w"},"created_at":"2026-01-31"}',
  ];
  const read = readEntries(`\uFEFF${lines.join("\n")}`, NOW);
  expect(read).toEqual({
    ok: true,
    entries: [
      {
        type: "memory",
        id: expect.stringMatching(/^mem-[0-9a-f]{12}$/),
        content: "tests run with bun test",
        category: "fact",
        importance: 0.5,
        created_at: NOW,
      },
      {
        type: "experience",
        id: expect.stringMatching(/^exp-[0-9a-f]{12}$/),
        domain: "testing",
        strategy: "ask-user",
        goal: "g",
        iterations: [{ hypothesis: "h", action: "a", prediction: "p" }],
        outcome: null,
        surprise: null,
        root_cause: null,
        lesson: null,
        confidence: "bronze",
        task_id: null,
        created_at: NOW,
        updated_at: NOW,
      },
      expect.objectContaining({
        lesson: { what_worked: "w", takeaway: null },
        confidence: "gold",
        created_at: "2026-01-31T00:00:00.000Z",
        updated_at: "2026-01-31T00:00:00.000Z",
      }),
    ],
  });
});

test("an id depends on content and time, so the same line at another time is another entry", () => {
  const idAt = (line: object, now: string) => {
    const made = newEntry(line, now);
    return made.ok ? made.value.id : "none";
  };
  expect(idAt({ content: "x" }, NOW)).toBe(idAt({ content: " x " }, NOW));
  expect(idAt({ content: "x" }, NOW)).not.toBe(idAt({ content: "x" }, LATER));
  expect(idAt({ content: "x" }, NOW)).not.toBe(idAt({ content: "y" }, NOW));
  expect(idAt({ content: "x", created_at: "2026-01-31T01:00:00+01:00" }, NOW)).toBe(
    idAt({ content: "x", created_at: "2026-01-31" }, LATER),
  );
});

test("confirmation at the first attempt gives the highest confidence", () => {
  const attempt = { hypothesis: "h", action: "a", prediction: "p" };
  const of = (status: "confirmed" | "falsified" | "abandoned" | null, attempts: number) =>
    confidenceOf({
      outcome: status && { status, result: "r" },
      iterations: Array.from({ length: attempts }, () => attempt),
    });
  expect(of("confirmed", 1)).toBe("gold");
  expect(of("confirmed", 2)).toBe("silver");
  expect(of("falsified", 1)).toBe("bronze");
  expect(of("abandoned", 3)).toBe("abandoned");
  expect(of(null, 1)).toBe("bronze");
});

describe("the first invalid line is named, with its field", () => {
  const good = entriesAsLines([memory(1)]);
  const tried = '"goal":"g","domain":"testing","strategy":"ask-user"';
  const rows: readonly (readonly [line: string, said: string])[] = [
    ["{", "is not JSON"],
    ["[".repeat(100_000), "is not JSON"],
    ["null", "is not an object"],
    ["[]", "is not an object"],
    ["{}", "type is not one of memory, experience"],
    ['{"type":"value"}', "type is not one of memory, experience"],
    ['{"content":7}', "content is not a string"],
    ['{"content":"  "}', "content is empty"],
    [`{"content":"${"x".repeat(20_001)}"}`, "content is longer than 20000 characters"],
    ['{"content":"\\ud800"}', "content contains a lone surrogate"],
    ['{"content":"x","id":"exp-000000000000"}', "id is not mem- and 12 hexadecimal digits"],
    ['{"content":"x","importance":1.5}', "importance is more than 1"],
    ['{"content":"x","importance":-1}', "importance is less than 0"],
    [
      '{"content":"x","category":"joke"}',
      "category is not one of preference, fact, event, workflow, context, error, decision",
    ],
    ['{"content":"x","created_at":"yesterday"}', "created_at is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z"],
    ['{"content":"x","__proto__":{"id":1}}', 'has an unknown field "__proto__"'],
    [`{"content":"x","${"y".repeat(70)}\\u001b":1}`, `has an unknown field "${"y".repeat(60)}…"`],
    [
      '{"goal":"g"}',
      "domain is missing; it is one of debugging, refactoring, feature, testing, configuration, documentation, performance, security, integration",
    ],
    [`{${tried}}`, "hypothesis is missing"],
    [`{${tried},"iterations":[]}`, "iterations is empty"],
    [`{${tried},"iterations":[{"hypothesis":"h","prediction":"p"}]}`, "iterations[0].action is missing"],
    [
      `{${tried},"iterations":[{"hypothesis":"h","action":"a","prediction":"p"}],"action":"b"}`,
      "iterations cannot be combined with hypothesis, action or prediction",
    ],
    [
      `{${tried},"hypothesis":"h","action":"a","prediction":"p","outcome":{"status":"confirmed"}}`,
      "outcome.result is missing",
    ],
    [good.replace("what is known", "what is said"), "has the id of line 1, but other content"],
  ];
  for (const [line, said] of rows)
    test(said, () => {
      expect(refusal(`${good}\n${line}\n{"also wrong":1}\n`)).toBe(`line 3: ${said}`);
    });
});

test("a repeated line counts once", () => {
  const text = entriesAsLines([experience(1), memory(1), experience(1)]);
  expect(readEntries(text, NOW)).toEqual({ ok: true, entries: [experience(1), memory(1)] });
  expect(readEntries("\n \n", NOW)).toEqual({ ok: true, entries: [] });
});

test("the time passed in is validated too", () => {
  expect(newEntry({ content: "x" }, "today")).toMatchObject({ ok: false, problem: { field: "created_at" } });
});
