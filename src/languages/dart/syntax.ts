/** Dart, where an underscore makes a name private to its library. */
import wasm from "../../../dist/grammars/tree-sitter-dart.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import { readImportClauses } from "./import-clauses.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const DART_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(comment) (documentation_comment)] @comment" },
  style: {
    ...PLAIN_STYLE,
    // A variable of a file is one node, and the words before it are separate nodes.
    leadIn: /(?<![^\n])[^\s;={}@][^\n;={}@]*[ \t]$/,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    isPrivate: (name) => name.startsWith("_"),
    readImport: readImportClauses,
  },
};
