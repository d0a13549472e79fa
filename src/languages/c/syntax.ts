/** C, as it is before the preprocessor; headers are C++ when their text is. */
import wasm from "../../../dist/grammars/tree-sitter-c.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import { withoutMacros } from "./macros.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const C_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    // Doxygen: `/** */`, `/*! */`, `///`, `//!`; `/***` is decoration, and `/**<` documents what precedes it.
    docComment: /^\/(?:\*[*!](?![*/<])|\/[/!](?![/<]))/,
    leadIn: /\btypedef[ \t]+$/,
    dots: /->/g,
    clean: withoutMacros,
    // A header's definitions are static so that several files can include it.
    isPrivate: (_, signature, around) =>
      (around === null || around === "namespace") &&
      /^(?:\w+ )*static\b/.test(signature) &&
      !/\binline\b/i.test(signature),
  },
  dialect: (text) => (isCpp(text) ? "cpp" : null),
};

/** Lines that are not C. Comments with stars at their left edge do not match. */
const CPP_LINES =
  /^[ \t]*(?:template[ \t]*<|namespace\b[\w: \t]*(?:\{|\r?$)|(?:public|private|protected)[ \t]*:(?!:)|class[ \t]+\w[\w \t]*(?:[;{]|:(?!:)|\r?$)|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[;=]|#[ \t]*include[ \t]*<[a-z_]+>|(?:static[ \t]+|inline[ \t]+|const[ \t]+)*std::\w)/m;

/** Whether a text is C++. `extern "C"` does not count. */
const isCpp = (text: string): boolean => CPP_LINES.test(text);
