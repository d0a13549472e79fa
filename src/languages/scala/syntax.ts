/** Scala, 2 and 3, where everything is public unless it says otherwise. */
import wasm from "../../../dist/grammars/tree-sitter-scala.wasm.zst" with { type: "file" };
import comments from "../../../grammars/scala/comments.scm" with { type: "text" };
import imports from "../../../grammars/scala/imports.scm" with { type: "text" };
import references from "../../../grammars/scala/references.scm" with { type: "text" };
import symbols from "../../../grammars/scala/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { readScalaImport } from "./scala-imports.ts";
import { JAVADOC_STYLE } from "./style.ts";

/** A second list of arguments for what a class extends. */
const SECOND_ARGUMENTS = /(\bextends\s+[\w.]{1,100}(?:\[[^\]\n]{0,200}\])?\([^()\n]{0,200}\))(\([^()\n]{0,200}\))/g;

export const SCALA: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
  style: {
    ...JAVADOC_STYLE,
    isPrivate: (_, signature) => /^(?:(?!class |trait |object |def |va[lr] |type )\w+ )*private\b/.test(signature),
    mend: (text) =>
      text.replace(SECOND_ARGUMENTS, (_, first: string, second: string) => first + " ".repeat(second.length)),
    // `List[T]` and `a.b.List` are extended as `List`.
    ownerPath: (owner) => /(?:^|\.)(\w+)$/.exec(owner.replace(/\[.*\]$/, ""))?.[1] ?? null,
    readImport: readScalaImport,
  },
};
