/** The queries that the build compiles ahead: they are those of the sources, and what is compiled is the same each time. */
import { expect, test } from "bun:test";
import { Language } from "web-tree-sitter";
import queriesFile from "../../dist/grammars/queries.zst" with { type: "file" };
import { PARSED_LANGUAGES } from "../../src/languages/languages.ts";
import { openRuntime } from "../../src/syntax/parse/runtime.ts";
import { moduleOf, unpack } from "../../src/syntax/parse/wasm-modules.ts";
import { type CompiledQuery, compileQuery, queryKey } from "../../src/syntax/query/compile-query.ts";

const compiled: Record<string, CompiledQuery> = JSON.parse(new TextDecoder().decode(unpack(queriesFile)));
const loaded = await Promise.all(
  [...PARSED_LANGUAGES].map(async ([name, parsing]) =>
    parsing.kind === "grammar" ? [{ name, row: await parsing.load() }] : [],
  ),
);
const grammars = loaded.flat();

test("every grammar has its current queries compiled", () => {
  expect(Object.keys(compiled).toSorted()).toEqual(grammars.map(({ name }) => name).toSorted());
  for (const { name, row } of grammars) expect([name, compiled[name]?.key]).toEqual([name, queryKey(row)]);
});

test.each(["go", "c", "lua"])("%s: compiling it again gives the same", async (language) => {
  const runtime = await openRuntime();
  const row = grammars.find(({ name }) => name === language)?.row;
  if (row === undefined) throw new Error(`no grammar for ${language}`);
  const made = compiled[language];
  const here = compileQuery(runtime, Language.loadSync(moduleOf(row.wasm)), row);
  expect(here.patterns).toEqual(made?.patterns ?? []);
  expect(here.captureNames).toEqual(made?.captureNames ?? []);
  expect(here.wildcardPatterns).toBe(made?.wildcardPatterns ?? -1);
  expect(made).toBeDefined();
  expect(here.arrays).toEqual(made?.arrays ?? here.arrays);
});
