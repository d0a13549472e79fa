/** YAML, which is parsed into an outline. */
import wasm from "../../../dist/grammars/tree-sitter-yaml.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const YAML_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols },
  style: { ...PLAIN_STYLE, public: false, clean: withoutDepths },
};

/** The grammar's stack of open blocks is limited, and parsing fails when it is full: deeper lines become blank. */
function withoutDepths(text: string): string {
  return text.replace(/^[ \t?:-]{100,}.*$/gm, (line) => " ".repeat(line.length));
}
