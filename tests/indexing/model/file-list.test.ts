/** Files come back as they were added. */
import { expect, test } from "bun:test";
import { fileColumns, filesAt } from "../../../src/indexing/model/file-list.ts";
import type { IndexableFile } from "../../../src/indexing/model/index-run.ts";
import { hashOf } from "../../../src/indexing/update/scan/file-content.ts";

const FILES: readonly IndexableFile[] = ["a.py", "b/test_a.py", "c.ts"].map((path, at) => ({
  path,
  language: path.endsWith(".py") ? "python" : "typescript",
  contentHash: hashOf(Buffer.from(path)),
  sizeBytes: 10 * at,
  isTest: path.includes("test"),
}));

test("one by one, by position, by path and by what one has", () => {
  const files = fileColumns();
  expect([[...files], files.length, files.at(0)]).toEqual([[], 0, undefined]);
  FILES.forEach(files.add);
  expect([...files]).toEqual([...FILES]);
  expect(FILES.map((_, at) => files.at(at))).toEqual([...FILES]);
  expect(FILES.map(({ path }) => files.find(path))).toEqual([...FILES]);
  expect([files.length, files.at(3), files.at(-1), files.find("d.py")]).toEqual([3, undefined, undefined, undefined]);
  const positions = files.positions();
  expect([...positions.keys()]).toEqual(FILES.map(({ path }) => path));
  expect(FILES.map(({ path }) => [positions.get(path), positions.has(path)])).toEqual(FILES.map((_, at) => [at, true]));
  expect([positions.get("d.py"), positions.has("")]).toEqual([undefined, false]);
  expect(FILES.map((_, at) => [files.paths[at], files.languageAt(at), files.hashAt(at)])).toEqual(
    FILES.map(({ path, language, contentHash }) => [path, language, contentHash]),
  );
});

test("some of them, of columns or of an array", () => {
  const files = fileColumns();
  FILES.forEach(files.add);
  for (const all of [files, FILES]) {
    const some = filesAt(all, [0, 2]);
    expect([[...some], some.length]).toEqual([FILES.filter((_, at) => at !== 1), 2]);
    expect([some.at(1), some.at(2), some.at(-1)]).toEqual([FILES[2], undefined, undefined]);
  }
});
