/** Unpacking gives back what was packed, and never more than its limit, whatever the bytes are. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync as zstdWith } from "node:zlib";
import { zstdCompressSync } from "bun";
import fc from "fast-check";
import { unpackedSize, unpackZstd } from "../../src/text/zstd.ts";
import { runBlocks } from "../support/zstd-runs.ts";

const LIMIT = 1 << 20;
/** The result, or "refused". Anything longer than the limit is a failure of the test. */
function unpacked(bytes: Uint8Array, limit = LIMIT): Buffer | "refused" {
  try {
    const found = unpackZstd(bytes, limit);
    expect(found.length).toBeLessThanOrEqual(limit);
    return found;
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return "refused";
  }
}

test("what is packed comes back, at every level and size", () => {
  const sizes = [0, 1, 255, 256, 257, 65_535, 65_536, 65_792, 200_000, LIMIT];
  for (const size of sizes)
    for (const text of [Buffer.alloc(size, "a"), Buffer.from(Array.from({ length: size }, (_, at) => (at * at) % 251))])
      for (const packed of [
        zstdCompressSync(text),
        zstdCompressSync(text, { level: 19 }),
        zstdWith(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      ]) {
        expect(unpackedSize(packed)).toBe(size);
        expect(unpacked(packed)).toEqual(text);
      }
});

test("a limit of one byte less refuses", () => {
  const packed = zstdCompressSync(Buffer.alloc(1_000));
  expect(unpacked(packed, 1_000)).toHaveLength(1_000);
  expect(unpacked(packed, 999)).toBe("refused");
});

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const runs = (count: number): readonly number[] => [...runBlocks(count, 0)];
const small = [...zstdCompressSync("small")];
const bomb = [...zstdCompressSync(Buffer.alloc(100 * LIMIT))];

test.each([
  ["a bomb", bomb],
  ["a bomb after another frame", [...small, ...bomb]],
  ["a bomb after a skippable frame", [0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9, ...bomb]],
  ["a bomb without its size", [...MAGIC, 0x00, 0x58, ...runs(800)]],
  ["a bomb that claims five bytes", [...MAGIC, 0x20, 5, ...runs(800)]],
  ["a bomb that claims five bytes, in a window", [...MAGIC, 0x80, 0x58, 5, 0, 0, 0, ...runs(800)]],
  ["a size of 2^60", [...MAGIC, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, ...runs(1)]],
  ["a size that the blocks do not reach", [...MAGIC, 0xa0, 0, 0, 0x0f, 0, ...runs(1)]],
  ["a dictionary", [...MAGIC, 0x21, 7, 5, ...runs(1)]],
  ["a reserved block", [...MAGIC, 0x20, 5, 7, 0, 0]],
  ["bytes after the frame", [...small, 1, 2, 3]],
  ["nothing", []],
  ["text", [...Buffer.from("plain text, not packed")]],
])("%s is refused", (_name, bytes) => {
  expect(unpacked(Uint8Array.from(bytes))).toBe("refused");
});

test("changed, cut and joined frames never unpack to more than the limit", () => {
  const frames = [small, bomb, [...MAGIC, 0x00, 0x58, ...runs(20)], [...MAGIC, 0x20, 5, ...runs(20)]];
  const frame = fc.constantFrom(...frames);
  const change = fc.record({ at: fc.nat(60), byte: fc.nat(255) });
  const hostile = fc
    .record({
      parts: fc.array(frame, { minLength: 1, maxLength: 3 }),
      changes: fc.array(change, { maxLength: 3 }),
      cut: fc.nat(40),
    })
    .map(({ parts, changes, cut }) => {
      const bytes = parts.flat();
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      return Uint8Array.from(bytes.slice(0, Math.max(0, bytes.length - (cut > 20 ? 0 : cut))));
    });
  fc.assert(
    fc.property(hostile, (bytes) => void unpacked(bytes)),
    { seed: 7, numRuns: 800 },
  );
});

test("nothing else in the program unpacks", () => {
  const source = join(import.meta.dir, "../../src");
  const unpacks =
    /(?:zstd|brotli)?Decompress|\b(?:gun|un)zip(?:Sync)?\(|inflate(?:Raw)?(?:Sync)?\(|DecompressionStream/;
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  expect(files.filter((path) => unpacks.test(readFileSync(join(source, path), "utf8"))).sort()).toEqual([
    "source/git/inflate.ts",
    "text/zstd.ts",
  ]);
});
