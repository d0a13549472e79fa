/** Swift, where modifiers declare visibility and extensions define members outside of the type. */
import wasm from "../../../dist/grammars/tree-sitter-swift.wasm.zst" with { type: "file" };
import { blank } from "../../text/lines.ts";
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
    mend,
  },
};

/** Syntax that costs the definitions around it, and what the grammar can read in its place. */
const MENDED: readonly (readonly [RegExp, (part: string) => string])[] = [
  // A bare regular expression, where an operator is unlikely.
  [/(?<=[=(,:] ?|\b(?:return|try) )\/(?![\s/*])(?:[^\n/\\"]|\\.){1,300}\//g, (regex) => `"${blank(regex.slice(2))}"`],
  // In a condition, what follows would take the block of the condition as an argument.
  [/(?<!\bfor(?: try)? )\bawait(?=\s)/g, blank],
  [/(?<=\bnonisolated)\(\w+\)/g, blank],
  [/\btypealias [^\n{}=]{1,300}=[^\n{}]{1,300}?\bwhere\b[^\n{}]*/g, (alias) => alias.replace(/\bwhere\b.*/, blank)],
  [/`self`/g, () => "this__"],
  // Between the cases of a switch.
  [/@Sendable(?=\s+func\b)/g, blank],
  // A value that is the empty tuple.
  [/(?<=^[ \t]{0,80}|\(|\breturn )\(\)(?! ?(?:->|async\b|throws\b))/gm, () => "0 "],
];

function mend(text: string): string {
  return MENDED.reduce((mended, [part, by]) => mended.replace(part, by), text);
}

/** Branches that continue the code before them are call chains (`.padding()`) and cases. */
const isWhole = (code: string): boolean => !/^(?:else|catch|[.,?|&)=+{])/.test(code) && !/[.,(=]$/.test(code);

/** `extension Array<Int>` and `extension [Int]` extend the same type. */
function ownerPath(owner: string): string {
  if (owner.startsWith("[")) return owner.includes(":") ? "Dictionary" : "Array";
  return owner.replace(/<.*$/, "");
}
