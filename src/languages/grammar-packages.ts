/**
 * The table of the languages that are read.
 *
 * What a new language needs is told in `ARCHITECTURE.md`. Grammars are compressed files inside the binary; queries are
 * text.
 * Not here: loading (`load-grammar.ts`).
 */

import { BASH } from "./bash.ts";
import { C } from "./c.ts";
import { CPP } from "./cpp.ts";
import { CSHARP } from "./csharp.ts";
import { CSS } from "./css.ts";
import { DART } from "./dart.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./ecmascript.ts";
import { ELIXIR } from "./elixir.ts";
import { GO } from "./go.ts";
import { JAVA } from "./java.ts";
import { JSON_TEXT } from "./json.ts";
import { KOTLIN } from "./kotlin.ts";
import type { Language } from "./language.ts";
import { LUA } from "./lua.ts";
import { MARKDOWN } from "./markdown.ts";
import { PHP } from "./php.ts";
import { PYTHON } from "./python.ts";
import { RUBY } from "./ruby.ts";
import { RUST } from "./rust.ts";
import { SCALA } from "./scala.ts";
import { SOLIDITY } from "./solidity.ts";
import { SVELTE } from "./svelte.ts";
import { SWIFT } from "./swift.ts";
import { TOML } from "./toml.ts";
import { VUE } from "./vue.ts";
import { YAML } from "./yaml.ts";
import { ZIG } from "./zig.ts";

/**
 * What facts depend on besides the text: raised whenever the queries or the code that reads them find
 * something else, so that cached facts of an older version are not used.
 */
export const EXTRACTOR_VERSION = "4";

/** The packages that grammars and runtime come from, as pinned in package.json; a part of the cache key too. */
export const GRAMMAR_VERSION =
  "web-tree-sitter 0.27.1, @vscode/tree-sitter-wasm 0.3.1, @repomix/tree-sitter-wasms 0.1.17, tree-sitter-elixir 0.3.5, tree-sitter-json 0.24.8, tree-sitter-scala 0.24.0, @tree-sitter-grammars/tree-sitter-kotlin 1.1.0, @tree-sitter-grammars/tree-sitter-lua 0.4.1, @tree-sitter-grammars/tree-sitter-toml 0.7.0, @tree-sitter-grammars/tree-sitter-yaml 0.7.1, @tree-sitter-grammars/tree-sitter-zig 1.1.2";

/** By the name of the language as the walker gives it. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["bash", BASH],
  ["c", C],
  ["cpp", CPP],
  ["csharp", CSHARP],
  ["css", CSS],
  ["dart", DART],
  ["elixir", ELIXIR],
  ["go", GO],
  ["java", JAVA],
  ["javascript", JAVASCRIPT],
  ["json", JSON_TEXT],
  ["kotlin", KOTLIN],
  ["lua", LUA],
  ["markdown", MARKDOWN],
  ["php", PHP],
  ["python", PYTHON],
  ["ruby", RUBY],
  ["rust", RUST],
  ["scala", SCALA],
  ["solidity", SOLIDITY],
  ["svelte", SVELTE],
  ["swift", SWIFT],
  ["toml", TOML],
  ["tsx", TSX],
  ["typescript", TYPESCRIPT],
  ["vue", VUE],
  ["yaml", YAML],
  ["zig", ZIG],
]);

/** Whether triple-quoted strings in a language are documentation. */
export function hasDocstrings(language: string): boolean {
  const row = LANGUAGES.get(language);
  return row?.kind === "grammar" && row.style.docstrings;
}
