/** Zig, where `pub` says what is public, `///` documents what follows and `//!` the file. */
import wasm from "../../../dist/grammars/tree-sitter-zig.wasm.zst" with { type: "file" };
import comments from "../../../grammars/zig/comments.scm" with { type: "text" };
import symbols from "../../../grammars/zig/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const ZIG: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/\/(?:\/(?!\/)|!)/,
    fileComment: /^\/\/!/,
    // Fields are as visible as what they stand in.
    isPrivate: (_, signature) =>
      /^(?:(?:inline|noinline|threadlocal|comptime|extern(?: "[^"]*")?) )*(?:fn|const|var|test)\b/.test(signature),
  },
};
