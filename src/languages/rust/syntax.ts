/** Rust, where `pub` says what is public, `///` documents what follows and `//!` what it stands in. */
import wasm from "../../../dist/grammars/tree-sitter-rust.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import comments from "./comments.scm" with { type: "text" };
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };
import { readRustUse } from "./use-declarations.ts";

export const RUST_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/(?:\/(?:\/(?!\/)|!)|\*(?:\*(?![*/])|!))/,
    fileComment: /^\/[/*]!/,
    // The arguments of a type go, those of a call stay with it.
    dots: /::(?!<)|::<[^<>]*>(?!\()/g,
    // Variants and the members of a trait are as visible as what they stand in.
    isPrivate: (_, signature, around) =>
      around !== "enum" && around !== "interface" && !/^(?:pub\b(?!\s*\(\s*self)|macro_rules!)/.test(signature),
    ownerPath: (owner) => /[\p{L}_][\p{L}\p{N}_]*/u.exec(owner)?.[0] ?? null,
    readImport: readRustUse,
  },
};
