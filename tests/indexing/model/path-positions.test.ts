/** Every path of a list is found where it is, and nothing else is found. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathPositions } from "../../../src/indexing/model/path-positions.ts";

test("paths of any text, and of any number", () => {
  const path = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.uniqueArray(path), fc.array(path), (paths, others) => {
      const positions = pathPositions(paths);
      expect([...positions.keys()]).toEqual(paths);
      expect(paths.map(positions.get)).toEqual(paths.map((_, at) => at));
      for (const other of others) {
        const at = paths.indexOf(other);
        expect([positions.get(other), positions.has(other)]).toEqual([at < 0 ? undefined : at, at >= 0]);
      }
    }),
  );
});

test("many paths that begin alike", () => {
  const paths = Array.from({ length: 5_000 }, (_, at) => `src/component_${at % 50}/file_${at}.ts`);
  const positions = pathPositions(paths);
  expect(paths.every((path, at) => positions.get(path) === at)).toBe(true);
  expect(paths.some((path) => positions.has(`${path}x`))).toBe(false);
});
