/** What is a handoff bundle, what is none, and that whatever is refused is refused with one line that names the field. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HANDOFF_BYTES_MAX, type HandoffBundle, readHandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { Failed } from "../../src/failure.ts";
import { anyCharacter } from "../support/any-character.ts";

const read = (value: unknown): HandoffBundle => readHandoffBundle(JSON.stringify(value), "b.json");

/** The line that refuses it. */
function refusal(json: string): string {
  try {
    readHandoffBundle(json, "b.json");
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    expect(error.failure.code).toBe("usage");
    expect(error.message).not.toMatch(/[\u0000-\u001f]/);
    expect(error.message.length).toBeLessThan(200);
    return error.message;
  }
  return "not refused";
}

const NOTHING: HandoffBundle = {
  error_message: "",
  stack_trace: "",
  root_cause: "",
  recent_changes: [],
  isEmpty: true,
};

describe("a bundle", () => {
  test("has its four fields unchanged, and no others", () => {
    const fields = {
      error_message: "Error",
      stack_trace: "  at x\r\n",
      root_cause: " b ",
      recent_changes: ["a.py", ""],
    };
    expect(read({ ...fields, attempt: 3, log: { error_message: [] } })).toEqual({ ...fields, isEmpty: false });
  });

  test("can be empty or null, and so can each field", () => {
    expect(read({})).toEqual(NOTHING);
    expect(read(null)).toEqual(NOTHING);
    const nulls = { error_message: null, stack_trace: null, root_cause: null, recent_changes: null };
    expect(read(nulls)).toEqual({ ...NOTHING, isEmpty: false });
    expect(read({ other: 1 })).toEqual({ ...NOTHING, isEmpty: false });
  });

  test("can contain any character except NUL, and begin with a byte order mark", () => {
    const error_message = "Fehler: größer 漢字 🙂 \u202e \x1b[31m \u0001";
    expect(read({ error_message }).error_message).toBe(error_message);
    expect(readHandoffBundle(`\ufeff{"error_message": "x"}`, "b.json").error_message).toBe("x");
  });

  test("can be as large as the limit", () => {
    const stack_trace = "x".repeat(HANDOFF_BYTES_MAX - 18);
    expect(read({ stack_trace }).stack_trace).toBe(stack_trace);
  });
});

describe("a bundle is refused:", () => {
  test.each([
    ["", "b.json: is empty"],
    [" \n", "b.json: is empty"],
    ["{", "b.json: is not JSON"],
    ["[]", "b.json: is not a JSON object"],
    ["[null]", "b.json: is not a JSON object"],
    ["1", "b.json: is not a JSON object"],
    ['"Error"', "b.json: is not a JSON object"],
    ["true", "b.json: is not a JSON object"],
    ['{"error_message": 1}', "b.json: error_message is not a string"],
    ['{"stack_trace": ["at x"]}', "b.json: stack_trace is not a string"],
    ['{"root_cause": {"__proto__": {"a": 1}}}', "b.json: root_cause is not a string"],
    ['{"recent_changes": "a.py"}', "b.json: recent_changes is not a list of strings"],
    ['{"recent_changes": {"length": 1}}', "b.json: recent_changes is not a list of strings"],
    ['{"recent_changes": ["a.py", null]}', "b.json: recent_changes[1] is not a string"],
    [
      '{"error_message": 1, "recent_changes": [2, 3], "stack_trace": true, "root_cause": "known"}',
      "b.json: error_message is not a string; stack_trace is not a string; recent_changes[0] is not a string",
    ],
    ['{"recent_changes": ["a\\u0000"]}', "b.json: recent_changes[0] contains a NUL character"],
    ['{"error_message": "a\\u0000b"}', "b.json: error_message contains a NUL character"],
    ['{"root_cause": "\\ud800"}', "b.json: root_cause contains half of a surrogate pair"],
    ['{"stack_trace": "\\udc00\\ud800"}', "b.json: stack_trace contains half of a surrogate pair"],
    ['{"__proto__": {"error_message": "x"}}', "b.json: the field __proto__ is not allowed"],
    ['{"error_message": "x", "constructor": 1}', "b.json: the field constructor is not allowed"],
    ['{"prototype": null}', "b.json: the field prototype is not allowed"],
  ])("%s", (json, says) => {
    expect(refusal(json)).toBe(`${says}; see: cra schema handoff`);
  });

  test("too large, in bytes or in entries", () => {
    expect(refusal(JSON.stringify({ stack_trace: "é".repeat(HANDOFF_BYTES_MAX / 2) }))).toContain(
      "b.json: is larger than 1048576 bytes",
    );
    expect(refusal(JSON.stringify({ recent_changes: Array.from({ length: 1_001 }, () => "a") }))).toContain(
      "recent_changes has more than 1000 entries",
    );
  });

  test("nested too deeply, closed or not", () => {
    const deep = 500_000;
    const arrays = `${"[".repeat(deep)}${"]".repeat(deep)}`;
    expect(refusal(`{"a": "[", "recent_changes": ${arrays}}`)).toContain(
      'b.json: "recent_changes" is nested more than',
    );
    expect(refusal(`{"stack\\"": ${'{"a":'.repeat(100)}`)).toContain('b.json: "stack\\"" is nested more than');
    expect(refusal("[".repeat(1_000_000))).toContain("b.json: it is nested more than");
    const shallow = { error_message: "[[[{{{".repeat(100), other: [[[{ a: [1] }]]] };
    expect(read(shallow).error_message).toBe(shallow.error_message);
  });
});

test("any text gives a bundle or a refusal, and no prototype is changed", () => {
  const hostile = fc.oneof(
    fc.json(),
    fc.string({ unit: anyCharacter }),
    fc
      .constantFrom("{", "}", "[", '"', "\\", ":", ",", '"__proto__"', "\0")
      .chain((unit) => fc.integer({ min: 0, max: 300 }).map((times) => unit.repeat(times))),
    fc
      .dictionary(
        fc.constantFrom("error_message", "stack_trace", "root_cause", "recent_changes", "__proto__", "toString"),
        fc.jsonValue(),
      )
      .map((fields) => JSON.stringify(fields)),
  );
  fc.assert(
    fc.property(hostile, (json) => {
      try {
        const bundle = readHandoffBundle(json, "b.json");
        expect(Object.keys(bundle)).toEqual([...Object.keys(NOTHING)]);
        for (const text of [bundle.error_message, bundle.stack_trace, bundle.root_cause, ...bundle.recent_changes])
          expect([typeof text, text.isWellFormed(), text.includes("\0")]).toEqual(["string", true, false]);
      } catch (error) {
        expect(error).toBeInstanceOf(Failed);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
