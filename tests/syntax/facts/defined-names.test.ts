/** The names by which other files may find what a file defines. */
import { expect, test } from "bun:test";
import { hashOfName, ownedName, packNames, unpackNames } from "../../../src/syntax/facts/defined-names.ts";
import type { SymbolFact } from "../../../src/syntax/facts/facts.ts";

const symbol = (kind: SymbolFact["kind"], qualifiedName: string, more: Partial<SymbolFact> = {}): SymbolFact => ({
  name: qualifiedName.split(".").at(-1) ?? "",
  qualifiedName,
  kind,
  startLine: 1,
  endLine: 1,
  docLine: 1,
  nameLine: 1,
  signature: qualifiedName,
  signatureTokens: 1,
  bodyTokens: 1,
  parent: null,
  exported: false,
  doc: null,
  ...more,
});

/** Each list as the names in it, of those that are known. */
function shown(symbols: readonly SymbolFact[], known: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const names = unpackNames(packNames({ symbols, imports: [], exportedAs: {} }));
  const nameOf = (hash: number): string => known.find((name) => hashOfName(name) === hash) ?? "unknown";
  return Object.fromEntries(Object.entries(names).map(([list, hashes]) => [list, [...hashes].map(nameOf)]));
}

test("members, what scripts share, macros, and members outside of their types", () => {
  const owned = ownedName("run", "Server");
  const symbols = [
    symbol("class", "Cart"),
    symbol("method", "Cart.total", { parent: 0 }),
    symbol("function", "Cart.total.inner", { parent: 1 }),
    symbol("method", "http.Server.run"),
    symbol("function", "count"),
  ];
  expect(shown(symbols, ["Cart", "total", "inner", "run", "count", owned])).toEqual({
    methods: ["total", "inner", "run"],
    globals: ["Cart", "run", "count"],
    external: ["run"],
    owned: [owned],
    all: ["Cart", "total", "inner", "run", "count"],
  });
});

test("a file that exports something shares only macros", () => {
  const macro = symbol("function", "counted", { signature: "macro_rules! counted" });
  expect(shown([symbol("function", "open", { exported: true }), macro], ["open", "counted"])).toEqual({
    methods: [],
    globals: ["counted"],
    external: [],
    owned: [],
    all: ["open", "counted"],
  });
  expect(Object.values(shown([], []))).toEqual([[], [], [], [], []]);
});

test("what a file imports and exports has names, too", () => {
  const imported = { specifier: "./sum", line: 1, kind: "import", star: false } as const;
  const names = [
    { name: "sum", alias: "plus" },
    { name: "total", alias: null },
  ];
  const found = unpackNames(
    packNames({
      symbols: [symbol("function", "take")],
      imports: [{ ...imported, names }],
      exportedAs: { took: "take" },
    }),
  );
  expect([...found.all]).toEqual(["take", "took", "sum", "plus", "total"].map(hashOfName));
});
