/** The task of a review that has none of its own. */
import { expect, test } from "bun:test";
import { askedInWords, changesTask, isChangesTask } from "../../../src/retrieval/model/changes-task.ts";

test("a task of changes alone names each file once", () => {
  const changed = new Set(["b.py", "a.md", "a:b.py", "c:d.py", "gone.py"]);
  const all = ["b.py:f", "b.py:C.g", "a.md", "a:b.py:f", "c:d.py", "gone.py"];
  const text = changesTask(all, (path) => changed.has(path));
  expect(text).toBe(
    "Please review these changes:\n\n- `b.py`: `f`, `C.g`\n- `a.md`\n- `a:b.py`: `f`\n- `c:d.py`\n- `gone.py`",
  );
  expect([isChangesTask(text), isChangesTask(`${text}\n\nIs the cache safe?`), isChangesTask("")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a path with a line feed stays on its line", () => {
  const text = changesTask(["a\nb.py", "c.py:f"], (path) => path !== "c.py:f");
  expect(text).toBe("Please review these changes:\n\n- `a\\x0ab.py`\n- `c.py`: `f`");
  expect(isChangesTask(text)).toBe(true);
});

test.each([
  ["Review the last commit", null, "HEAD~1"],
  ["check my last 3 commits for mistakes", null, "HEAD~3"],
  ["is this commit safe to merge?", null, "HEAD~1"],
  ["please review my uncommitted changes", "HEAD", null],
  ["find bugs in the diff", "HEAD", null],
  ["review the changes since v0.13.2", null, "v0.13.2"],
  ["review my changes since origin/main.", null, "origin/main"],
])("%p says which changes it asks to review", (text, diff, since) => {
  expect(askedInWords(text)).toEqual({ diff, since });
});

test.each([
  "code review",
  "review this branch",
  "review tests/*.py",
  "review the last commit for races in the cache",
  "fix the changes since the login was moved",
  "show the diff of two trees",
  "undo the last commit",
])("%p asks for no changes of the repository", (text) => {
  expect(askedInWords(text)).toBeNull();
});
