/** C: its files, its words, and where its grammar comes from. */
import { BRACES } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const C = {
  endings: "c h",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_tests?\.c|tests?\.c` },
  highlighting: {
    ...BRACES,
    keywords: `alignas alignof auto bool break case catch char class concept const consteval constexpr const_cast
      continue decltype default define delete do double dynamic_cast elif else endif enum explicit export extern false
      final float for friend goto if ifdef ifndef include inline int long mutable namespace new noexcept nullptr NULL
      operator override pragma private protected public register reinterpret_cast requires return short signed sizeof
      static static_assert static_cast struct switch template this throw true try typedef typeid typename undef union
      unsigned using virtual void volatile while`,
  },
  imports: "c",
  names: {
    ...NOMINAL_NAMES,
    declares: "type name",
    parts: "included",
    wrappers: words(
      `const constexpr consteval constinit volatile struct class enum union typename static inline extern virtual register
       unsigned signed mutable explicit friend restrict auto std boost shared_ptr unique_ptr weak_ptr optional
       reference_wrapper atomic ref intrusive_ptr scoped_ptr not_null`,
    ),
  },
  parsing: {
    kind: "grammar",
    wasm: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
    load: async () => (await import("./syntax.ts")).C_GRAMMAR,
    sample: { text: "int greet(int times) {\n  return times;\n}\n", finds: "greet" },
  },
} satisfies Language;
