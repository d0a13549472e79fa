import { expect, test } from "bun:test";
import { nameFeedback } from "../../../../src/retrieval/packing/fitting/name-feedback.ts";
import { type Item, PLAIN_ITEM } from "../../../../src/retrieval/packing/items/items.ts";
import { pricedText } from "../../../../src/retrieval/packing/items/priced-text.ts";

const counter = { name: "o200k_base" as const, count: (text: string): number => text.length };

/** A definition on one line of its own file; the first has the best score. */
function gainsOf(lines: readonly (readonly [name: string, line: string])[]): Readonly<Record<string, number>> {
  const items = lines.map(
    ([name], id): Item => ({
      ...PLAIN_ITEM,
      key: name,
      fileId: id,
      path: `${name}.ts`,
      label: name,
      why: "",
      tier: "primary",
      floor: false,
      rank: id + 1,
      score: 1 / (id + 1),
      symbol: {
        id,
        fileId: id,
        name,
        qualifiedName: name,
        kind: "function",
        startLine: 1,
        endLine: 1,
        docLine: 1,
        nameLine: 1,
        signature: name,
        signatureTokens: 4,
        bodyTokens: 10,
        parentId: null,
        exported: true,
      },
      ranges: [{ startLine: 1, endLine: 1 }],
      bodyTokens: 10,
    }),
  );
  const sources = new Map(lines.map(([, line], id) => [id, pricedText(line, counter)]));
  return Object.fromEntries(nameFeedback(items, sources));
}

/** Definitions that name nothing but themselves, worse than those before them. */
const others = (count: number): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, at) => [`other${at}`, `function other${at}() {}`]);

test("what one of the best names, and what names one of them, gains", () => {
  const gains = gainsOf([
    ["moveMails", "function moveMails() { return selectFolder(); }"],
    ...others(45),
    ["selectFolder", "function selectFolder() {}"],
    ["dropOnFolder", "function dropOnFolder() { moveMails(); }"],
    ["lonely", "function lonely() { nothing(); }"],
  ]);
  expect(gains.selectFolder).toBeGreaterThan(1.5);
  expect(gains.dropOnFolder).toBeGreaterThan(1);
  expect(gains.dropOnFolder).toBeLessThan(1.5);
  expect(gains.lonely).toBe(1);
});

test("names that are too short to tell, and parts of other names, count for nothing", () => {
  const gains = gainsOf([
    ["parse", "function parse() { run(); reparse2(); }"],
    ...others(45),
    ["run", "function run() {}"],
    ["reparse", "function reparse() {}"],
  ]);
  expect([gains.run, gains.reparse]).toEqual([1, 1]);
});

test("a definition gains nothing by its own name", () => {
  const gains = gainsOf([
    ["first", "function first() {}"],
    ...others(45),
    ["recurse", "function recurse() { recurse(); }"],
  ]);
  expect(gains.recurse).toBe(1);
});
