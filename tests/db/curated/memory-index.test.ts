import { expect, test } from "bun:test";
import type { StoredFileRow } from "../../../src/db/curated/knowledge-base.ts";
import { type MemoryIndex, openMemoryIndex } from "../../../src/db/curated/memory-index.ts";

const fileRow = (path: string, at: number): StoredFileRow => ({
  id: at + 1,
  path,
  language: "typescript",
  contentHash: at.toString(16).padStart(64, "0"),
  sizeBytes: 10,
  lineCount: 1,
  tokenCount: 3,
  isTest: at % 2 === 1,
  modifiedAt: null,
});

/** An index that knows files with these paths. */
function indexOf(paths: readonly string[]): MemoryIndex {
  const index = openMemoryIndex("/repository");
  const { writer } = index;
  writer.begin();
  writer.setRepo({ path: "/repository", remoteUrl: null, head: null, indexedAt: "2026-01-01T00:00:00.000Z" });
  writer.setMeta({
    configHash: "",
    craVersion: "0",
    extractorVersion: "0",
    contentHash: "",
    sourceHash: "",
    head: null,
    remoteUrl: null,
    shallow: null,
    historyProblem: null,
    provisional: { parsed: 0, index: "none" },
  });
  writer.commit();
  index.putBare(paths.map(fileRow));
  return index;
}

const rowsOf = ({ writer }: MemoryIndex) => writer.files().map(({ path, isTest }) => ({ path, isTest }));

test("files are known in the order of the tables, before and after their rows are stored", () => {
  // In UTF-16 the second comes before the third, in UTF-8 after it.
  const paths = ["a.ts", "\u{1f600}.ts", "\uff5e.ts"];
  using stack = new DisposableStack();
  const index = stack.adopt(indexOf(paths), (index) => index.close());
  const read = (): readonly string[] => {
    const kb = index.read({ termStats: [], readText: () => null });
    const found = kb.files().map(({ path }) => path);
    kb.close();
    return found;
  };
  const before = read();
  index.writer.begin();
  index.storeRows([1, 2, 3]);
  index.writer.commit();
  expect(before).toEqual(["a.ts", "\uff5e.ts", "\u{1f600}.ts"]);
  expect(read()).toEqual(before);
});

test("each file gets one row, and again after a rollback", () => {
  const paths = Array.from({ length: 5_000 }, (_, at) => `src/${String(at).padStart(4, "0")}.ts`);
  using stack = new DisposableStack();
  const index = stack.adopt(indexOf(paths), (index) => index.close());
  const expected = paths.map((path, at) => ({ path, isTest: at % 2 === 1 }));
  const storeAll = (): void => {
    index.writer.begin();
    index.storeRows([3, 4_000]);
    expect(rowsOf(index)).toHaveLength(2);
    expect(index.storeNextRows()).toBe(true);
    expect(rowsOf(index).length).toBeLessThan(paths.length);
    while (index.storeNextRows()) expect(rowsOf(index).length).toBeLessThanOrEqual(paths.length);
    index.storeRows([1, 2]);
    expect(rowsOf(index).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(expected);
  };
  storeAll();
  index.writer.rollback();
  expect(rowsOf(index)).toEqual([]);
  storeAll();
});
