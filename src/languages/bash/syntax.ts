/** Bash, where any comment documents what follows it. */
import wasm from "../../../dist/grammars/tree-sitter-bash.wasm.zst" with { type: "file" };
import comments from "../../../grammars/bash/comments.scm" with { type: "text" };
import symbols from "../../../grammars/bash/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const BASH: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docComment: /^#(?!!)/,
    // At the beginning of a string the grammar takes two parentheses for arithmetic.
    mend: (text) => text.replaceAll('"((', '"__'),
  },
};
