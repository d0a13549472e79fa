/** Packed files are the files, whatever characters their paths have. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { digestOf, listOf, packFiles, type TreeFile, unpackFiles } from "../../../src/source/walk/tree-digest.ts";

const number = fc.nat();
const files: fc.Arbitrary<readonly TreeFile[]> = fc.array(
  fc.record({
    path: fc.string({ unit: "grapheme", minLength: 1 }).filter((path) => !path.includes("\0")),
    sizeBytes: number,
    modifiedMs: number,
    changedMs: number,
    inode: number,
    device: number,
  }),
);

test("files come back, as often as they are asked for", () => {
  fc.assert(
    fc.property(files, (given) => {
      const unpacked = unpackFiles(packFiles(given));
      expect([...unpacked]).toEqual([...given]);
      expect([...unpacked]).toEqual([...given]);
    }),
  );
});

test("any part of a list is that of its files alone", () => {
  fc.assert(
    fc.property(files, fc.nat(), fc.nat(), (given, a, b) => {
      const [from = 0, to = 0] = [a, b].map((at) => at % (given.length + 1)).sort((one, other) => one - other);
      const [all, part] = [listOf(packFiles(given)), listOf(packFiles(given.slice(from, to)))];
      expect(all.paths).toEqual(given.map(({ path }) => path));
      expect(all.files(from, to)).toEqual(given.slice(from, to));
      expect(all.pathsHash(from, to)).toBe(part.pathsHash(0, to - from));
      expect(all.hash(from, to)).toBe(part.hash(0, to - from));
    }),
  );
});

test("the digest differs with a path or a stat", () => {
  const file = { path: "ä/b.ts", sizeBytes: 1, modifiedMs: 2, changedMs: 3, inode: 4, device: 5 };
  const hashes = [[file], [{ ...file, path: "ä/c.ts" }], [{ ...file, changedMs: 6 }], []].map(
    (of) => digestOf(packFiles(of)).hash,
  );
  expect(new Set(hashes).size).toBe(4);
  expect(digestOf(packFiles([file, { ...file, changedMs: 9 }]))).toMatchObject({ files: 2, newestMs: 9 });
});
