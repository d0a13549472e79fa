/**
 * Loads grammars into the tree-sitter runtime, each once per thread.
 *
 * The runtime, parsers and queries live in WebAssembly memory for as long as the thread does: that is
 * the point of keeping them. Works the same from source, in the compiled binary and in a worker.
 */
import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { Language, Parser, Query } from "web-tree-sitter";
import runtimeWasm from "../../dist/grammars/web-tree-sitter.wasm.zst" with { type: "file" };
import { LANGUAGES } from "./grammars.ts";
import { TOPICS, type Topic } from "./match.ts";

/**
 * A grammar in use. `query` answers all topics in one pass; `topicOf` tells which of them a pattern
 * belongs to, null for the one that finds what could not be parsed.
 */
export type LoadedGrammar = {
  readonly parser: Parser;
  readonly query: Query;
  topicOf(pattern: number): Topic | null;
};

const ERRORS = "(ERROR) @error";

const loading = new Map<string, Promise<LoadedGrammar>>();
let runtime: Promise<void> | null = null;

/** The grammar of a language in the table, loaded on first use. Rejects when the embedded files do not fit together. */
export function loadGrammar(language: string): Promise<LoadedGrammar> {
  const known = loading.get(language);
  if (known !== undefined) return known;
  const loaded = load(language);
  loading.set(language, loaded);
  return loaded;
}

async function load(language: string): Promise<LoadedGrammar> {
  const grammar = LANGUAGES.get(language);
  if (grammar?.kind !== "grammar") throw new Error(`no grammar for ${language}`);
  // What it says when it aborts is in the error, too, and must not be printed.
  runtime ??= Parser.init({ wasmBinary: unpack(runtimeWasm), printErr: () => undefined });
  await runtime;
  const parsed = await Language.load(unpack(grammar.wasm));
  const parser = new Parser();
  parser.setLanguage(parsed);
  const texts = TOPICS.map((topic) => grammar.queries[topic].join("\n"));
  const query = new Query(parsed, [...texts, ERRORS].join("\n"));
  const topicOf = topicsByPattern(query, texts);
  return { parser, query, topicOf: (pattern) => topicOf[pattern] ?? null };
}

const unpack = (path: string): Uint8Array => zstdDecompressSync(readFileSync(path));

/** Each pattern's topic, from where it stands in the joined text (positions are bytes). */
function topicsByPattern(query: Query, texts: readonly string[]): readonly (Topic | null)[] {
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text) + 1);
  return Array.from({ length: query.patternCount() }, (_, pattern) => {
    const at = query.startIndexForPattern(pattern);
    return TOPICS[ends.findIndex((end) => at < end)] ?? null;
  });
}
