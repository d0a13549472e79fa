/** Lines of a stream: as they were written, however the stream is cut, and bounded. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Line, linesIn } from "../../../src/mcp/transport/lines.ts";

async function linesOf(chunks: readonly (Uint8Array | string)[], bytesMax = 1_000): Promise<readonly Line[]> {
  async function* stream() {
    for (const chunk of chunks) {
      // As a stream that uses its buffer again.
      const lent = typeof chunk === "string" ? chunk : Uint8Array.from(chunk);
      yield lent;
      if (typeof lent !== "string") lent.fill(0);
    }
  }
  return await Array.fromAsync(linesIn(stream(), bytesMax));
}

const text = (line: string): Line => ({ kind: "text", text: line });

test("lines end with LF, CRLF or the stream; empty ones are skipped", async () => {
  expect(await linesOf(["a\r\n\n\r\nb\nc"])).toEqual([text("a"), text("b"), text("c")]);
  expect(await linesOf([])).toEqual([]);
  expect(await linesOf(["a\rb\n"])).toEqual([text("a\rb")]);
});

test("lines that are too long or not UTF-8 are reported, and the rest continues", async () => {
  expect(await linesOf(["a".repeat(11), "\nb\n", "c".repeat(10), "\n"], 10)).toEqual([
    { kind: "too long" },
    text("b"),
    text("c".repeat(10)),
  ]);
  expect(await linesOf([Uint8Array.of(0xc3), "\n", Uint8Array.of(0xc3, 0xa4, 10)])).toEqual([
    { kind: "not UTF-8" },
    text("ä"),
  ]);
  expect(await linesOf(["x".repeat(99), "y".repeat(99)], 10)).toEqual([{ kind: "too long" }]);
});

test("lines are the same for any chunking of the bytes", async () => {
  const line = fc
    .string({ unit: "grapheme", maxLength: 30 })
    .filter((one) => !/[\r\n]/.test(one) && one.isWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(12)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(""));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      chunks.push(bytes.subarray(at));
      expect(await linesOf(chunks)).toEqual(lines.filter((one) => one !== "").map(text));
    }),
  );
});
