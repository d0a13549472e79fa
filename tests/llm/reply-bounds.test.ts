/** The text of a reply ends when it is too long or says nothing. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { growingReply } from "../../src/llm/reply-bounds.ts";

const BOUNDS = { replyBytesMax: 100, blanksMax: 5 };

test("a reply may be as long as the bound, in bytes", () => {
  const reply = growingReply(BOUNDS);
  expect(reply.add("é".repeat(50))).toBe(true);
  expect(reply.bytes).toBe(100);
  expect(reply.add("x")).toBe(false);
});

test("it is past a bound exactly when the whole text is, whatever the pieces", () => {
  const piece = fc.oneof(fc.constantFrom(" ", "  ", "\n\t", "\u00a0", "a", "a b", "é"), fc.string({ maxLength: 30 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const reply = growingReply(BOUNDS);
      const within = pieces.every((text) => reply.add(text));
      const text = pieces.join("");
      expect(within).toBe(Buffer.byteLength(text) <= 100 && !/\s{6}/.test(text));
      if (within) expect(reply.text).toBe(text);
    }),
  );
});
