/** The rests of long answers. */
import { expect, test } from "bun:test";
import { openLongAnswers } from "../../src/mcp/long-answers.ts";

test("only the newest rests are kept", () => {
  const kept = openLongAnswers();
  const uris = Array.from({ length: 20 }, () => kept.shown("\ud83d\ude42".repeat(1_000), 501).rest?.uri ?? "");
  expect(kept.uris()).toEqual(uris.slice(4));
  expect(kept.read(uris.at(-1) ?? "").isWellFormed()).toBe(true);
  expect(() => kept.read(uris[0] ?? "")).toThrow("there is no such resource");
});
