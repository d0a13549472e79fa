/** Small hand-built context packages for tests of renderers. */
import { SCHEMA_VERSION } from "../../src/retrieval/model/package-ids.ts";
import { ContextPackage, type FileJson, type SymbolJson } from "../../src/retrieval/model/package-schema.ts";

/** An empty package. */
export function emptyPackage(task: string): ContextPackage {
  return {
    schema_version: SCHEMA_VERSION,
    task_id: "0123456789ab",
    task_query: {
      raw_description: task,
      task_type: "bug_fix",
      keywords: [],
      file_hints: [],
      symbol_hints: [],
      error_patterns: [],
      concepts: [],
    },
    files: [],
    dependency_edges: [],
    token_count: 0,
    budget: 1000,
    provenance: {
      cra_version: "0.0.0",
      index: { content_hash: "", head: null },
      weights: {},
      task_cut: null,
      edges_shown: 0,
      files: [],
      symbols: [],
      budget: {
        tokenizer: "o200k_base",
        exact: true,
        max_lines: null,
        floor: 0,
        before: 0,
        after: 0,
        use: 0,
        evicted: [],
        demoted: [],
      },
    },
    warnings: [],
  };
}

/** A file of a package; omitted fields are empty. */
export const packageFile = (file: Partial<FileJson> & { path: string; relevance_rank: number }): FileJson => ({
  file_id: file.path,
  language: "python",
  score: 1,
  tier: "ranked",
  reason: null,
  symbols: [],
  rationale_comments: [],
  test_assertions: null,
  snippets: [],
  ...file,
});

/** A symbol of a package, which ends with its body. */
export function packageSymbol(
  symbol: Partial<SymbolJson> & { name: string; start_line: number; signature: string },
): SymbolJson {
  const height = symbol.body === undefined || symbol.body === null ? 1 : symbol.body.split("\n").length;
  return {
    symbol_id: `a.py#${symbol.qualified_name ?? symbol.name}:${symbol.start_line}`,
    file_id: "a.py",
    qualified_name: symbol.name,
    kind: "function",
    end_line: symbol.start_line + height - 1,
    body: null,
    docstring: null,
    relevance: "primary",
    tokens: 0,
    ...symbol,
  };
}

/** The package that a run printed as JSON. */
export const packageOf = ({ stdout }: { readonly stdout: string }): ContextPackage =>
  ContextPackage.parse(JSON.parse(stdout));
