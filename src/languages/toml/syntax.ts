/** TOML, which is parsed into an outline. */
import wasm from "../../../dist/grammars/tree-sitter-toml.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const TOML_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols },
  style: { ...PLAIN_STYLE, public: false },
};
