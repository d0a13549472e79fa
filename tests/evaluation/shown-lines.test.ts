/** The lines that a package shows, from its public form. */
import { expect, test } from "bun:test";
import { packedSpans } from "../../src/evaluation/shown-lines.ts";
import type { ContextPackage, FileJson, SymbolJson } from "../../src/retrieval/model/package-schema.ts";
import { emptyPackage, packageFile, packageSymbol } from "../support/package.ts";

const symbol = (name: string, start: number, end: number, body: string | null): SymbolJson =>
  packageSymbol({ name, start_line: start, end_line: end, signature: `def ${name}`, body });

const snippet = (start: number, end: number) => ({ start_line: start, end_line: end, text: "x".repeat(9), reason: "" });

function packageOf(file: Pick<FileJson, "symbols" | "snippets">, blank: readonly number[] = []): ContextPackage {
  const empty = emptyPackage("task");
  const path = "a.py";
  return {
    ...empty,
    files: [packageFile({ path, relevance_rank: 1, ...file })],
    provenance: {
      ...empty.provenance,
      files: [{ path, tier: "ranked", relation: "", reasons: [], blank_lines: [...blank], score: 1, terms: [] }],
    },
  };
}

const shown = (pkg: ContextPackage, cut: readonly string[] = []): readonly string[] =>
  packedSpans({ pkg, count: (text) => text.length, lineCountOf: () => 40, cutLines: new Set(cut) }).map(
    ({ path, start, end, kind, tokens }) => `${path}:${start}-${end} ${kind} ${tokens}`,
  );

test("bodies, signatures without a body, and snippets count, with their tokens", () => {
  const pkg = packageOf({
    symbols: [symbol("f", 1, 3, "body"), symbol("g", 5, 9, null), symbol("C", 20, 30, null)],
    snippets: [snippet(20, 22), snippet(1, 40)],
  });
  expect(shown(pkg)).toEqual(["a.py:1-3 body 4", "a.py:5-5 signature 5", "a.py:20-22 body 9", "a.py:1-40 whole 9"]);
});

test("a definition inside another one shown in full takes no additional tokens", () => {
  const pkg = packageOf({
    symbols: [
      symbol("inner", 2, 3, "body"),
      symbol("outer", 1, 9, "whole body"),
      symbol("same", 1, 9, "whole body"),
      symbol("sketch", 5, 6, null),
      symbol("C", 20, 30, null),
      symbol("member", 21, 22, "body"),
    ],
    snippets: [],
  });
  expect(shown(pkg)).toEqual([
    "a.py:2-3 body 0",
    "a.py:1-9 body 10",
    "a.py:1-9 body 0",
    "a.py:5-5 signature 0",
    "a.py:20-20 signature 5",
    "a.py:21-22 body 4",
  ]);
});

test("a truncated line does not count as shown, blank lines between code do", () => {
  const pkg = packageOf({ symbols: [], snippets: [snippet(2, 6)] }, [7, 8, 10]);
  expect(shown(pkg, ["a.py:4", "b.py:2"])).toEqual([
    "a.py:2-3 body 9",
    "a.py:5-6 body 0",
    "a.py:7-8 body 0",
    "a.py:10-10 body 0",
  ]);
  expect(shown(pkg, ["a.py:2", "a.py:6"]).slice(0, 1)).toEqual(["a.py:3-5 body 9"]);
});
