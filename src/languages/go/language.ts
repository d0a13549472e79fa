/** Go: its files, its words, and where its grammar comes from. */
import { string, TYPED } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES } from "../name-rules.ts";

export const GO = {
  endings: "go",
  fileNames: "go.mod go.work",
  stackFrames: "go",
  roles: { test: String.raw`[^/]*_tests?\.go` },
  highlighting: {
    ...TYPED,
    blocks: [...TYPED.blocks, string("`")],
    keywords: `any bool break byte case chan const continue default defer else error fallthrough false float32 float64
      for func go goto if import int int32 int64 interface iota map nil package range return rune select string struct
      switch true type uint uint32 uint64 var`,
  },
  stubs: [
    [/^func /, ""],
    [/^type .* (?:struct|interface)$/, " {}"],
  ],
  imports: "go",
  names: { ...NOMINAL_NAMES, declares: "name type" },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm",
    load: async () => (await import("./syntax.ts")).GO_GRAMMAR,
    sample: { text: "package greeting\n\nfunc Greet() int {\n\treturn 1\n}\n", finds: "Greet" },
  },
} satisfies Language;
