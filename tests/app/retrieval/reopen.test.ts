/** Earlier rounds of a task. */
import { expect, test } from "bun:test";
import { finishedRun } from "../../../src/app/retrieval/reopen.ts";

test("a round that has not finished is refused with the command that lists those of its task", () => {
  expect(() => finishedRun("0123456789ab", [], 2)).toThrow(
    "round 2 of this task has not finished; see its rounds: cra log 0123456789ab",
  );
});
