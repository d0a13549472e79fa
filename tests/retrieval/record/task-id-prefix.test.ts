/** The beginning of a task's id stands for it from three characters on, if it is the only one. */
import { expect, test } from "bun:test";
import { expandTaskId } from "../../../src/retrieval/record/task-id-prefix.ts";

const KNOWN = ["1f3a9c0b77d2", "1f3b00000000", "abc123456789"];

test("three characters are enough where one id begins with them", () => {
  expect(expandTaskId(KNOWN, "abc")).toBe("abc123456789");
  expect(expandTaskId(KNOWN, "ABC1")).toBe("abc123456789");
  expect(expandTaskId(KNOWN, "ab")).toBe("ab");
  expect(expandTaskId(KNOWN, "fff")).toBe("fff");
});

test("where several fit, the message names them", () => {
  expect(() => expandTaskId(KNOWN, "1f3")).toThrow('"1f3" is the beginning of 2 task ids');
  expect(() => expandTaskId(KNOWN, "1f3")).toThrow("1f3a9c0b77d2, 1f3b00000000");
  expect(expandTaskId(KNOWN, "1f3a")).toBe("1f3a9c0b77d2");
});
