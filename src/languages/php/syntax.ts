/** PHP, where phpdoc stands above what it describes and modifiers say what is private. */
import wasm from "../../../dist/grammars/tree-sitter-php.wasm.zst" with { type: "file" };
import comments from "../../../grammars/php/comments.scm" with { type: "text" };
import imports from "../../../grammars/php/imports.scm" with { type: "text" };
import references from "../../../grammars/php/references.scm" with { type: "text" };
import symbols from "../../../grammars/php/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { JAVADOC_STYLE } from "./style.ts";

export const PHP: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
  style: {
    ...JAVADOC_STYLE,
    docGap: false,
    dots: /\\|->|::/g,
  },
};
