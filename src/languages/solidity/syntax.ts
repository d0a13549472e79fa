/** Solidity, with NatSpec documentation. */
import wasm from "../../../dist/grammars/tree-sitter-solidity.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import { readImportClauses } from "./import-clauses.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const SOLIDITY_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    isPrivate: (_, signature) => /\bprivate\b/.test(signature),
    readImport: readImportClauses,
  },
};
