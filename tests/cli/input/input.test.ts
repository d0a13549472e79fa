/** Standard input: a text that may be in UTF-16, and one that must be valid UTF-8. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { inputFrom, readUtf8 } from "../../../src/cli/input/input.ts";

async function* chunked(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test("text is unchanged wherever it is split into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), async (text, length) => {
      const bytes = new TextEncoder().encode(text);
      expect(await readUtf8(chunked(bytes, length), 1_000)).toBe(text);
    }),
  );
});

test("text that is not UTF-8, ends within a character or is too long is refused", async () => {
  for (const bytes of [[0x61, 0xff, 0x62], [0xe9], [0xe2, 0x82], [0xed, 0xa0, 0x80]])
    await expect(readUtf8(chunked(Uint8Array.from(bytes), 1), 100)).rejects.toThrow("standard input is not UTF-8");
  await expect(readUtf8(chunked(new Uint8Array(101), 10), 100)).rejects.toThrow("larger than 100 bytes");
  await expect(readUtf8(chunked(new Uint8Array(100), 10), 100)).resolves.toHaveLength(100);
});

test("a task in UTF-16, as some shells redirect into, is read wherever it is split into chunks", async () => {
  const text = "fix the café 🛒\n";
  const little = Buffer.from(`\uFEFF${text}`, "utf16le");
  const big = Buffer.from(little).swap16();
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), little, big])
    for (const length of [1, 3, 100]) {
      const stdin = { isTerminal: false, bytes: () => chunked(bytes, length) };
      const err = { isTerminal: false, columns: 80, write: async () => {} };
      expect(await inputFrom(stdin, err, { mayAsk: false }).read(100)).toBe(text);
    }
});
