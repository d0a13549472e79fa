/** C++: its files, its words, and where its grammar comes from. */
import { C } from "../c/language.ts";
import type { Language } from "../language.ts";

export const CPP = {
  endings: "cc cpp cxx hh hpp hxx cu cuh",
  rareEndings: "c++ h++ inl ipp tpp",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_tests?\.(cc|cpp)` },
  highlighting: C.highlighting,
  imports: "c",
  names: C.names,
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm",
    load: async () => (await import("./syntax.ts")).CPP_GRAMMAR,
    sample: { text: "class Greeter {\n public:\n  int greet() { return 1; }\n};\n", finds: "Greeter" },
  },
} satisfies Language;
