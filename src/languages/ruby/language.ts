/** Ruby: its files, its words, and where its grammar comes from. */
import { HASHED } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const RUBY = {
  endings: "rb erb",
  rareEndings: "rake gemspec ru",
  fileNames: "gemfile rakefile vagrantfile podfile fastfile guardfile brewfile capfile",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_tests?\.rb|tests?\.rb|[^/]*_spec\.rb` },
  highlighting: {
    ...HASHED,
    keywords: `alias and begin BEGIN break case class def defined do else elsif end END ensure extend false for if in
      include module next nil not or private protected public raise redo rescue retry return self super then true
      undef unless until when while yield`,
  },
  imports: "ruby",
  names: {
    ...NOMINAL_NAMES,
    parts: "package",
    sharesFunctions: false,
    classHeader: "base",
    hooks: words("included extended prepended inherited"),
    mixins: true,
    hidesMembers: true,
    maker: "new",
    itself: words("class"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm",
    load: async () => (await import("./syntax.ts")).RUBY_GRAMMAR,
    sample: { text: "class Greeter\n  def greet\n    1\n  end\nend\n", finds: "Greeter" },
  },
} satisfies Language;
