/** Kotlin, where definitions are public by default, and functions can be defined outside of the type that they extend. */
import wasm from "../../../dist/grammars/tree-sitter-kotlin.wasm.zst" with { type: "file" };
import { type Grammar, JAVADOC_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

/** A class with only a name ends with its line; after annotations the grammar continues and parses an expression. */
const NOTHING_BUT_A_NAME = /^([ \t]*(?:[a-z]+[ \t]+){0,4}(?:class|interface|object)[ \t]+\w+)\n(?=[ \t]*\n)/gm;

/** Behind an annotation, which is no label (`return@each null`), the grammar takes modifiers for names, and a definition for an expression. */
const ANNOTATED =
  /((?<!\w)@[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,400}\))?\s{1,80})((?:(?!(?:enum|companion|fun)\b)[a-z]{1,12}\s{1,80}){1,6})(?=(?:enum |fun )?(?:class|object|interface|fun|va[lr]|typealias)\b)/g;

/** After an annotation the grammar takes an enum with one entry for a call with a lambda, unless the entry has a comma. */
const ONLY_ENTRY =
  /(\benum class \w{1,80}\s{0,20}\{\s{0,80}(?:@\w{1,80}(?:\([^()\n]{0,80}\))?\s{1,80}){0,3}\w{1,80})\s(?=\s{0,80}\})/g;

/** The words that are taken away there. */
const MODIFIERS =
  /(?:\b(?:abstract|actual|annotation|const|data|expect|external|final|infix|inline|inner|internal|lateinit|open|operator|override|private|protected|public|sealed|suspend|tailrec|value)\s{1,80})+$/;

/** Names that the grammar takes for keywords at the start of a statement. */
const SOFT_KEYWORD =
  /\b(?:(?:open|final|inner|data|value|set|by|in(?=\d))(?=\d? ?=[^=]|\d?\.)|open(?=\())(?<=(?:^[ \t]{0,80}|\{ ?)\w{2,5})/gm;

/** What the grammar does not accept before a constructor or an accessor on a separate line. */
const BEFORE_MEMBER =
  /\b(?:actual|expect)(?=\s{1,20}constructor\b)|@\w+(?:\([^()\n]{0,80}\))?(?=\s{1,20}[a-z]+ constructor\b)|@[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]{0,80}\)){0,200}\)){0,400}\))?(?=\s{1,40}(?:\/\/[^\n]{0,120}\n\s{0,40})?(?:(?:private|protected|internal|inline)\s{1,20})?[gs]et\b)/g;

/** The grammar wants an accessor without a semicolon before it. */
const BEFORE_ACCESSOR = /;(?= {0,4}(?:@\w+ )?(?:(?:private|protected|internal) [gs]et\b|[gs]et ?\())/g;

/** `a get b`: the grammar takes it for the beginning of an accessor. */
const ACCESSOR_AS_INFIX = /(?<=[\w)}\]"] )[gs]et(?= [\w"'`])|(?<=[)}] )get(?= \(\w)/g;

/** Calls that it takes for accessors. A getter has no parameters, and a setter has a body. */
const ACCESSOR_AS_CALL =
  /(?<=^[ \t]{0,80}|[{;>] ?)(?:get(?=\(\s{0,80}[^\s)]|<| ?\{)|set(?=\((?!\s{0,80}(?:@\w+ )?\w+(?:: [\w.<>?]{1,80})?,?\s{0,80}\)\s{0,80}[={:])))/gm;

/** A lambda that may suspend, which the grammar does not know: it becomes a call with a lambda. */
const SUSPENDING_LAMBDA = /\bsuspend(?= ?\{)/g;

/** A line before a function with this word is taken for the left side of an infix call. */
const SUSPENDING_FUNCTION = /(?<=^[ \t]{1,80})suspend(?= fun\b)/gm;

/** A string in which one dollar sign has no meaning. */
const PLAIN_DOLLARS = /\${2,8}("""[\s\S]{0,4000}?"""|"(?:[^"\\\n]|\\.){0,400}")/g;

/** What is newer than the grammar: context parameters, guards of branches, and a comma at the end of type parameters. */
const CONTEXT = /(?<=^[ \t]{0,40}|[:,(] ?)context\([^()\n]{0,200}\)/gm;
const GUARD =
  /(?<=^[ \t]{0,80}(?:!?i[sn] [\w.<>*?, ()"]{1,80}|else|[A-Z][\w.]{0,80})) if(?:\b[^{}\n]{1,200}?| \(\n[^{}]{1,400}?\)\s{0,80}?)(?= ->)/gm;
const LAST_COMMA = /,(?=\s{1,20}>)/g;

/** The grammar takes it for the beginning of constraints. */
const WHERE_AS_NAME = /\bwhere(?=\?\.|!!|\.| ?=[^=])/g;

/** The grammar wants the end of a member before that of a body on one line. */
const BODY_ON_ONE_LINE =
  /^([ \t]{0,80}(?:[a-z]{1,20} ){0,5}(?:class|interface|object)\b[^{}\n]{0,200}\{ [^\n]{0,300}[^\s;{]) \}$/gm;

const blank = (text: string): string => " ".repeat(text.length);

const withoutDollars = (written: string, content: string): string =>
  blank(written.slice(content.length)) + content.replaceAll("$", "_");

const renamed = (word: string): string => `${word.slice(0, -1)}${word.slice(-1).toUpperCase()}`;

export const KOTLIN_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(line_comment) (block_comment)] @comment" },
  style: {
    ...JAVADOC_STYLE,
    leadIn: MODIFIERS,
    isPrivate: (_, signature) => /^(?:(?!class |interface |object |fun |va[lr] )\w+ )*private /.test(signature),
    clean: (text) =>
      text
        .replace(NOTHING_BUT_A_NAME, "$1;")
        .replace(ONLY_ENTRY, (all, entry: string) => `${entry},${all.slice(entry.length + 1)}`)
        .replace(ANNOTATED, (_, annotation: string, modifiers: string) => annotation + blank(modifiers)),
    mend: (text) =>
      text
        .replace(BEFORE_MEMBER, blank)
        .replace(BEFORE_ACCESSOR, blank)
        .replace(ACCESSOR_AS_INFIX, renamed)
        .replace(ACCESSOR_AS_CALL, renamed)
        .replace(CONTEXT, blank)
        .replace(GUARD, blank)
        .replace(SUSPENDING_LAMBDA, renamed)
        .replace(SUSPENDING_FUNCTION, blank)
        .replace(PLAIN_DOLLARS, withoutDollars)
        .replace(LAST_COMMA, blank)
        .replace(WHERE_AS_NAME, "wherE")
        .replace(BODY_ON_ONE_LINE, "$1;}")
        .replace(SOFT_KEYWORD, renamed),
    // `List<T>?` and `a.b.List` extend `List`, and so does the companion object, whose members are used through the class.
    ownerPath: (owner) =>
      /(?:^|\.)(\w+)$/.exec(
        owner
          .replace(/^([^<]*)<.*>/s, "$1")
          .replace(/[?()]/g, "")
          .replace(/(?<=\w)\.Companion$/, ""),
      )?.[1] ?? null,
  },
};
