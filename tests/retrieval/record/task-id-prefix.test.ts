import { expect, test } from "bun:test";
import { expandTaskId } from "../../../src/retrieval/record/task-id-prefix.ts";

const KNOWN = ["abc123456789", "abd123456789", "abd223456789", "123456789abc"];

test("three characters of an id are enough if no other begins so; two never are", () => {
  expect(expandTaskId(KNOWN, "abc")).toBe("abc123456789");
  expect(expandTaskId(KNOWN, "ABC")).toBe("abc123456789");
  expect(expandTaskId(KNOWN, "ff")).toBe("ff");
  expect(() => expandTaskId(KNOWN, "12")).toThrow(
    '"12" is too short for a task id; give at least 3 characters of it: 123456789abc',
  );
  expect(expandTaskId(KNOWN, "fff")).toBe("fff");
});

test("of several that fit, all are named", () => {
  expect(() => expandTaskId(KNOWN, "abd")).toThrow(
    '"abd" is the beginning of 2 task ids; give more of it: abd123456789, abd223456789',
  );
});
