/** Swift, where modifiers declare visibility and extensions define members outside of the type. */
import wasm from "../../../dist/grammars/tree-sitter-swift.wasm.zst" with { type: "file" };
import { withoutHalves } from "../conditional-code.ts";
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import { withoutSigns } from "./hash-signs.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const SWIFT_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(comment) (multiline_comment)] @comment" },
  style: {
    ...PLAIN_STYLE,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    // `private(set) var` is readable everywhere.
    isPrivate: (_, signature) => /^(?:[\w@]+(?:\(\w+\))? )*(?:private|fileprivate)(?!\()\b/.test(signature),
    ownerPath,
    clean: (text) => withoutSigns(withoutHalves(text, { isWhole, keepWhole: false })),
  },
};

/** Branches that continue the code before them are call chains (`.padding()`) and cases. */
const isWhole = (code: string): boolean => !/^(?:else|catch|[.,?|&)=+{])/.test(code) && !/[.,(=]$/.test(code);

/** `extension Array<Int>` and `extension [Int]` extend the same type. */
function ownerPath(owner: string): string {
  if (owner.startsWith("[")) return owner.includes(":") ? "Dictionary" : "Array";
  return owner.replace(/<.*$/, "");
}
