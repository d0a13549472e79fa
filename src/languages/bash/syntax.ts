/** Bash, where any comment documents what follows it. */
import wasm from "../../../dist/grammars/tree-sitter-bash.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const BASH_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^#(?!!)/,
    // At the start of a string the grammar takes two parentheses for arithmetic, and it cannot read all that follows a colon
    // in an expansion.
    mend: (text) =>
      text
        .replaceAll('"((', '"__')
        .replace(/\$\{\w{1,80}:[^{}"'`\n]{0,200}\}/g, (expansion) => `\${${"_".repeat(expansion.length - 3)}}`),
  },
};
