/** Lines of a streamed chat: cut from any pieces, read without trust. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { errorIn, linesIn, readLine } from "../../src/llm/reply-lines.ts";
import { anyCharacter } from "../support/any-character.ts";

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("lines are the same for any chunking of the bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("", "  ", "é", "\u{1f600}", "\r"))),
      fc.integer({ min: 1, max: 9 }),
      async (parts, size) => {
        const text = parts.join("\n").toWellFormed();
        const expected = text.split("\n").filter((line) => line.trim() !== "");
        expect(await Array.fromAsync(linesIn(cut(new TextEncoder().encode(text), size)))).toEqual(expected);
      },
    ),
  );
});

test("a chat line is reduced to the used fields", () => {
  const line = {
    model: "m",
    message: { role: "assistant", content: "hi", tool_calls: [] },
    done: true,
    done_reason: "stop",
    prompt_eval_count: 3,
    eval_count: -1,
    __proto__: { polluted: true },
  };
  expect(readLine(JSON.stringify(line))).toEqual({
    kind: "part",
    part: { message: { content: "hi" }, done: true, done_reason: "stop", prompt_eval_count: 3 },
  });
});

test("an error is one safe, short line", () => {
  expect(readLine('{"error":"out of\\nmemory \\u001b[2J"}')).toEqual({ kind: "error", why: "out of memory \\x1b[2J" });
  expect(errorIn(JSON.stringify({ error: "x".repeat(9999) }))).toHaveLength(301);
  expect(errorIn("<html>")).toBeNull();
  expect(errorIn('{"error":7}')).toBeNull();
});

test.each(["null", "7", '"a"', "[]", "{", "<html>", '{"message":7}', '{"message":{"content":7}}', '{"done":"yes"}'])(
  "%s is no line of a chat",
  (line) => {
    expect(readLine(line).kind).toBe("unreadable");
  },
);

test("reading any line does not throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (line) => {
      expect(["part", "error", "unreadable"]).toContain(readLine(line).kind);
    }),
  );
});

test("a line that is nested deeper than any reply is not parsed", () => {
  const nested = (levels: number): string =>
    `{"message":{"content":"hi"},"more":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(readLine(nested(90)).kind).toBe("part");
  expect(readLine(nested(200)).kind).toBe("unreadable");
  expect(errorIn(`{"error":"boo","more":${"[".repeat(200)}${"]".repeat(200)}}`)).toBeNull();
});
