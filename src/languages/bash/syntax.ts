/** Bash, where any comment documents what follows it. The paths of imports are read from their text. */
import wasm from "../../../dist/grammars/tree-sitter-bash.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import { mendShell } from "./mend.ts";
import { readNamedPath } from "./named-path.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };
import { testsAsFunctions } from "./tests.ts";

export const BASH_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^#(?!!)/,
    leadIn: /@test[ \t]+["']$/,
    clean: testsAsFunctions,
    mend: mendShell,
    readImport: readNamedPath,
  },
};
