/** Standard input that must be valid UTF-8. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readUtf8 } from "../../../src/cli/input/input.ts";

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
