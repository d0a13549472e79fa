/** Go, where a capital says what is public and any comment directly above a definition documents it. */
import wasm from "../../../dist/grammars/tree-sitter-go.wasm.zst" with { type: "file" };
import comments from "../../../grammars/go/comments.scm" with { type: "text" };
import imports from "../../../grammars/go/imports.scm" with { type: "text" };
import references from "../../../grammars/go/references.scm" with { type: "text" };
import symbols from "../../../grammars/go/symbols.scm" with { type: "text" };
import { goPackageName } from "../../text/go-package-name.ts";
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const GO: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    // The keyword of a declaration that is not a group, which stands before what is declared.
    leadIn: /\b(?:type|const|var)[ \t]+$/,
    // Directives (`//go:build`, `// +build`, `//nolint`) are for tools.
    docComment: /^\/(?:\*|\/(?!\/|[a-z]+:\S|nolint|export |line |\s*\+build))/,
    isPrivate: (name) => !/^\p{Lu}/u.test(name),
    aliasOf: goPackageName,
  },
};
