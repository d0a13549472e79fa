/** The packages of the grammars and their runtime, and the version of the extracted facts. */

/**
 * How much work a file may be for its parser, as the runtime counts it: so much, or so much for each character if that is more.
 * The clock decides nothing, so a text has the same facts on every machine. Code of all languages stays below a tenth of this;
 * texts that no grammar fits can need thousands of times as much as they have characters.
 */
export const PARSE_WORK = { max: 400_000_000, perChar: 500 } as const;

/**
 * Facts depend on this besides the text. The first number is raised whenever the queries or the code that evaluates them change
 * the result, so that older cached facts are ignored; other limits give other facts too. A new language needs no other number (`tableVersion`).
 */
export const EXTRACTOR_VERSION = `21.${PARSE_WORK.max}.${PARSE_WORK.perChar}`;

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
