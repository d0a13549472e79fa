/** What a compiled query finds: patterns of the root, which run apart, and tests of what a node is in. */
import { expect, test } from "bun:test";
import { Language, Parser } from "web-tree-sitter";
import { PARSED_LANGUAGES } from "../../../src/languages/languages.ts";
import { openRuntime } from "../../../src/syntax/parse/runtime.ts";
import { moduleOf } from "../../../src/syntax/parse/wasm-modules.ts";
import { compileQuery } from "../../../src/syntax/query/compile-query.ts";
import { queryRunner } from "../../../src/syntax/query/run-query.ts";

/** The texts that the patterns capture as `name`, by pattern. */
async function namesIn(text: string, ...patterns: readonly string[]): Promise<readonly (readonly string[])[]> {
  const parsing = PARSED_LANGUAGES.get("javascript");
  if (parsing?.kind !== "grammar") throw new Error("JavaScript has a grammar");
  const row = await parsing.load();
  const runtime = await openRuntime();
  const language = Language.loadSync(moduleOf(row.wasm));
  const query = compileQuery(runtime, language, { ...row, queries: { symbols: patterns.join("\n") } });
  const tree = new Parser().setLanguage(language).parse(text);
  if (tree === null) throw new Error("it was not parsed");
  const { matches } = queryRunner(runtime, language, query)(tree, text, () => false);
  return patterns.map((_, pattern) =>
    matches.symbols.flatMap(({ pattern: number, captures }) => {
      const name = captures.get("name");
      return number === pattern && name !== undefined ? [text.slice(name.start, name.end)] : [];
    }),
  );
}

const TEXT = "const a = 1;\nf(g, () => { const b = 2; h(i); });\n{ k; }\nl;\n";

test("a pattern of the root finds what is deep in it, and keeps its number", async () => {
  expect(
    await namesIn(
      TEXT,
      "(variable_declarator name: (_) @name)",
      "(program (lexical_declaration (variable_declarator name: (_) @name)))",
      "(program (expression_statement (identifier) @name))",
      "(expression_statement (identifier) @name)",
    ),
  ).toEqual([["a", "b"], ["a"], ["l"], ["k", "l"]]);
});

test("what a node is in, from inside out", async () => {
  expect(
    await namesIn(
      TEXT,
      '((identifier) @name (#in? @name "arguments"))',
      '((identifier) @name (#in? @name "arguments" "call_expression" "expression_statement" "program"))',
      '((identifier) @name (#in? @name "expression_statement" "statement_block"))',
      '((identifier) @name (#in? @name "expression_statement" "program" "program"))',
    ),
  ).toEqual([["g", "i"], ["g"], ["k"], []]);
});

test("a type that the grammar does not have is refused", async () => {
  await expect(namesIn(TEXT, '((identifier) @name (#in? @name "argument"))')).rejects.toThrow("argument");
});
