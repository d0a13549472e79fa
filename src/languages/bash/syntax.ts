/** Bash, where any comment documents what follows it. */
import wasm from "../../../dist/grammars/tree-sitter-bash.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import { mendShell } from "./mend.ts";
import symbols from "./symbols.scm" with { type: "text" };
import { testsAsFunctions } from "./tests.ts";

export const BASH_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^#(?!!)/,
    leadIn: /@test[ \t]+["']$/,
    clean: testsAsFunctions,
    mend: mendShell,
  },
};
