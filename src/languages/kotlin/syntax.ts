/** Kotlin, where definitions are public by default, and functions can be defined outside of the type that they extend. */
import wasm from "../../../dist/grammars/tree-sitter-kotlin.wasm.zst" with { type: "file" };
import { type Grammar, JAVADOC_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

/** A class with only a name ends with its line; after annotations the grammar continues and parses an expression. */
const NOTHING_BUT_A_NAME = /^([ \t]*(?:[a-z]+[ \t]+){0,4}(?:class|interface|object)[ \t]+\w+)\n(?=[ \t]*\n)/gm;

/** Names that the grammar takes for keywords at the start of a statement. */
const SOFT_KEYWORD =
  /\b(?:(?:open|final|inner|data|value|set|by|in(?=\d))(?=\d? ?=[^=]|\d?\.)|open(?=\())(?<=(?:^[ \t]{0,80}|\{ ?)\w{2,5})/gm;

/** What the grammar does not accept before a constructor or an accessor on a separate line. */
const BEFORE_MEMBER =
  /\b(?:actual|expect)(?=\s{1,20}constructor\b)|@\w+\([^()\n]{0,80}\)(?=\s{1,20}[a-z]+ constructor\b)|@\w+(?= [gs]et\()/g;

const blank = (text: string): string => " ".repeat(text.length);

export const KOTLIN_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(line_comment) (block_comment)] @comment" },
  style: {
    ...JAVADOC_STYLE,
    isPrivate: (_, signature) => /^(?:(?!class |interface |object |fun |va[lr] )\w+ )*private /.test(signature),
    clean: (text) => text.replace(NOTHING_BUT_A_NAME, "$1;"),
    mend: (text) =>
      text
        .replace(BEFORE_MEMBER, blank)
        .replace(SOFT_KEYWORD, (word) => `${word.slice(0, -1)}${word.slice(-1).toUpperCase()}`),
    // `List<T>?` and `a.b.List` extend `List`.
    ownerPath: (owner) =>
      /(?:^|\.)(\w+)$/.exec(owner.replace(/^([^<]*)<.*>/s, "$1").replace(/[?()]/g, ""))?.[1] ?? null,
  },
};
