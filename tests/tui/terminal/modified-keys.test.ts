/** Keys as xterm's option modifyOtherKeys sends them, in the form that Ink reads. */
import { expect, test } from "bun:test";
import { readableKeys } from "../../../src/tui/terminal/modified-keys.ts";

test("a key with modifiers gets the form of the kitty protocol, and everything else passes", () => {
  expect(readableKeys("a\x1b[27;5;99~b\x1b[27;3;13~")).toBe("a\x1b[99;5ub\x1b[13;3u");
  for (const other of ["\x1b[3;5~", "\x1b[27~", "\x1b[27;5~", "\x1b[A", "27;5;99~", "\x1b[99;5u"])
    expect(readableKeys(other)).toBe(other);
});
