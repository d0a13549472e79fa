/** What a run has to look at, from the blocks that the last one left. */
import { expect, test } from "bun:test";
import type { SeenTree } from "../../../../src/db/parse-cache/stat-cache.ts";
import { allBlocks, openPart } from "../../../../src/indexing/update/scan/tree-blocks.ts";
import { listOf, packFiles, type TreeList } from "../../../../src/source/walk/tree-digest.ts";
import { inOrder } from "../../../../src/text/order.ts";

const tree = (files: ReadonlyMap<string, number>): TreeList =>
  listOf(
    packFiles(
      [...files]
        .sort(([a], [b]) => inOrder(a, b))
        .map(([path, sizeBytes]) => ({ path, sizeBytes, modifiedMs: 1, changedMs: 2, inode: 3, device: 4 })),
    ),
  );

const FILES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 500 }, (_, at) => [`src/${at % 7}/file-${at}.py`, at]),
);
const settled = (): boolean => false;
const seen = (files: ReadonlyMap<string, number>): SeenTree => ({ state: "", blocks: allBlocks(tree(files), settled) });
const changed = (...edits: readonly (readonly [string, number | null])[]): ReadonlyMap<string, number> => {
  const files = new Map(FILES);
  for (const [path, size] of edits) size === null ? files.delete(path) : files.set(path, size);
  return files;
};

const isOpen = (files: ReadonlyMap<string, number>, path: string): boolean =>
  openPart(seen(FILES), tree(files))?.ranges.some(({ from, to }) => from <= path && path < to) === true;

test("nothing is open of a tree that is as it was", () => {
  expect(openPart(seen(FILES), tree(FILES))).toMatchObject({ files: [], ranges: [], isSamePaths: true });
});

test("only the block around a changed, new or removed file is open", () => {
  const edits = [
    ["src/3/file-45.py", 1_000],
    ["src/3/file-45.py", null],
    ["src/3/new.py", 1],
    ["a", 1],
    ["z", 1],
  ] as const;
  for (const [path, size] of edits) {
    const files = changed([path, size]);
    const part = openPart(seen(FILES), tree(files));
    expect([isOpen(files, path), part?.ranges.length, part?.isSamePaths]).toEqual([true, 1, size === 1_000]);
    expect(part?.files.length).toBeLessThan(70);
    expect(part?.files.some((file) => file.path === path)).toBe(size !== null);
    // What the next run goes by.
    expect(openPart({ state: "", blocks: part?.blocks(settled) ?? [] }, tree(files))?.ranges).toEqual([]);
  }
});

test("a block stays open while a file of it has to be looked at again", () => {
  const blocks = allBlocks(tree(FILES), (path) => path === "src/3/file-45.py");
  const part = openPart({ state: "", blocks }, tree(FILES));
  expect([part?.ranges.length, part?.isSamePaths]).toEqual([1, true]);
  expect(part?.files.map(({ path }) => path)).toContain("src/3/file-45.py");
  expect(openPart({ state: "", blocks: part?.blocks(settled) ?? [] }, tree(FILES))?.ranges).toEqual([]);
});

test("ranges hold the same paths in SQLite's order as in that of JavaScript", () => {
  const odd = ["\u{1f600}", "\uff08x", "\u{1f600}b", "\ue000"].flatMap((name) =>
    Array.from({ length: 200 }, (_, at) => [`${name}/${at}`, at] as const),
  );
  const before = new Map([...FILES, ...odd]);
  const after = new Map([...before, ["\u{1f600}/new", 1], ["src/3/new", 1]]);
  const part = openPart({ state: "", blocks: allBlocks(tree(before), settled) }, tree(after));
  const inSql = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const inRanges = [...after.keys()].filter((path) =>
    part?.ranges.some(({ from, to }) => inSql(from, path) <= 0 && inSql(path, to) < 0),
  );
  expect(inRanges.sort(inOrder)).toEqual(part?.files.map(({ path }) => path) ?? []);
  expect(inRanges).toContain("\u{1f600}/new");
});

test("all is compared where much has changed, or nothing is known", () => {
  const files = new Map(Array.from({ length: 20_000 }, (_, at) => [`${at}`, at]));
  const touched = new Map([...files].map(([path, size]) => [path, size + 1]));
  expect(openPart(seen(files), tree(touched))).toBeNull();
  expect(openPart({ state: "", blocks: [] }, tree(files))).toBeNull();
});
