/** PHP: its files, its words, and where its grammar comes from. */
import { BRACES, SLASHES } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const PHP = {
  endings: "php",
  rareEndings: "phtml php3 php4 php5",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*Tests?\.php|[^/]*TestCase\.php` },
  highlighting: {
    ...BRACES,
    comments: [SLASHES, "#(?!\\[).*"],
    keywords: `abstract and array as break callable case catch class clone const continue declare default do echo else
      elseif empty enum extends false final finally fn for foreach function global goto if implements include
      include_once instanceof insteadof interface isset list match namespace new null or print private protected
      public readonly require require_once return self static switch this throw trait true try unset use var while xor
      yield`,
  },
  imports: "php",
  names: {
    ...NOMINAL_NAMES,
    declares: "type name",
    outerPackages: "root",
    dottedPackages: true,
    mixins: true,
    hidesMembers: true,
    wrappers: words("public private protected static readonly final var abstract const null false"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm",
    load: async () => (await import("./syntax.ts")).PHP_GRAMMAR,
    sample: { text: "<?php\nclass Greeter {\n  function greet() { return 1; }\n}\n", finds: "Greeter" },
  },
} satisfies Language;
