/** What a bundle asks for: a text whose parts are seen as what they are, and lines for a further round. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { failedAttempt, failureTask } from "../../src/escalation/failure-task.ts";
import type { HandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import type { TaskQuery } from "../../src/task/query.ts";
import { HOSTILE } from "../support/hostile-text.ts";

const bundle = (fields: Partial<HandoffBundle>): HandoffBundle => ({
  error_message: "",
  stack_trace: "",
  root_cause: "",
  recent_changes: [],
  isEmpty: false,
  ...fields,
});

const analyzed = (fields: Partial<HandoffBundle>, typed?: string): TaskQuery =>
  analyzeTask(failureTask(bundle(fields), typed) ?? "", {
    given: { paths: [], symbols: [], languages: [] },
    concepts: new Set(),
  });

const framesOf = (query: TaskQuery) => query.frames.map(({ path, line, function: name }) => `${path}:${line} ${name}`);
const kindOf = (query: TaskQuery, part: string) => query.sections.find(({ text }) => text.includes(part))?.kind;

const PYTHON = `Traceback (most recent call last):
  File "/app/src/shop/cart.py", line 42, in cart_sum
    return price_total(self.items)
  File "C:\\\\ci\\\\shop\\\\price.py", line 7, in price_total
ValueError: no price`.replaceAll("\\\\", "\\");

describe("the text of a task", () => {
  test("is the whole bundle, with the trace last", () => {
    const fields = {
      error_message: "ValueError: no price\nfor item 3",
      stack_trace: `${PYTHON}\n`,
      root_cause: "price_total gets an empty list",
      recent_changes: ["shop/price.py", "  M shop/cart.py\n"],
    };
    expect(failureTask(bundle(fields))).toBe(
      `ValueError: no price\nfor item 3\n\nRoot cause:\nprice_total gets an empty list\n\nRecent changes:\n- shop/price.py\n- M shop/cart.py\n\n\`\`\`\n${PYTHON}\n\`\`\``,
    );
    const query = analyzed(fields);
    expect(query.title).toBe("ValueError: no price");
    expect(framesOf(query)).toEqual(["/app/src/shop/cart.py:42 cart_sum", "C:/ci/shop/price.py:7 price_total"]);
    expect(
      ["Root cause", "Recent changes", "empty list", "- shop/price.py", "return price_total"].map((part) =>
        kindOf(query, part),
      ),
    ).toEqual(["noise", "noise", "prose", "prose", "trace"]);
  });

  test("begins with the task that it extends", () => {
    const query = analyzed({ error_message: "KeyError: 'x'", stack_trace: PYTHON }, "Make the cart faster\n");
    expect([query.title, kindOf(query, "KeyError")]).toEqual(["Make the cart faster", "error"]);
    expect(query.frames).toHaveLength(2);
  });

  test("has the whole trace in one fence", () => {
    const query = analyzed({
      error_message: "Boom",
      stack_trace: `${PYTHON}\n\`\`\`\nlast words\n~~~\n\`\`\`\`\n-- end`,
    });
    expect([kindOf(query, "last words"), kindOf(query, "-- end")]).toEqual(["trace", "trace"]);
  });

  test("is the same for coloured input", () => {
    const coloured = PYTHON.replace('"/app', '\x1b[35m"/app').replace("42", "\x1b[35m42\x1b[0m");
    expect(failureTask(bundle({ stack_trace: coloured }))).toBe(failureTask(bundle({ stack_trace: PYTHON })));
  });

  test.each([{}, { error_message: " \n\t" }, { root_cause: "Unknown" }, { recent_changes: ["", " "] }])(
    "is none for %j",
    (fields) => {
      expect(failureTask(bundle(fields))).toBeNull();
      expect(failureTask(bundle(fields), "x")).toBeNull();
      expect(failedAttempt(bundle(fields))).toBeNull();
    },
  );

  test("leaves out only an unknown root cause", () => {
    const kept = (root_cause: string) =>
      failureTask(bundle({ error_message: "Boom", root_cause }))?.includes("Root cause");
    for (const cause of [
      "Unknown",
      "unknown cause.",
      "The root cause is unclear",
      "not sure",
      "N/A",
      "To be investigated!",
    ])
      expect([cause, kept(cause)]).toEqual([cause, false]);
    for (const cause of [
      "unknown column price",
      "investigate cart.py",
      "nonexistent",
      "the cache",
      `Unknown ${"a ".repeat(200)}`,
    ])
      expect([cause, kept(cause)]).toEqual([cause, true]);
  });
});

describe("nothing in a bundle hides what follows", () => {
  const SWALLOWERS = ["```", "~~~~", "x ``````python", "<!-- ", "<!--\n```", "</details>", "    ", "```\n```\n````"];
  test.each(SWALLOWERS)("%j", (opening) => {
    for (const field of ["error_message", "root_cause"] as const) {
      const query = analyzed({
        error_message: "Boom",
        root_cause: "price_total is called twice",
        recent_changes: ["shop/changed.py"],
        [field]: `${opening}\nfirst words`,
        stack_trace: `${opening}\n${PYTHON}\n-->\n${opening}\n  at f (late.js:3:4)`,
      });
      expect(framesOf(query)).toEqual([
        "/app/src/shop/cart.py:42 cart_sum",
        "C:/ci/shop/price.py:7 price_total",
        "late.js:3 f",
      ]);
      expect(kindOf(query, "shop/changed.py")).toBe("prose");
    }
  });

  test("for any bundle, the frames of the trace are found", () => {
    const text = fc
      .array(fc.constantFrom(...HOSTILE, ...SWALLOWERS, "-->", "\n", "a.py", "Error: ", " "))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), (error_message, root_cause, recent_changes) => {
        const query = analyzed({ error_message, root_cause, recent_changes, stack_trace: PYTHON });
        expect(framesOf(query)).toContain("/app/src/shop/cart.py:42 cart_sum");
      }),
      { numRuns: 200 },
    );
  });
});

describe("a refinement gets", () => {
  test("the message, the cause and the errors of the trace, each once and in one line", () => {
    const chained = `KeyError: 'cents'\n\nDuring handling of the above exception, another exception occurred:\n\n${PYTHON}`;
    const attempt = failedAttempt(
      bundle({
        error_message: "ValueError: no price\n\n\titem 3\x1b[0m",
        stack_trace: chained,
        root_cause: "the list\nis empty",
      }),
    );
    expect(attempt?.errors).toEqual(["ValueError: no price", "item 3", "the list", "is empty", "KeyError: 'cents'"]);
    expect(attempt?.reason).toBe("the list is empty");
    expect(attempt?.trace).toContain("/app/src/shop/cart.py");
  });

  test("no more than its limits", () => {
    const attempt = failedAttempt(
      bundle({ error_message: Array.from({ length: 200 }, (_, at) => `${at} ${"🙂".repeat(1_000)}`).join("\n") }),
    );
    expect(attempt?.errors).toHaveLength(40);
    for (const line of attempt?.errors ?? []) expect([line.length <= 1_000, line.isWellFormed()]).toEqual([true, true]);
    expect(attempt?.reason).toBeNull();
  });

  test("no changes, because they alone are not a failure", () => {
    expect(failedAttempt(bundle({ recent_changes: ["a.py"] }))).toBeNull();
    expect(failureTask(bundle({ recent_changes: ["a.py"] }))).toContain("a.py");
  });
});
