/** The symbol table of a file finds what a search of all its symbols finds. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type NameIds, symbolTable } from "../../../../src/indexing/references/declarations/symbol-table.ts";
import { PLAIN_NAMES } from "../../../../src/languages/name-rules.ts";
import type { OutlineSymbol } from "../../../../src/syntax/facts/facts.ts";
import { EMPTY_FACTS } from "../../../db/parse-cache/entry.ts";

const SAME_MAX = 200;

const symbol = (name: string, parent: number | null, owner: string): OutlineSymbol => ({
  name,
  qualifiedName: owner === "" ? name : `${owner}.${name}`,
  kind: "function",
  startLine: 1,
  endLine: 1,
  docLine: 1,
  nameLine: 1,
  signature: name,
  signatureTokens: 1,
  bodyTokens: 1,
  parent,
  exported: true,
});

/** Symbols of few names, each at the top or in an earlier one. */
const symbols = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.option(fc.nat())), { maxLength: 40 })
  .map((drawn) => {
    const all: OutlineSymbol[] = [];
    for (const [name, at] of drawn) {
      const parent = at === null || all.length === 0 ? null : at % all.length;
      all.push(symbol(name, parent, parent === null ? "" : (all[parent]?.qualifiedName ?? "")));
    }
    return all;
  });

function found(all: readonly OutlineSymbol[], parent: number | null, name: string): readonly number[] {
  const same = all.flatMap((each, index) => (each.name === name && each.parent === parent ? index : []));
  return same.slice(-SAME_MAX);
}

test("each name in each symbol leads to the symbols that have it, in order", () => {
  fc.assert(
    fc.property(symbols, (all) => {
      const ids: NameIds = new Map();
      const table = symbolTable({ ...EMPTY_FACTS, symbols: all }, PLAIN_NAMES, ids);
      for (const parent of [null, ...all.keys()])
        for (const name of ["a", "b", "c", "d"]) expect(table(parent, name)).toEqual(found(all, parent, name));
    }),
  );
});

test.each([199, 200, 201, 5_000])("of %d symbols with one name the last ones count", (times) => {
  const all = [
    symbol("a", null, ""),
    ...Array.from({ length: times }, () => symbol("b", null, "")),
    symbol("c", null, ""),
  ];
  const table = symbolTable({ ...EMPTY_FACTS, symbols: all }, PLAIN_NAMES, new Map());
  expect(table(null, "b")).toEqual(found(all, null, "b"));
  expect(table(null, "c")).toEqual([times + 1]);
});
