import { expect, test } from "bun:test";
import { foreignLines } from "../../src/evaluation/own-lines.ts";
import { knowledgeOf } from "../support/knowledge.ts";

const TEXT = [
  "class Cart {",
  "  size = 0;",
  "",
  "  add() {",
  "    later(() => 1);",
  "  }",
  "}",
  "function run() {",
  "}",
];
const KB = knowledgeOf({
  files: {
    "cart.ts": {
      text: TEXT.join("\n"),
      symbols: [
        { name: "Cart", kind: "class", lines: [1, 7] },
        { name: "size", kind: "property", lines: [2, 2] },
        { name: "add", kind: "method", lines: [4, 6] },
        { name: "run", kind: "function", lines: [8, 9] },
      ],
    },
  },
});
const foreign = (name: string, start: number, end: number): readonly string[] =>
  foreignLines({ name, lines: { start, end } }, KB.symbolsIn(KB.files().map(({ id }) => id)), TEXT.join("\n")).map(
    ({ startLine, endLine }) => `${startLine}-${endLine}`,
  );

test("the own lines of a class are fields, not methods or blank lines", () => {
  expect(foreign("Cart", 1, 7)).toEqual(["4-6", "3-3"]);
});

test("all lines of a function are its own", () => {
  expect(foreign("add", 4, 6)).toEqual([]);
  expect(foreign("run", 8, 9)).toEqual([]);
});

test("lines inside a method belong to the method", () => {
  const nested = knowledgeOf({
    files: {
      "a.ts": {
        text: "x\n".repeat(20),
        symbols: [
          { name: "A", kind: "class", lines: [1, 20] },
          { name: "m", kind: "method", lines: [5, 15] },
          { name: "g", kind: "function", lines: [8, 12] },
        ],
      },
    },
  });
  const symbols = nested.symbolsIn(nested.files().map(({ id }) => id));
  expect(foreignLines({ name: "A", lines: { start: 1, end: 20 } }, symbols, "x\n".repeat(20))).toEqual([
    { startLine: 5, endLine: 15 },
  ]);
});

test("an impl block without a definition of its name is a container", () => {
  expect(foreign("impl Cart", 1, 7)).toContain("4-6");
  expect(foreign("elsewhere", 8, 8)).toEqual([]);
});

test("without lines, the result is unknown", () => {
  expect(foreignLines({ name: "Cart", lines: null }, [], "")).toEqual([]);
});
