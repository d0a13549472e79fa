/** YAML, of which there is an outline. */
import wasm from "../../../dist/grammars/tree-sitter-yaml.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const YAML_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols },
  style: { ...PLAIN_STYLE, public: false, clean: withoutDepths },
};

/** The grammar keeps every open block, and breaks where it has no room for more: deeper lines are left blank. */
function withoutDepths(text: string): string {
  return text.replace(/^[ \t?:-]{100,}.*$/gm, (line) => " ".repeat(line.length));
}
