import { expect, test } from "bun:test";
import { beginningOf } from "../../src/text/beginning.ts";

test("a text that is too long ends in an ellipsis, and no half of a character is left", () => {
  expect(beginningOf("weigh", 5)).toBe("weigh");
  expect(beginningOf("weighed", 5)).toBe("weigh…");
  expect(beginningOf("we🙂", 3)).toBe("we\ufffd…");
});
