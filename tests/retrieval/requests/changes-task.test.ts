/** The task of a review that has none of its own. */
import { expect, test } from "bun:test";
import { changesTask, isChangesTask } from "../../../src/retrieval/requests/changes-task.ts";

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
