/**
 * Loads grammars into the tree-sitter runtime, each once per thread.
 *
 * The runtime, parsers and queries stay in WebAssembly memory as long as the thread runs. Works the same from source, in
 * the compiled binary and in a worker.
 */
import { Language, Parser } from "web-tree-sitter";
import queriesFile from "../../../dist/grammars/queries.zst" with { type: "file" };
import { PARSED_LANGUAGES } from "../../languages/languages.ts";
import { type CompiledQuery, compileQuery, queryKey } from "../query/compile-query.ts";
import { queryRunner, type RunQuery } from "../query/run-query.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import { moduleOf, unpack } from "./wasm-modules.ts";

/** A grammar in use. `run` evaluates the queries of all topics in one pass. `work` is that of its runtime. */
export type LoadedGrammar = { readonly parser: Parser; readonly run: RunQuery; readonly work: Runtime["work"] };

const loading = new Map<string, Promise<LoadedGrammar>>();
let compiled: Readonly<Record<string, CompiledQuery>> | null = null;

/** The grammar of a language in the table, loaded on first use. Rejects if the embedded files do not match. */
export function loadGrammar(language: string): Promise<LoadedGrammar> {
  const known = loading.get(language);
  if (known !== undefined) return known;
  const loaded = load(language);
  loading.set(language, loaded);
  return loaded;
}

async function load(language: string): Promise<LoadedGrammar> {
  const parsing = PARSED_LANGUAGES.get(language);
  if (parsing?.kind !== "grammar") throw new Error(`no grammar for ${language}`);
  const grammar = await parsing.load();
  const runtime = await openRuntime();
  const parsed = Language.loadSync(moduleOf(grammar.wasm));
  const parser = new Parser();
  parser.setLanguage(parsed);
  compiled ??= readCompiled();
  const made = compiled[language];
  // From source, queries can be newer than their compiled form.
  const query = made?.key === queryKey(grammar) ? made : compileQuery(runtime, parsed, grammar);
  return { parser, run: queryRunner(runtime, parsed, query), work: runtime.work };
}

const readCompiled = (): Readonly<Record<string, CompiledQuery>> =>
  JSON.parse(new TextDecoder().decode(unpack(queriesFile)));
