/** Python, where names mark private definitions and documentation is inside the definition. */
import wasm from "../../../dist/grammars/tree-sitter-python.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const PYTHON_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    // Names like `__init__` are public.
    isPrivate: (name) => name.startsWith("_") && !/^__.+__$/.test(name),
  },
};
