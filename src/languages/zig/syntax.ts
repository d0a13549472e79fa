/** Zig, where `pub` marks public definitions, `///` documents the next item and `//!` the file. */
import wasm from "../../../dist/grammars/tree-sitter-zig.wasm.zst" with { type: "file" };
import { type Grammar, PLAIN_STYLE } from "../syntax.ts";
import comments from "./comments.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const ZIG_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, comments },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/\/(?:\/(?!\/)|!)/,
    fileComment: /^\/\/!/,
    // Fields are as visible as their container.
    isPrivate: (_, signature) =>
      /^(?:(?:inline|noinline|threadlocal|comptime|extern(?: "[^"]*")?) )*(?:fn|const|var|test)\b/.test(signature),
  },
};
