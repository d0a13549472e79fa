/**
 * Compiles the queries of all languages, as the build embeds them: prints one JSON text, by language.
 *
 * A process of its own, since the runtime is opened once for a process. Not here: where the text goes (`grammars.ts`).
 */
import { Language } from "web-tree-sitter";
import { LANGUAGES } from "../src/syntax/languages/languages.ts";
import { openRuntime } from "../src/syntax/parse/runtime.ts";
import { moduleOf } from "../src/syntax/parse/wasm-modules.ts";
import { type CompiledQuery, compileQuery } from "../src/syntax/query/compile-query.ts";

const runtime = await openRuntime();
const compiled: Record<string, CompiledQuery> = {};
for (const [name, row] of LANGUAGES) {
  if (row.kind !== "grammar") continue;
  compiled[name] = compileQuery(runtime, Language.loadSync(moduleOf(row.wasm)), row);
}
process.stdout.write(JSON.stringify(compiled));
