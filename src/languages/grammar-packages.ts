/** The packages of the grammars and their runtime, and the version of the extracted facts. */

/**
 * Facts depend on this besides the text. Raised whenever the queries or the code that evaluates them change the result, so
 * that older cached facts are ignored.
 */
export const EXTRACTOR_VERSION = "4";

/** By name, as pinned in package.json. */
const PACKAGES = {
  "web-tree-sitter": "0.27.1",
  "@vscode/tree-sitter-wasm": "0.3.1",
  "@repomix/tree-sitter-wasms": "0.1.17",
  "tree-sitter-elixir": "0.3.5",
  "tree-sitter-json": "0.24.8",
  "tree-sitter-scala": "0.24.0",
  "@tree-sitter-grammars/tree-sitter-kotlin": "1.1.0",
  "@tree-sitter-grammars/tree-sitter-lua": "0.4.1",
  "@tree-sitter-grammars/tree-sitter-toml": "0.7.0",
  "@tree-sitter-grammars/tree-sitter-yaml": "0.7.1",
  "@tree-sitter-grammars/tree-sitter-zig": "1.1.2",
} as const;

/** A WebAssembly file of one of the packages. */
export type GrammarFile = `${keyof typeof PACKAGES}/${string}.wasm`;

/** The packages by name. */
export const GRAMMAR_PACKAGES: readonly string[] = Object.keys(PACKAGES);

/** Packages and versions, part of the key of cached facts and of compiled queries: the order matters. */
export const GRAMMAR_VERSION = Object.entries(PACKAGES)
  .map((pair) => pair.join(" "))
  .join(", ");
