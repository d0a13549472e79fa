/** Scala: its files, its words, and where its grammar comes from. */
import { JAVA, JVM_NAMES } from "../java/language.ts";
import type { Language } from "../language.ts";
import { holder, words } from "../name-rules.ts";

export const SCALA = {
  endings: "scala",
  rareEndings: "sc sbt",
  stackFrames: "java",
  highlighting: JAVA.highlighting,
  imports: "jvm",
  names: {
    ...JVM_NAMES,
    root: "_root_",
    holders: [
      holder(
        "Array IndexedSeq Iterable Iterator LazyList List NonEmptyList Option Seq Set Some Vector",
        `@collectFirst @count @dropWhile @exists @filter @filterNot @find @flatMap @foldMap @forall @foreach @groupBy @map @partition @sortBy
         @takeWhile @traverse get getOrElse head last next`,
        `distinct drop dropWhile filter filterNot find headOption init iterator lastOption orElse reverse sortBy sorted tail take takeWhile
         toList toSeq toSet toVector`,
      ),
    ],
    wrappers: words("implicit using"),
  },
  parsing: {
    kind: "grammar",
    wasm: "tree-sitter-scala/tree-sitter-scala.wasm",
    load: async () => (await import("./syntax.ts")).SCALA_GRAMMAR,
    sample: { text: "class Greeter {\n  def greet: Int = 1\n}\n", finds: "Greeter" },
  },
} satisfies Language;
