import { expect, test } from "bun:test";
import { exactnessCases } from "../../scripts/bench/exactness-cases.ts";
import type { FileRow, SymbolRow } from "../../src/db/curated/knowledge-base.ts";
import { caseLine, readCases } from "../../src/evaluation/cases.ts";
import { symbolRow } from "../support/symbol-row.ts";

const file = (id: number, path: string, isTest = false): FileRow => ({
  ...{ id, path, language: "python", contentHash: "", sizeBytes: 1, lineCount: 9, tokenCount: 9 },
  ...{ isTest, modifiedAt: null },
});
const FILES = [
  file(1, "src/shop/cart.py"),
  file(2, "tests/test_cart.py", true),
  file(3, "tests/test_all.py", true),
  file(4, "examples/demo.py"),
  file(5, "setup_shop.py"),
];
const ORIGIN = { repo: "o/shop", commit: "a".repeat(40), date: "2024-01-01T00:00:00Z" };

const long = (id: number, fileId: number, name: string, kind = "function", more: Partial<SymbolRow> = {}) =>
  symbolRow(id, fileId, name, kind, { endLine: id + 3, ...more });
const casesFor = (symbols: readonly SymbolRow[], count = 20) =>
  exactnessCases(
    {
      files: () => FILES,
      symbolsIn: () => symbols,
      inlineTests: () => new Set([13]),
      testedBy: () => [
        { test: 3, source: 1, score: 0.4, by: "import" },
        { test: 2, source: 1, score: 0.9, by: "name,import" },
      ],
    },
    ORIGIN,
    count,
  );
const names = (symbols: readonly SymbolRow[]) => [
  ...new Set(casesFor(symbols).map(({ expectedSymbols }) => expectedSymbols[0]?.name)),
];

test("a definition is asked for ever more exactly, with its lines and its surest tests", () => {
  const cases = casesFor([long(3, 1, "round_total")]);
  expect(cases.map(({ task, exactness }) => [task, exactness])).toEqual([
    ["fix round_total", { group: "o/shop round_total", level: 1 }],
    ["fix round_total in cart.py", { group: "o/shop round_total", level: 2 }],
    ["fix round_total in src/shop/cart.py", { group: "o/shop round_total", level: 3 }],
  ]);
  for (const one of cases)
    expect(one).toMatchObject({
      repo: "o/shop",
      baseCommit: ORIGIN.commit,
      expectedFiles: ["src/shop/cart.py"],
      expectedTestFiles: ["tests/test_cart.py"],
      expectedSymbols: [{ path: "src/shop/cart.py", name: "round_total", lines: { start: 3, end: 6 } }],
    });
  expect(readCases(cases.map((one) => `${caseLine(one)}\n`).join(""), "f")).toEqual(cases);
});

test("a file at the root has a name that is its path", () => {
  expect(casesFor([long(1, 5, "read_setup")]).map(({ task }) => task)).toEqual([
    "fix read_setup",
    "fix read_setup in setup_shop.py",
  ]);
});

test("names are unique, specific, and of source code", () => {
  const symbols = [
    long(1, 1, "ShopCart", "class"),
    long(2, 1, "ShopCart", "method", { parentId: 1 }),
    long(3, 1, "addItem", "method", { parentId: 1 }),
    long(4, 1, "twice_there"),
    long(5, 2, "Twice_There"),
    long(6, 1, "checkout"),
    long(7, 1, "a_b"),
    long(8, 1, "__init__", "method"),
    long(9, 1, "MAX_ITEMS", "variable"),
    long(10, 2, "test_only_here"),
    long(11, 4, "show_demo"),
    symbolRow(12, 1, "only_declared"),
    long(13, 1, "rounds_down"),
    long(14, 1, "test_outside"),
  ];
  expect(names(symbols).toSorted()).toEqual(["ShopCart", "addItem"]);
});

test("the same definitions are chosen, whatever order the index has", () => {
  const symbols = Array.from({ length: 40 }, (_, at) => long(at + 1, 1, `name_of_${at}`));
  const chosen = casesFor(symbols, 5);
  expect(chosen).toHaveLength(15);
  const renumbered = symbols.toReversed();
  expect(casesFor(renumbered, 5)).toEqual(chosen);
});
