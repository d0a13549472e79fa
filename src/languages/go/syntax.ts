/** Go, where capitals mark public names and any comment directly above a definition documents it. */
import wasm from "../../../dist/grammars/tree-sitter-go.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import { goPackageName } from "./package-name.ts";
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const GO_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    // The keyword of an ungrouped declaration precedes the node of the definition.
    leadIn: /\b(?:type|const|var)[ \t]+$/,
    // Directives (`//go:build`, `// +build`, `//nolint`) are for tools.
    docComment: /^\/(?:\*|\/(?!\/|[a-z]+:\S|nolint|export |line |\s*\+build))/,
    isPrivate: (name) => !/^\p{Lu}/u.test(name),
    aliasOf: goPackageName,
  },
};
