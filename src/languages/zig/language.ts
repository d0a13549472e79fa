/** Zig: its files, its words, and where its grammar comes from. */
import { TYPED } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const ZIG = {
  endings: "zig",
  rareEndings: "zon",
  stackFrames: "other",
  highlighting: {
    ...TYPED,
    keywords: `align and anyerror anytype asm async await bool break catch comptime const continue defer else enum
      errdefer error export extern false fn for if inline noalias null opaque or orelse packed pub return struct
      suspend switch test threadlocal true try type undefined union unreachable usingnamespace usize u8 u16 u32 u64
      i32 i64 var void volatile while`,
  },
  imports: "zig",
  names: { ...NOMINAL_NAMES, wrappers: words("allowzero anyerror anytype comptime const noalias type volatile") },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm",
    load: async () => (await import("./syntax.ts")).ZIG_GRAMMAR,
    sample: { text: "pub fn greet() u8 {\n    return 1;\n}\n", finds: "greet" },
  },
} satisfies Language;
