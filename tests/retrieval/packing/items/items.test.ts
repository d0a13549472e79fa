/** Items: which lines a symbol has, and what they cost. */

import { expect, test } from "bun:test";
import type { SymbolRow } from "../../../../src/db/curated/knowledge-base.ts";
import { EMPTY_SELECTION, type PlacedSymbol } from "../../../../src/retrieval/model/selection.ts";
import type { SymbolTier } from "../../../../src/retrieval/model/tiers.ts";
import { costOf, itemsOf } from "../../../../src/retrieval/packing/items/items.ts";
import { pricedFile, pricedText } from "../../../../src/retrieval/packing/items/priced-text.ts";
import { indexed } from "../../../support/indexed.ts";

const counter = { name: "o200k_base" as const, count: (text: string): number => text.length };

const symbol = (
  id: number,
  kind: string,
  startLine: number,
  endLine: number,
  parentId: number | null = null,
): SymbolRow => ({
  id,
  fileId: 1,
  name: `s${id}`,
  qualifiedName: `s${id}`,
  kind,
  startLine,
  endLine,
  docLine: startLine,
  nameLine: startLine,
  signature: `s${id}`,
  signatureTokens: 4,
  bodyTokens: 10,
  parentId,
  exported: true,
});

const file = {
  id: 1,
  path: "a.py",
  language: "python",
  contentHash: "",
  sizeBytes: 0,
  lineCount: 0,
  tokenCount: 0,
  isTest: false,
  modifiedAt: null,
};

/** The ranges of the first symbol, in a file of these symbols. */
function rangesOf(text: string, symbols: readonly SymbolRow[], tier: SymbolTier = "primary"): string {
  const [first] = symbols;
  if (!first) throw new Error("no symbol");
  const placed: PlacedSymbol = { symbol: first, tier, floor: false, score: 1, why: "", usedBy: [] };
  const score = { fileId: 1, path: "a.py", total: 1, terms: [] };
  const items = itemsOf({
    selection: {
      ...EMPTY_SELECTION,
      files: [{ file, tier: "ranked", relation: "", score, rank: 1 }],
      symbols: [placed],
    },
    sources: new Map([[1, pricedText(text, counter)]]),
    symbolsOf: new Map([[1, symbols]]),
    docs: [],
    comments: [],
    countsAreStored: false,
  });
  return items.map(({ ranges }) => ranges.map((range) => `${range.startLine}-${range.endLine}`).join(" ")).join("; ");
}

const lines = (count: number, blank: readonly number[] = []): string =>
  Array.from({ length: count }, (_, at) => (blank.includes(at + 1) ? "" : `line ${at + 1}`)).join("\n");

test("the own lines of a long class are its properties, without its methods and the blank lines around them", () => {
  const members = [symbol(2, "method", 10, 30, 1), symbol(3, "property", 33, 33, 1), symbol(4, "method", 36, 60, 1)];
  expect(rangesOf(lines(60, [9, 31, 35]), [symbol(1, "class", 1, 60), ...members])).toBe("1-8 32-34");
});

test("a short class is shown in full, and so is a long function with functions inside", () => {
  expect(rangesOf(lines(40), [symbol(1, "class", 1, 40), symbol(2, "method", 10, 30, 1)])).toBe("1-40");
  expect(rangesOf(lines(90), [symbol(1, "function", 1, 90), symbol(2, "function", 10, 30, 1)])).toBe("1-90");
});

test("a class that consists of its members has no lines of its own", () => {
  expect(rangesOf(lines(60), [symbol(1, "class", 1, 60), symbol(2, "method", 1, 60, 1)])).toBe("");
});

test("supporting symbols and long types are signatures, short types are shown", () => {
  expect(rangesOf(lines(60), [symbol(1, "function", 1, 9)], "supporting")).toBe("");
  expect(rangesOf(lines(60), [symbol(1, "interface", 1, 21)], "type_context")).toBe("");
  expect(rangesOf(lines(60), [symbol(1, "interface", 1, 20)], "type_context")).toBe("1-20");
});

test("a symbol never reaches beyond its file", () => {
  expect(rangesOf(lines(3), [symbol(1, "function", 2, 9)])).toBe("2-3");
});

test("lines cost their tokens, each run adds a marker, and a cut line costs its shown part", () => {
  const source = pricedText("ab\ncdef\ng", counter);
  const run = [{ startLine: 1, endLine: 2 }];
  expect(costOf(run, source)).toBe(8 + 3 + 5);
  expect(costOf([...run, { startLine: 3, endLine: 3 }], source)).toBe(16 + 3 + 5 + 2);
  expect(costOf(run, source, { line: 2, chars: 1 })).toBe(8 + 3 + "c …\n".length);
});

test("cached lines belong to the text of the file", () => {
  expect(pricedFile(file, "ab\ncdef", counter).lines).toEqual(["ab", "cdef"]);
  expect(pricedFile(file, "ab\ncdef", counter).lineTokens(2)).toBe(5);
  expect(pricedFile(file, "gh", counter).lines).toEqual(["gh"]);
  expect(pricedFile({ ...file }, "ij", counter).lines).toEqual(["ij"]);
});

test.each(["", "a"])("a long comment that says why is cut after a whole character: %j", async (before) => {
  using repo = await indexed({
    "cart.py": `def cart_sum(cart):\n    # Workaround: ${before}${"🙂".repeat(200)}\n    return sum(cart)\n`,
  });
  const { pkg } = await repo.run("the cart_sum is wrong");
  const [comment = ""] = pkg.files[0]?.rationale_comments ?? [];
  expect(comment.isWellFormed()).toBe(true);
  expect(comment).toEndWith("…");
});
