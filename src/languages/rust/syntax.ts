/** Rust, where `pub` says what is public, `///` documents what follows and `//!` what it stands in. */
import wasm from "../../../dist/grammars/tree-sitter-rust.wasm.zst" with { type: "file" };
import comments from "../../../grammars/rust/comments.scm" with { type: "text" };
import imports from "../../../grammars/rust/imports.scm" with { type: "text" };
import references from "../../../grammars/rust/references.scm" with { type: "text" };
import symbols from "../../../grammars/rust/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { readRustUse } from "./rust-use.ts";
import { PLAIN_STYLE } from "./style.ts";

export const RUST: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [imports], references: [references], comments: [comments] },
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
