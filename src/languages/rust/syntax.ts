/** Rust, where `pub` marks public definitions, `///` documents the next item and `//!` the enclosing one. */
import wasm from "../../../dist/grammars/tree-sitter-rust.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };
import { readRustUse } from "./use-declarations.ts";

export const RUST_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: "[(line_comment) (block_comment)] @comment" },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/(?:\/(?:\/(?!\/)|!)|\*(?:\*(?![*/])|!))/,
    fileComment: /^\/[/*]!/,
    // Removes the arguments of a type, but keeps those of a call.
    dots: /::(?!<)|::<[^<>]*>(?!\()/g,
    tries: true,
    // Variants and trait members are as visible as their container.
    isPrivate: (_, signature, around) =>
      around !== "enum" && around !== "interface" && !/^(?:pub\b(?!\s*\(\s*self)|macro_rules!)/.test(signature),
    ownerPath: (owner) => /[\p{L}_][\p{L}\p{N}_]*/u.exec(owner)?.[0] ?? null,
    readImport: readRustUse,
  },
};
