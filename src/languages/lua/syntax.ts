/** Lua, where functions are values of variables and of table fields. */
import wasm from "../../../dist/grammars/tree-sitter-lua.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const LUA_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^--(?:-(?!-)|\[=*\[-)/,
    isPrivate: (name, signature) => signature.startsWith("local ") || /^_(?!_)/.test(name),
    dots: /[:/]/g,
  },
};
