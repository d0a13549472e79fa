/** Lua: its files, its words, and where its grammar comes from. */
import { comment, DASHED, string } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { PLAIN_NAMES } from "../name-rules.ts";

export const LUA = {
  endings: "lua",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_(?:spec|test)\.lua` },
  highlighting: {
    ...DASHED,
    blocks: [comment("--[[", "]]"), string("[[", "]]")],
    keywords: `and break do else elseif end false for function goto if in local nil not or repeat return self then
      true until while`,
  },
  imports: "lua",
  names: { ...PLAIN_NAMES, moduleValues: true, sharesFunctions: false },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
    load: async () => (await import("./syntax.ts")).LUA_GRAMMAR,
    sample: { text: "function greet()\n  return 1\nend\n", finds: "greet" },
  },
} satisfies Language;
