/** Pastes that a terminal sends as if they were typed, told from keys that are pressed before anyone answers. */
import { expect, test } from "bun:test";
import { unmarkedPastes } from "../../../src/tui/terminal/unmarked-paste.ts";

test("text after a line end is pasted; a line with its end, or a few keys after it, are typed", () => {
  for (const [input, isPaste] of [
    ["fix the login\rredirect now", true],
    ["one\r\n\r\ntwo three\r", true],
    ["fix the login\r", false],
    ["fix the login\rjj", false],
    ["\r\r\r\r\r\r", false],
    ["redirect", false],
  ] as const)
    expect(unmarkedPastes(() => 0)(input)).toBe(isPaste);
});

test("what arrives at once after a part of a paste is its rest", () => {
  let now = 0;
  const isPaste = unmarkedPastes(() => now);
  expect(isPaste("first\rsecond li")).toBe(true);
  now += 20;
  expect(isPaste("ne")).toBe(true);
  now += 90;
  expect(isPaste("\r")).toBe(true);
  now += 1_000;
  expect(isPaste("\r")).toBe(false);
});
