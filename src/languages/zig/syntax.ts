/** Zig, where `pub` marks public definitions, `///` documents the next item and `//!` the file. */
import wasm from "../../../dist/grammars/tree-sitter-zig.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import symbols from "./symbols.scm" with { type: "text" };

export const ZIG_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/\/(?:\/(?!\/)|!)/,
    fileComment: /^\/\/!/,
    // Fields are as visible as their container.
    isPrivate: (_, signature) =>
      /^(?:(?:inline|noinline|threadlocal|comptime|extern(?: "[^"]*")?) )*(?:fn|const|var|test)\b/.test(signature),
  },
};
