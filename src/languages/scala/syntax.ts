/** Scala 2 and 3, where definitions are public by default. */
import wasm from "../../../dist/grammars/tree-sitter-scala.wasm.zst" with { type: "file" };
import { type Grammar, JAVADOC_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import { readScalaImport } from "./imports.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

/** A second argument list of the extended class. */
const SECOND_ARGUMENTS = /(\bextends\s+[\w.]{1,100}(?:\[[^\]\n]{0,200}\])?\([^()\n]{0,200}\))(\([^()\n]{0,200}\))/g;

/** The braces around the cases of a match type: the grammar knows only indentation. */
const MATCH_TYPE_BRACES = /(\btype\s[^{}\n]{1,300}\bmatch\s{0,40})\{((?=\s{0,200}case\b)[^{}]{0,4000})\}/g;

/** `trait A { _: B =>`: the grammar wants a name. */
const NAMELESS_SELF = /(\{\s{0,20})_(?=\s?:\s)/g;

export const SCALA_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(comment) (block_comment)] @comment" },
  style: {
    ...JAVADOC_STYLE,
    isPrivate: (_, signature) => /^(?:(?!class |trait |object |def |va[lr] |type )\w+ )*private\b/.test(signature),
    mend: (text) =>
      text
        .replace(SECOND_ARGUMENTS, (_, first: string, second: string) => first + " ".repeat(second.length))
        .replace(NAMELESS_SELF, "$1x")
        .replace(MATCH_TYPE_BRACES, "$1 $2 "),
    // `List[T]` and `a.b.List` extend `List`.
    ownerPath: (owner) => /(?:^|\.)(\w+)$/.exec(owner.replace(/^([^[]*)\[.*\]$/s, "$1"))?.[1] ?? null,
    readImport: readScalaImport,
  },
};
