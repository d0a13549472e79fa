/** Escape sequences that arrive in pieces, as from a slow connection. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { sequenceJoiner } from "../../../src/tui/terminal/cut-sequences.ts";

/** What passes of these chunks without waiting, one entry a call. */
function passedAtOnce(chunks: readonly string[]): readonly string[] {
  const passed: string[] = [];
  const joiner = sequenceJoiner((text) => passed.push(text));
  for (const chunk of chunks) joiner.take(chunk);
  joiner.stop();
  return passed;
}

test("a sequence passes as a whole, wherever it is cut", () => {
  const keys = [
    "\x1b[B",
    "\x1bOB",
    "\x1b[5~",
    "\x1b[1;5C",
    "\x1b[200~",
    "\x1b[<64;3;4M",
    "\x1b[106;1:3u",
    "\x1b[[A",
    "\x1bb",
  ];
  for (const key of keys) expect(passedAtOnce([...key])).toEqual([key]);
  for (const key of keys) expect(passedAtOnce([`a${key.slice(0, 2)}`, `${key.slice(2)}b`]).join("")).toBe(`a${key}b`);
});

test("an escape alone passes after a moment, what begins a sequence much later", async () => {
  const passed: string[] = [];
  const joiner = sequenceJoiner((text) => passed.push(text));
  joiner.take("\x1b");
  expect(passed).toEqual([]);
  joiner.take("\x1b");
  expect(passed).toEqual(["\x1b"]);
  await Bun.sleep(100);
  expect(passed).toEqual(["\x1b", "\x1b"]);
  joiner.take("\x1b[");
  await Bun.sleep(100);
  expect(passed).toHaveLength(2);
  joiner.stop();
});

test("two presses of escape that arrive together pass one after the other", async () => {
  const passed: string[] = [];
  const { promise: both, resolve } = Promise.withResolvers<void>();
  const joiner = sequenceJoiner((text) => {
    passed.push(text);
    if (passed.join("") === "\x1b\x1b") resolve();
  });
  joiner.take("\x1b\x1b");
  await both;
  expect(passed).toEqual(["\x1b", "\x1b"]);
  expect(passedAtOnce(["\x1b\x1b", "[A"])).toEqual(["\x1b\x1b[A"]);
});

test("nothing is lost or moved", () => {
  const piece = fc.constantFrom("a", "\x1b", "[", "O", "B", "5", "~", ";", "é", "\x1b[A");
  const chunk = fc.array(piece, { minLength: 1 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      expect(passedAtOnce([...chunks, "\n"]).join("")).toBe(`${chunks.join("")}\n`);
    }),
  );
});
