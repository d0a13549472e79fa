/** Lua, where functions are values of variables and of fields of tables. */
import wasm from "../../../dist/grammars/tree-sitter-lua.wasm.zst" with { type: "file" };
import comments from "../../../grammars/lua/comments.scm" with { type: "text" };
import symbols from "../../../grammars/lua/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const LUA: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docComment: /^--(?:-(?!-)|\[=*\[-)/,
    isPrivate: (name, signature) => signature.startsWith("local ") || /^_(?!_)/.test(name),
    dots: /:/g,
  },
};
