/** PHP, with phpdoc above definitions and modifiers for visibility. */
import wasm from "../../../dist/grammars/tree-sitter-php.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, JAVADOC_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const PHP_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...JAVADOC_STYLE,
    docGap: false,
    openingTag: /^\s*<\?php\b/,
    dots: /\\|->|::/g,
  },
};
