/** Python, where names say what is private and documentation stands inside what it describes. */
import wasm from "../../../dist/grammars/tree-sitter-python.wasm.zst" with { type: "file" };
import comments from "../../../grammars/python/comments.scm" with { type: "text" };
import imports from "../../../grammars/python/imports.scm" with { type: "text" };
import references from "../../../grammars/python/references.scm" with { type: "text" };
import symbols from "../../../grammars/python/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const PYTHON: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docstrings: true,
    // `__init__` and its like are called by everybody.
    isPrivate: (name) => name.startsWith("_") && !/^__.+__$/.test(name),
  },
};
