import { expect, test } from "bun:test";
import type { FileRow } from "../../../src/db/curated/knowledge-base.ts";
import { positionsById } from "../../../src/retrieval/lexical/file-positions.ts";

const FILE = {
  language: "text",
  contentHash: "",
  sizeBytes: 0,
  lineCount: 0,
  tokenCount: 0,
  isTest: false,
  modifiedAt: null,
};
const filesWith = (ids: readonly number[]): readonly FileRow[] =>
  ids.map((id) => ({ ...FILE, id, path: `f${id}.txt` }));

test.each([
  ["ids without gaps", [3, 1, 2]],
  ["ids with large gaps", [7, 2_000_000_000, 1]],
  ["no file", []],
])("each file has its position, and no other id has one: %s", (_, ids) => {
  const positions = positionsById(filesWith(ids));
  expect(ids.map((id) => positions.get(id))).toEqual(ids.map((_, position) => position));
  expect(ids.every((id) => positions.has(id))).toBe(true);
  for (const other of [0, -1, 4, 1.5, 3_000_000_000]) {
    expect(positions.get(other)).toBeUndefined();
    expect(positions.has(other)).toBe(false);
  }
});
