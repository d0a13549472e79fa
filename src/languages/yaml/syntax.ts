/** YAML, of which there is an outline. */
import wasm from "../../../dist/grammars/tree-sitter-yaml.wasm.zst" with { type: "file" };
import symbols from "../../../grammars/yaml/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const YAML: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [] },
  style: { ...PLAIN_STYLE, public: false, clean: withoutDepths },
};

/** The grammar keeps every open block, and breaks where it has no room for more: deeper lines are left blank. */
function withoutDepths(text: string): string {
  return text.replace(/^[ \t?:-]{100,}.*$/gm, (line) => " ".repeat(line.length));
}
