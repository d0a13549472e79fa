/** Dart, where an underscore makes a name private to its library. */
import wasm from "../../../dist/grammars/tree-sitter-dart.wasm.zst" with { type: "file" };
import comments from "../../../grammars/dart/comments.scm" with { type: "text" };
import symbols from "../../../grammars/dart/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const DART: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    // A variable of a file is one node, and the words before it are others.
    leadIn: /^(?:(?:external|late|final|const|var)[ \t]+)*(?:[\w$.]+(?:<[^\n;={}]*>)?\??[ \t]+)?$/m,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    isPrivate: (name) => name.startsWith("_"),
  },
};
