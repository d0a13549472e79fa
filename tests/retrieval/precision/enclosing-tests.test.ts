/** Which test a definition inside it is part of, and which tests of a file are placed for it. */
import { expect, test } from "bun:test";
import type { SymbolRow } from "../../../src/db/curated/knowledge-base.ts";
import type { PlacedSymbol } from "../../../src/retrieval/model/selection.ts";
import { enclosingTests } from "../../../src/retrieval/precision/enclosing-tests.ts";
import { placeTests } from "../../../src/retrieval/precision/likely-tests.ts";
import { callRow, symbolRow } from "../../support/symbol-row.ts";

type Row = readonly [signature: string, parent?: number | null, kind?: string];

/** Symbols of one file, with ids from 1; `parent` is an id. */
const rows = (...all: readonly Row[]): readonly SymbolRow[] =>
  all.map(([signature, parent = null, kind = "function"], at) =>
    symbolRow(at + 1, 2, signature, kind, { signature, parentId: parent }),
  );

const insideOf = (...all: readonly Row[]): readonly string[] =>
  [...enclosingTests(rows(...all))].map(([id, { id: outer }]) => `${id} in ${outer}`);

test("a definition inside a test is part of it", () => {
  expect(insideOf(["def test_login():"], ["async def handler(request):", 1])).toEqual(["2 in 1"]);
  expect(
    insideOf(["def test_login():"], ["class View:", 1, "class"], ["def get(self):", 2, "method"], ["def log():", 3]),
  ).toEqual(["2 in 1", "3 in 1", "4 in 1"]);
  expect(insideOf(["class TestLogin:", null, "class"], ["def test_ok(self):", 1, "method"])).toEqual([]);
});

test("a test of a test runner is no part of its group, and what the group shares is no part of a test", () => {
  expect(
    insideOf(
      ['describe("links", () =>'],
      ['it("is active", async () =>', 1],
      ["function Layout()", 2],
      ["const click = () =>", 3],
      ["function setUp()", 1],
    ),
  ).toEqual(["3 in 2", "4 in 2"]);
  expect(
    insideOf(["function runTests()"], ['describe("links", () =>', 1], ['test("a", () =>', 2], ["let x", 3, "variable"]),
  ).toEqual(["2 in 1", "4 in 3"]);
});

test("a test stands for what is inside it and uses what the task is about", () => {
  const candidates = rows(
    ['describe("links", () =>'],
    ['it("is active", async () =>', 1],
    ["function Layout()", 2],
    ['it("renders", async () =>', 1],
  );
  const why = { tier: "primary", floor: false, score: 1, why: "", usedBy: [] } as const;
  const placed: readonly PlacedSymbol[] = [{ symbol: symbolRow(9, 1, "NavLink"), ...why }];
  const likely = [{ fileId: 2, likelihood: 1, source: "links.tsx" }];
  const given = { likely, placed, candidates, references: [callRow(3, 9)], scores: new Map([[3, 0.5]]) };
  expect(placeTests(given).map(({ symbol, why }) => `${symbol.name}: ${why}`)).toEqual([
    "NavLink: ",
    'it("is active", async () =>: tests NavLink; tests links.tsx',
  ]);
});
