/**
 * Compiles the queries of all languages and prints them as one JSON object, keyed by language, for the build to embed.
 *
 * Runs as a process of its own because a process can initialise the tree-sitter runtime only once.
 */
import { Language } from "web-tree-sitter";
import { PARSED_LANGUAGES } from "../src/languages/languages.ts";
import { openRuntime } from "../src/syntax/parse/runtime.ts";
import { moduleOf } from "../src/syntax/parse/wasm-modules.ts";
import { type CompiledQuery, compileQuery } from "../src/syntax/query/compile-query.ts";

const runtime = await openRuntime();
const compiled: Record<string, CompiledQuery> = {};
for (const [name, parsing] of PARSED_LANGUAGES) {
  if (parsing.kind !== "grammar") continue;
  const grammar = await parsing.load();
  compiled[name] = compileQuery(runtime, Language.loadSync(moduleOf(grammar.wasm)), grammar);
}
process.stdout.write(JSON.stringify(compiled));
