/** What a task is called in a line. */
import { describe, expect, test } from "bun:test";
import { taskLine, taskTitle } from "../../src/present/layout.ts";

const REVIEW = "Please review these changes:\n\n- `src/a.py`: `total`";

describe("a task is called", () => {
  test.each([
    ["by its first line", "fix it\n\nbecause", "fix it", "fix it …"],
    ["by its first line that is not blank", "\n  fix it \r\n", "fix it", "fix it"],
    ["after a colon also by the next line", REVIEW, "Please review these changes: - `src/a.py`: `total`", null],
    [
      "after a colon also by the next line",
      `${REVIEW}\n- b`,
      "Please review these changes: - `src/a.py`: `total`",
      "…",
    ],
    ["by a line with a colon that nothing follows", "why:\n \n", "why:", "why:"],
    ["by nothing without text", " \n", "", ""],
  ])("%s: %p", (_, task, title, line) => {
    expect(taskTitle(task)).toBe(title);
    expect(taskLine(task)).toBe(line === null ? title : line === "…" ? `${title} …` : line);
  });
  test("in a line of at most so many characters", () =>
    expect(taskLine(REVIEW, 34)).toBe("Please review these changes: - `sr …"));
});
