/** JSON, of which there is an outline. */
import wasm from "../../../dist/grammars/tree-sitter-json.wasm.zst" with { type: "file" };
import symbols from "../../../grammars/json/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const JSON_TEXT: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [] },
  style: { ...PLAIN_STYLE, public: false },
};
