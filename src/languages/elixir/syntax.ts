/** Elixir, where attributes document what follows them. */
import wasm from "../../../dist/grammars/tree-sitter-elixir.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import { readModuleClauses } from "./module-clauses.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const ELIXIR_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    isPrivate: (_, signature) => /^(?:def(?:macro|guard|n)?p|@typep)\b/.test(signature),
    readImport: readModuleClauses,
  },
};
