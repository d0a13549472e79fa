/** Scala: its files, its words, and where its grammar comes from. */
import { JAVA, JVM_NAMES } from "../java/language.ts";
import type { Language } from "../language.ts";
import { words } from "../name-rules.ts";

export const SCALA = {
  endings: "scala",
  rareEndings: "sc sbt",
  stackFrames: "java",
  highlighting: JAVA.highlighting,
  imports: "jvm",
  names: { ...JVM_NAMES, root: "_root_", wrappers: words("implicit using") },
  parsing: {
    kind: "grammar",
    wasm: "tree-sitter-scala/tree-sitter-scala.wasm",
    load: async () => (await import("./syntax.ts")).SCALA_GRAMMAR,
    sample: { text: "class Greeter {\n  def greet: Int = 1\n}\n", finds: "Greeter" },
  },
} satisfies Language;
