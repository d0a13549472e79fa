/** The budget of a logged run as text. */
import { expect, test } from "bun:test";
import { budgetText } from "../../src/present/budget-text.ts";

test("a budget names its limits, and the context window that it is the rest of", () => {
  expect(budgetText({ tokens: 1_000, max_lines: 40 }, 812)).toBe("812 of 1000 tokens, at most 40 lines");
  const window = { tokens: 4_000, max_lines: null, context_window: 8_000, reserved_tokens: 4_000 };
  expect(budgetText(window, 3_913)).toBe("3913 of 4000 tokens (a window of 8000 with 4000 reserved)");
  expect(budgetText({ ...window, context_window: null, reserved_tokens: null }, null)).toBe("4000 tokens");
  expect(budgetText("anything", null)).toBe("unknown tokens");
});
