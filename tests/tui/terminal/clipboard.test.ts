/** What is sent to a terminal's clipboard. */
import { expect, test } from "bun:test";
import { clipboardSequence } from "../../../src/tui/terminal/clipboard.ts";

test("a text is sent completely, and nothing in it can end the sequence", () => {
  const text = "a\x07b\x1b\\c ü";
  const sequence = clipboardSequence(text) ?? "";
  expect(sequence).toStartWith("\x1b]52;c;");
  expect(sequence).toEndWith("\x07");
  const payload = sequence.slice(7, -1);
  expect(payload).toMatch(/^[A-Za-z0-9+/=]*$/);
  expect(Buffer.from(payload, "base64").toString()).toBe(text);
});

test("a text that terminals would truncate is not sent", () => {
  expect(clipboardSequence("x".repeat(56_000))).not.toBeNull();
  expect(clipboardSequence("x".repeat(56_001))).toBeNull();
  expect(clipboardSequence("ü".repeat(28_001))).toBeNull();
});
