/** Swift: its files, its words, and where its grammar comes from. */
import { TEXTUAL } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const SWIFT = {
  endings: "swift",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*Tests?\.swift` },
  highlighting: {
    ...TEXTUAL,
    keywords: `actor any as associatedtype async await break case catch class continue convenience default defer
      deinit do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in
      indirect infix init inout internal is lazy let mutating nil nonisolated nonmutating open operator optional
      override postfix precedencegroup prefix private protocol public repeat required rethrows return self Self set
      some static struct subscript super switch throw throws true try typealias unowned var weak where while`,
  },
  imports: "swift",
  names: {
    ...NOMINAL_NAMES,
    parts: "package",
    wrappers: words("inout some any borrowing consuming escaping autoclosure Optional weak unowned"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm",
    load: async () => (await import("./syntax.ts")).SWIFT_GRAMMAR,
    sample: { text: "class Greeter {\n  func greet() -> Int { return 1 }\n}\n", finds: "Greeter" },
  },
} satisfies Language;
