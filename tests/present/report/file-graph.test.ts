/** The graph of a report: layers by import, circles drawn backwards, and a bound on what is drawn. */
import { expect, test } from "bun:test";
import { fileGraph } from "../../../src/present/report/file-graph.ts";

type Edges = Parameters<typeof fileGraph>[1];

/** The column and row of each drawn file, by its id. */
function drawn(paths: readonly string[], edges: Edges): ReadonlyMap<string, readonly [x: number, y: number]> {
  const ids = new Map(paths.map((path, at) => [path, at]));
  const { markup } = fileGraph(paths, edges, ids);
  return new Map(
    [...markup.matchAll(/data-id="(\d+)"[^>]*><title>[^<]*<\/title><rect x="(\d+)" y="(\d+)"/g)].map(([, id, x, y]) => [
      paths[Number(id)] ?? "",
      [Number(x), Number(y)],
    ]),
  );
}

test("what imports is left of what it imports", () => {
  const at = drawn(
    ["a", "b", "c", "d"],
    [
      ["a", "b"],
      ["b", "c"],
      ["a", "c"],
    ],
  );
  const [a = [0, 0], b = [0, 0], c = [0, 0]] = ["a", "b", "c"].map((path) => at.get(path));
  expect(a[0]).toBeLessThan(b[0]);
  expect(b[0]).toBeLessThan(c[0]);
  // A file without imports is not drawn.
  expect(at.has("d")).toBe(false);
});

test("a circle ends, and no two files are in one place", () => {
  const edges: [string, string][] = [
    ["a", "b"],
    ["b", "a"],
    ["b", "c"],
    ["c", "c"],
  ];
  const places = [...drawn(["a", "b", "c"], edges).values()].map(String);
  expect(new Set(places).size).toBe(3);
});

test("a tangle of many files is bounded, and drawn alike each time", () => {
  const paths = Array.from({ length: 300 }, (_, at) => `f${at}`);
  const edges = paths.flatMap((from, at) =>
    paths.slice(0, 60).map((to, other): [string, string] => [from, other === at ? "f0" : to]),
  );
  const ids = new Map(paths.map((path, at) => [path, at]));
  const { markup } = fileGraph(paths, edges, ids);
  expect([...markup.matchAll(/class="node"/g)]).toHaveLength(48);
  expect(markup).toContain("252 more files are not drawn");
  expect(fileGraph(paths, edges, ids).markup).toBe(markup);
});

test("without imports it says so", () => {
  expect(fileGraph(["a"], [], new Map()).markup).toContain("No file of the package imports another one.");
});
