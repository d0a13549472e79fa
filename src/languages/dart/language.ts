/** Dart: its files, its words, and where its grammar comes from. */
import { BRACES } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const DART = {
  endings: "dart",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_test\.dart` },
  highlighting: {
    ...BRACES,
    keywords: `abstract as assert async await base break case catch class const continue covariant default deferred do
      dynamic else enum export extends extension external factory false final finally for get hide if implements
      import in interface is late library mixin new null of on operator part required rethrow return sealed set show
      static super switch sync this throw true try typedef var void when while with yield`,
  },
  imports: "dart",
  names: {
    ...NOMINAL_NAMES,
    declares: "type name",
    wrappers: words("abstract async covariant const external factory final Future FutureOr late required static"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm",
    load: async () => (await import("./syntax.ts")).DART_GRAMMAR,
    sample: { text: "class Greeter {\n  int greet() => 1;\n}\n", finds: "Greeter" },
  },
} satisfies Language;
