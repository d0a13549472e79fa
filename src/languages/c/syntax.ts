/** C, as it is before the preprocessor; headers are C++ when their text is. */
import wasm from "../../../dist/grammars/tree-sitter-c.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import comments from "./comments.scm" with { type: "text" };
import imports from "./imports.scm" with { type: "text" };
import { withoutMacros } from "./macros.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const C_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments },
  style: {
    ...PLAIN_STYLE,
    // Doxygen's: `/** */`, `/*! */`, `///`, `//!`; `/***` is a frame, `/**<` speaks of what stands before it.
    docComment: /^\/(?:\*[*!](?![*/<])|\/[/!](?![/<]))/,
    leadIn: /\btypedef[ \t]+$/,
    dots: /->/g,
    clean: withoutMacros,
    // What a header defines is static so that it can be in many files.
    isPrivate: (_, signature, around) =>
      (around === null || around === "namespace") &&
      /^(?:\w+ )*static\b/.test(signature) &&
      !/\binline\b/i.test(signature),
  },
  dialect: (text) => (isCpp(text) ? "cpp" : null),
};

/** Lines that C has no use for. Comments with a star down their side do not look like them. */
const CPP_LINES =
  /^[ \t]*(?:template[ \t]*<|namespace\b[\w: \t]*(?:\{|\r?$)|(?:public|private|protected)[ \t]*:(?!:)|class[ \t]+\w[\w \t]*(?:[;{]|:(?!:)|\r?$)|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[;=]|#[ \t]*include[ \t]*<[a-z_]+>|(?:static[ \t]+|inline[ \t]+|const[ \t]+)*std::\w)/m;

/** Whether a text is C++. `extern "C"` is no sign of it. */
const isCpp = (text: string): boolean => CPP_LINES.test(text);
