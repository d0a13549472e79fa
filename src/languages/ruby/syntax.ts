/** Ruby, where comments directly above a definition document it and `private` precedes the definitions that it hides. */
import wasm from "../../../dist/grammars/tree-sitter-ruby.wasm.zst" with { type: "file" };
import { blank } from "../../text/lines.ts";
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import { readRequiredPath } from "./required-path.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const RUBY_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    // private def f
    leadIn: /(?:\b(?:private|protected|public|private_class_method|public_class_method|module_function)[ \t(]+)+$/,
    docComment:
      /^(?:#(?!!|\s*(?:-\*-|:nodoc:|[a-z_]+: *(?:true|false|strict|strong|ignore)\b|(?:en)?coding[:=]|rubocop:))|=begin)/,
    dots: /::|&\./g,
    isPrivate: (_, signature) => signature.startsWith("private_class_method "),
    mend: withoutMarkup,
    readImport: readRequiredPath,
    ownerPath: (owner) => (/^\.?[\w.]+$/.test(owner) ? owner.replace(/^\./, "") : null),
  },
};

/** A line that begins a definition. Of a template that makes a program, the first such line has a tag in it. */
const PROGRAM = /^[ \t]*(?:class [A-Z][\w:]*(?: < [A-Z][\w:]*)?|def [\w.]+[?!=]?(?:\([^()\n]*\))?)[ \t\r]*\n/m;

/** The Ruby code of a template (`<p><%= name %></p>`): white space replaces everything outside of `<%` and `%>`. */
function withoutMarkup(text: string): string {
  const first = text.indexOf("<%");
  // A program can have a template in a string.
  if (first < 0 || PROGRAM.test(text.slice(0, first))) return text;
  let ruby = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<%", at);
    const close = open < 0 ? -1 : text.indexOf("%>", open + 2);
    if (close < 0) return ruby + blank(text.slice(at));
    const sign = /^<%[-=|#%]*/.exec(text.slice(open, Math.min(open + 8, close)))?.[0] ?? "<%";
    const code = text.slice(open + sign.length, close).replace(/-$/, " ");
    ruby += blank(text.slice(at, open + sign.length)) + (/[#%]/.test(sign.slice(2)) ? blank(code) : code);
    ruby += "; ";
    at = close + 2;
  }
}
