/** The packages that grammars and their runtime come from, and the version of what is extracted with them. */

/**
 * What facts depend on besides the text: raised whenever the queries or the code that reads them find
 * something else, so that cached facts of an older version are not used.
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

/** Packages and versions, a part of the key of cached facts and of compiled queries: the order counts. */
export const GRAMMAR_VERSION = Object.entries(PACKAGES)
  .map((pair) => pair.join(" "))
  .join(", ");
