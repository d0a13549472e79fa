/** A run is large by the number of its files, or by their bytes. */
import { expect, test } from "bun:test";
import { isLarge } from "../../../src/indexing/update/large-run.ts";
import { packFiles, type TreeFile, unpackFiles } from "../../../src/source/walk/tree-digest.ts";

const treeOf = (count: number, sizeBytes: number) => {
  const times = { modifiedMs: 0, changedMs: 0, inode: 0, device: 0 };
  const packed = packFiles(
    Array.from({ length: count }, (_, at): TreeFile => ({ path: `${at}.ts`, sizeBytes, ...times })),
  );
  return { packed, files: unpackFiles(packed) };
};

test.each([
  [0, 0, false],
  [20_000, 800, false],
  [20_001, 0, true],
  [2, 8 * 1024 * 1024, false],
  [2, 8 * 1024 * 1024 + 1, true],
])("%d files of %d bytes each: %p", (count, sizeBytes, expected) =>
  expect(isLarge(treeOf(count, sizeBytes))).toBe(expected),
);
