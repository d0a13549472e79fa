/** Java, where modifiers declare visibility, and definitions without one are visible in their package only. */
import wasm from "../../../dist/grammars/tree-sitter-java.wasm.zst" with { type: "file" };
import type { SymbolKind } from "../../text/terms/segments.ts";
import { type Grammar, JAVADOC_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const JAVA_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(line_comment) (block_comment)] @comment" },
  style: {
    ...JAVADOC_STYLE,
    isPrivate,
  },
};

/** Members of interfaces and constants of enums are public by default. */
function isPrivate(name: string, signature: string, around: SymbolKind | null): boolean {
  if (around === "interface") return /^(?:\w+ )*private\b/.test(signature);
  if (around === "enum" && signature.startsWith(name)) return false;
  return !/^(?:[\w-]+ )*(?:public|protected)\b/.test(signature);
}
