import { expect, test } from "bun:test";
import { truncated } from "../../src/text/truncated.ts";

test("a text that is too long ends in an ellipsis, and no half of a character is left", () => {
  expect(truncated("weigh", 5)).toBe("weigh");
  expect(truncated("weighed", 5)).toBe("weigh…");
  expect(truncated("we🙂", 3)).toBe("we\ufffd…");
});
