/** The four triggers and the priority: every example, word for word, and what is at their edges. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readHandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { decide, type EarlierLog, FAILURE_MARKERS, TRIGGERS } from "../../src/escalation/triggers.ts";

type Json = Readonly<Record<string, unknown>> | null;

const judged = (bundle: Json, attempt = 1, earlierLogs: readonly EarlierLog[] = []) =>
  decide({ bundle: readHandoffBundle(JSON.stringify(bundle), "the bundle"), attempt, earlierLogs });
const firedBy = (...args: Parameters<typeof judged>): readonly string[] =>
  judged(...args)
    .triggers.filter(({ fired }) => fired)
    .map(({ name }) => name);

const CLEAR = {
  error_message: "FileNotFoundError: config.yaml not found in /path",
  root_cause: "Missing configuration file config.yaml in expected directory",
};
const TOO_SHORT = { error_message: "Error", stack_trace: "", recent_changes: [] };
const TELLING = {
  error_message: "FileNotFoundError: Could not find config.yaml in /path/to/dir",
  stack_trace: "Traceback (most recent call last):\n  File test.py line 10\n".repeat(3),
  recent_changes: ["file1.py", "file2.py"],
};

test("there are four, each with its meaning", () => {
  expect(TRIGGERS.map(({ name }) => name)).toEqual([
    "minimal_bundle",
    "no_actionable_context",
    "repeated_failures",
    "no_clear_root_cause",
  ]);
  expect(TRIGGERS.every(({ why }) => why !== "")).toBe(true);
});

describe("1: an empty or minimal bundle", () => {
  test("the examples", () => {
    expect(firedBy(TOO_SHORT)).toContain("minimal_bundle");
    expect(firedBy(TELLING)).not.toContain("minimal_bundle");
  });
  test.each([[{}], [null], [{ error_message: null, stack_trace: null, recent_changes: null, root_cause: null }]])(
    "%j escalates, with high priority",
    (bundle) => {
      expect(judged(bundle)).toMatchObject({ escalate: true, priority: "high" });
      expect(firedBy(bundle)).toEqual(["minimal_bundle", "no_actionable_context", "no_clear_root_cause"]);
    },
  );
  test("a short message with a trace or a change is not a minimal bundle", () => {
    expect(firedBy({ ...CLEAR, error_message: "x".repeat(19) })).toContain("minimal_bundle");
    expect(firedBy({ ...CLEAR, error_message: "x".repeat(20) })).not.toContain("minimal_bundle");
    expect(firedBy({ ...TOO_SHORT, stack_trace: "at f" })).not.toContain("minimal_bundle");
    expect(firedBy({ ...TOO_SHORT, recent_changes: ["a.py"] })).not.toContain("minimal_bundle");
    expect(firedBy({ ...TOO_SHORT, stack_trace: " \n", recent_changes: ["", " "] })).toContain("minimal_bundle");
  });
  test("a long message is enough without trace and changes", () =>
    expect(firedBy({ error_message: CLEAR.error_message })).not.toContain("minimal_bundle"));
});

describe("2: nothing to act on", () => {
  test("the examples", () => {
    expect(firedBy({ error_message: "An unknown error occurred", root_cause: "Unknown" })).toContain(
      "no_actionable_context",
    );
    expect(
      firedBy({
        error_message: "FileNotFoundError: Could not find config.yaml in /path/to/dir",
        root_cause: "Missing configuration file config.yaml",
      }),
    ).toEqual([]);
  });
  test.each(["unknown error", "internal error", "something went wrong"])("%s, in any spelling", (phrase) => {
    const message = `src/app.py line 10: ${phrase.toUpperCase()} while the request was served`;
    expect(firedBy({ ...CLEAR, error_message: message })).toEqual(["no_actionable_context"]);
  });
  test("below 30 characters; a missing path alone never fires", () => {
    expect(firedBy({ ...CLEAR, error_message: "é".repeat(29) })).toEqual(["no_actionable_context"]);
    expect(firedBy({ ...CLEAR, error_message: `  ${"é".repeat(29)}  ` })).toEqual(["no_actionable_context"]);
    expect(firedBy({ ...CLEAR, error_message: "The request has taken too long" })).toEqual([]);
    // One character may be two units.
    expect(firedBy({ ...CLEAR, error_message: "😀".repeat(29) })).toEqual(["no_actionable_context"]);
  });
});

describe("3: repeated failures", () => {
  const log = (text: string): readonly EarlierLog[] => [{ path: "phase_001_attempt_1.log", text }];
  test("the example", () =>
    expect(firedBy(CLEAR, 2, log("ERROR: First failure\nFAILED to complete"))).toEqual(["repeated_failures"]));
  test.each(FAILURE_MARKERS.map((marker) => [marker]))("%s in an earlier log, from attempt 2 on", (marker) => {
    expect(firedBy(CLEAR, 2, log(`before\n${marker} after`))).toEqual(["repeated_failures"]);
    expect(firedBy(CLEAR, 7, [...log("fine"), { path: "b.log", text: marker }])).toEqual(["repeated_failures"]);
    expect(firedBy(CLEAR, 1, log(marker))).toEqual([]);
  });
  test("only with a failure, and the reason names the log", () => {
    expect(firedBy(CLEAR, 2, log("all is well, 0 errors"))).toEqual([]);
    expect(firedBy(CLEAR, 2)).toEqual([]);
    expect(judged(CLEAR, 2, log("FAILED")).triggers[2]).toEqual({
      name: "repeated_failures",
      fired: true,
      reason: 'earlier attempts of this phase failed too: attempt 2, and phase_001_attempt_1.log contains "FAILED"',
    });
  });
});

describe("4: no clear root cause", () => {
  test("the examples", () => {
    expect(firedBy({ error_message: "Detailed error message", root_cause: "Unknown cause" })).toContain(
      "no_clear_root_cause",
    );
    expect(
      firedBy({
        error_message: "FileNotFoundError: config.yaml not found",
        root_cause: "Missing configuration file config.yaml in expected directory /etc/app",
      }),
    ).toEqual([]);
  });
  test.each(["unknown", "unclear", "investigate", "under investigation", "investigating", "not sure"])(
    "%s, in any spelling",
    (phrase) =>
      expect(firedBy({ ...CLEAR, root_cause: `The cause is ${phrase.toUpperCase()}, see the logs` })).toEqual([
        "no_clear_root_cause",
      ]),
  );
  test("absent, empty or below 20 characters", () => {
    expect(firedBy({ error_message: CLEAR.error_message })).toEqual(["no_clear_root_cause"]);
    expect(firedBy({ ...CLEAR, root_cause: "" })).toEqual(["no_clear_root_cause"]);
    expect(firedBy({ ...CLEAR, root_cause: "x".repeat(19) })).toEqual(["no_clear_root_cause"]);
    expect(firedBy({ ...CLEAR, root_cause: "x".repeat(20) })).toEqual([]);
  });
});

describe("priority", () => {
  test("the examples", () => {
    expect(judged({ error_message: "Error", root_cause: "Unknown" }).priority).toBe("high");
    const oneTrigger = { error_message: "Detailed error message with sufficient context", root_cause: "Unknown" };
    expect(judged(oneTrigger).priority).toBe("medium");
    expect(firedBy(oneTrigger)).toEqual(["no_clear_root_cause"]);
    expect(judged(CLEAR)).toMatchObject({ escalate: false, priority: "low" });
    expect(judged({ error_message: "Error", root_cause: "Unknown" }, 1).escalate).toBe(true);
    expect(judged({ error_message: "", stack_trace: "", root_cause: "" }, 2).priority).toBe("high");
  });
  test("counts firing triggers: two or more are high, one is medium, none is low and does not escalate", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("Unknown", CLEAR.error_message, CLEAR.root_cause));
    const bundles = fc.record({ error_message: text, root_cause: text, stack_trace: text }, { requiredKeys: [] });
    fc.assert(
      fc.property(bundles, fc.integer({ min: 1, max: 3 }), fc.array(text), (bundle, attempt, logs) => {
        if (JSON.stringify(bundle).includes("\\u0000")) return;
        const earlier = logs.map((content) => ({ path: "a.log", text: content }));
        const { escalate, priority, triggers } = judged(bundle, attempt, earlier);
        const count = triggers.filter(({ fired }) => fired).length;
        expect(priority).toBe(count >= 2 ? "high" : count === 1 ? "medium" : "low");
        expect(escalate).toBe(count > 0);
        expect(triggers.every(({ reason }) => reason !== "")).toBe(true);
      }),
    );
  });
});
