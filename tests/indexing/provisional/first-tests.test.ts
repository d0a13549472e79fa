/** Tests that a first answer parses: those of the best files by their names, and those that match the task. */
import { expect, test } from "bun:test";
import { testsToParse } from "../../../src/indexing/provisional/first-tests.ts";
import { isTestPath } from "../../../src/languages/file-role.ts";
import { languageOf } from "../../../src/languages/languages.ts";

const PATHS = [
  "src/cart.ts",
  "src/price.ts",
  "test/cart.test.ts",
  "test/flow.test.ts",
  "test/price.test.ts",
  "test/x.test.ts",
];
const FILES = PATHS.map((path) => ({ path, language: languageOf(path), isTest: isTestPath(path) }));
const idOf = (path: string): number => PATHS.indexOf(path) + 1;

const chosen = (best: readonly string[], matching: Readonly<Record<string, number>> = {}): readonly string[] =>
  testsToParse(
    FILES,
    best.map(idOf),
    Object.entries(matching).map(([path, match]) => ({ id: idOf(path), match })),
  ).map((id) => PATHS[id - 1] ?? "");

test("the best files bring the tests that are named after them, in their order", () => {
  expect(chosen(["src/price.ts", "src/cart.ts"])).toEqual(["test/price.test.ts", "test/cart.test.ts"]);
  expect(chosen(["test/cart.test.ts", "src/cart.ts"])).toEqual(["test/cart.test.ts"]);
  expect(chosen([])).toEqual([]);
});

test("a test that matches the task comes as well, before one that is only named after a lesser file", () => {
  expect(chosen(["src/price.ts", "src/cart.ts"], { "test/flow.test.ts": 0.6, "test/x.test.ts": 0.1 })).toEqual([
    "test/price.test.ts",
    "test/flow.test.ts",
    "test/cart.test.ts",
    "test/x.test.ts",
  ]);
});

test("both together count more than either", () => {
  expect(chosen(["src/price.ts", "src/cart.ts"], { "test/cart.test.ts": 0.6, "test/flow.test.ts": 0.7 })[0]).toBe(
    "test/cart.test.ts",
  );
});
