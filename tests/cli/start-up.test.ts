/** What every start of the program loads: rows of commands are cheap, and what is expensive is imported inside of `run`. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const TRANSPILER = new Bun.Transpiler({ loader: "ts" });

/** The bundler runs these imports and leaves their results. */
const withoutMacros = (source: string): string => source.replaceAll(/^import .* with \{ type: "macro" \};$/gm, "");

/** The files that a module loads, directly or not, without those that it imports dynamically. Paths from `src`. */
function loadedBy(entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !path.endsWith(".ts")) return;
    seen.add(path);
    for (const { kind, path: specifier } of TRANSPILER.scanImports(withoutMacros(readFileSync(path, "utf8"))))
      if (kind === "import-statement" && specifier.startsWith(".")) visit(join(dirname(path), specifier));
  };
  visit(join(SRC, entry));
  return [...seen].map((path) => relative(SRC, path)).sort();
}

test("of the parts that do work, a start loads only lists of names", () => {
  const loaded = loadedBy("cli/start.ts");
  expect(loaded).toContain("cli/commands/retrieve.ts");
  const heavy = /^(?:app|db|source|syntax|llm|judgement|indexing|enrichment|escalation|evaluation|tui)\//;
  expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  const lists = loaded.filter((path) => /^(?:retrieval|recall|mcp|memory|secrets)\//.test(path));
  const isPlain = (path: string) =>
    TRANSPILER.scanImports(readFileSync(join(SRC, path), "utf8")).every(({ path: specifier }) =>
      specifier.startsWith("."),
    );
  expect(lists.filter((path) => !isPlain(path))).toEqual([]);
});
