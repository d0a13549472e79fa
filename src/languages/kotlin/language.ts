/** Kotlin: its files, its words, and where its grammar comes from. */
import { JAVA, JVM_NAMES } from "../java/language.ts";
import type { Language } from "../language.ts";
import { words } from "../name-rules.ts";

export const KOTLIN = {
  endings: "kt kts",
  stackFrames: "java",
  roles: { test: String.raw`[^/]*Tests?\.kt` },
  highlighting: JAVA.highlighting,
  imports: "jvm",
  names: { ...JVM_NAMES, extensions: "imported", wrappers: words("suspend vararg noinline crossinline in out") },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
    load: async () => (await import("./syntax.ts")).KOTLIN_GRAMMAR,
    sample: { text: "class Greeter {\n  fun greet(): Int = 1\n}\n", finds: "Greeter" },
  },
} satisfies Language;
