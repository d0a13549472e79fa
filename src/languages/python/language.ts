/** Python: its files, its words, and where its grammar comes from. */
import { TRIPLE } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { PLAIN_NAMES, words } from "../name-rules.ts";

export const PYTHON = {
  endings: "py pyi pyx pxd",
  rareEndings: "pxi pyw bzl star",
  fileNames: "sconstruct sconscript wscript buck",
  stackFrames: "python",
  roles: {
    test: String.raw`test_[^/]*\.pyx?|[^/]*_tests?\.py|conftest\.py|tests?\.py`,
    example: String.raw`[^/]*_bench\.py`,
    declaration: String.raw`[^/]*\.pyi`,
    config: String.raw`setup\.py|conf\.py|versioneer\.py`,
  },
  hasDocstrings: true,
  stubs: [
    [/^(?:(?:async )?def|class) /, ": ..."],
    [/^[\w.]+(?:: [^=]+)? = /, ""],
  ],
  highlighting: {
    ...TRIPLE,
    keywords: `and as assert async await break case class continue def del elif else except False finally for from
      global if import in is lambda match None nonlocal not or pass raise return self True try type while with yield`,
  },
  imports: "python",
  names: { ...PLAIN_NAMES, bodyScope: true, itself: words("__class__") },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
    load: async () => (await import("./syntax.ts")).PYTHON_GRAMMAR,
    sample: { text: "class Greeter:\n    def greet(self):\n        return 1\n", finds: "Greeter" },
  },
} satisfies Language;
