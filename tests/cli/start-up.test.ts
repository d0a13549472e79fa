/** What every start of the program loads: rows of commands are cheap, and what is expensive is imported inside of `run`. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const TRANSPILER = new Bun.Transpiler({ loader: "ts" });

/** The files that a module loads, directly or not, without those that it imports dynamically. Paths from `src`. */
function loadedBy(entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !path.endsWith(".ts")) return;
    seen.add(path);
    for (const { kind, path: specifier } of TRANSPILER.scanImports(readFileSync(path, "utf8")))
      if (kind === "import-statement" && specifier.startsWith(".")) visit(join(dirname(path), specifier));
  };
  visit(join(SRC, entry));
  return [...seen].map((path) => relative(SRC, path)).sort();
}

test("the parser and the rows load no part that does work", () => {
  const loaded = loadedBy("cli/start.ts");
  expect(loaded).toContain("cli/commands/retrieve.ts");
  const heavy = /^(?:app|db|source|syntax|llm|judgement|indexing|enrichment|escalation|evaluation|tui)\//;
  expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  expect(loaded.filter((path) => /^(?:retrieval|recall|mcp|memory|secrets)\//.test(path))).toEqual([
    "mcp/limits.ts",
    "memory/vocabulary.ts",
    "recall/context/context-types.ts",
    "retrieval/render/formats.ts",
    "secrets/prefilter.ts",
  ]);
});
