/** What a task's id depends on. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isTaskId } from "../../../src/db/session/session.ts";
import { taskId } from "../../../src/retrieval/record/task-id.ts";
import { anyCharacter } from "../../support/any-character.ts";

const OPTIONS = { budget: 1, include: ["a"], weights: { mention: 1, recency: 2 } };

test("the id depends on the index, the task and every option, not on the order of options", () => {
  const id = taskId("c0ffee", "fix it", OPTIONS);
  expect(taskId("c0ffee", "fix it", { weights: { recency: 2, mention: 1 }, include: ["a"], budget: 1 })).toBe(id);
  for (const other of [
    taskId("c0ffef", "fix it", OPTIONS),
    taskId("c0ffee", "fix it ", OPTIONS),
    taskId("c0ffee", "fix it", { ...OPTIONS, budget: 2 }),
    taskId("c0ffee", "fix it", { ...OPTIONS, include: [] }),
    taskId("c0ffee", "fix it", { ...OPTIONS, weights: { mention: 2, recency: 1 } }),
  ])
    expect(other).not.toBe(id);
});

test("any text has an id that is valid as a file name", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (task) => {
      expect(isTaskId(taskId("c0ffee", task, OPTIONS))).toBe(true);
    }),
  );
  expect(isTaskId(taskId("c0ffee", "\ud800", OPTIONS))).toBe(true);
});
