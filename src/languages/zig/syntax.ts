/** Zig, where `pub` marks public definitions, `///` documents the next item and `//!` the file. */
import wasm from "../../../dist/grammars/tree-sitter-zig.wasm.zst" with { type: "file" };
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import { readImportClauses } from "./import-clauses.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const ZIG_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^\/\/(?:\/(?!\/)|!)/,
    fileComment: /^\/\/!/,
    // a.?.b, a.*.b
    dots: /(?:\.[?*])+$|(?:\.[?*])*\./g,
    readImport: readImportClauses,
    // Fields are as visible as their container.
    isPrivate: (_, signature) =>
      /^(?:(?:inline|noinline|threadlocal|comptime|extern(?: "[^"]*")?) )*(?:fn|const|var|test)\b/.test(signature),
  },
};
