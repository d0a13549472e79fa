/** Java, where modifiers say who sees a definition, and what has none is for its package only. */
import wasm from "../../../dist/grammars/tree-sitter-java.wasm.zst" with { type: "file" };
import comments from "../../../grammars/java/comments.scm" with { type: "text" };
import imports from "../../../grammars/java/imports.scm" with { type: "text" };
import references from "../../../grammars/java/references.scm" with { type: "text" };
import symbols from "../../../grammars/java/symbols.scm" with { type: "text" };
import type { SymbolKind } from "../facts/facts.ts";
import type { Grammar } from "./language.ts";
import { JAVADOC_STYLE } from "./style.ts";

export const JAVA: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
  style: {
    ...JAVADOC_STYLE,
    isPrivate,
  },
};

/** Members of interfaces and constants of enums are public without saying so. */
function isPrivate(name: string, signature: string, around: SymbolKind | null): boolean {
  if (around === "interface") return /^(?:\w+ )*private\b/.test(signature);
  if (around === "enum" && signature.startsWith(name)) return false;
  return !/^(?:[\w-]+ )*(?:public|protected)\b/.test(signature);
}
