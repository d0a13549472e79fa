/** Lines as messages: every JSON-RPC message is one, and nothing that a line can hold throws. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readLine } from "../../../src/mcp/transport/message.ts";

const read = (text: string) => readLine({ kind: "text", text }, 1_000);

test("requests, notifications and answers are messages", () => {
  for (const message of [
    { id: 1, method: "ping" },
    { id: "a", method: "tools/call", params: { name: "x", arguments: { "[": '"\\' } } },
    { method: "notifications/x" },
    { id: 3, result: {} },
    { id: 3, error: { code: 1, message: "x" } },
  ]) {
    const whole = { jsonrpc: "2.0", ...message };
    expect<unknown>(read(JSON.stringify(whole))).toEqual({ kind: "message", message: whole });
  }
});

test("deep nesting is refused before parsing, and brackets in strings do not count", () => {
  const nested = (depth: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"x","params":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
  expect(read(nested(99)).kind).toBe("message");
  expect(read(nested(100))).toMatchObject({ kind: "error", error: { id: null, error: { code: -32600 } } });
  expect(read(nested(1_000_000)).kind).toBe("error");
  const quoted = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { a: `\\"${"[".repeat(300)}\\` } });
  expect(read(quoted).kind).toBe("message");
});

test("other input gives an error with its id, or no reply", () => {
  expect(read('{"jsonrpc":"2.0","id":"q","method":1}')).toMatchObject({ error: { id: "q", error: { code: -32600 } } });
  expect(read('{"jsonrpc":"2.0","id":{},"method":1}')).toMatchObject({ error: { id: null } });
  expect(read('{"id":1,"result":1}')).toEqual({ kind: "silence" });
  expect(readLine({ kind: "too long" }, 7)).toMatchObject({
    error: { error: { message: expect.stringContaining("7") } },
  });
  expect(readLine({ kind: "not UTF-8" }, 7)).toMatchObject({ error: { error: { code: -32700 } } });
});

test("nothing throws", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(fc.constantFrom("[", "]", "{", "}", '"', "\\", "1", ","), { maxLength: 400 })
      .map((parts) => parts.join("")),
  );
  fc.assert(fc.property(anything, (text) => expect(["message", "error", "silence"]).toContain(read(text).kind)));
});
