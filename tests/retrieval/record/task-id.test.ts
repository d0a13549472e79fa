/** What makes a task's identity, and what does not. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isTaskId } from "../../../src/db/session/session.ts";
import { taskId } from "../../../src/retrieval/record/task-id.ts";

const OPTIONS = { budget: 1, include: ["a"], weights: { mention: 1, recency: 2 } };

test("the index, the task and every option count; the order of options does not", () => {
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

test("any text has an identity that can be the name of a file", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (task) => {
      expect(isTaskId(taskId("c0ffee", task, OPTIONS))).toBe(true);
    }),
  );
  expect(isTaskId(taskId("c0ffee", "\ud800", OPTIONS))).toBe(true);
});
