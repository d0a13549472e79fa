/** Kotlin: its files, its words, and where its grammar comes from. */
import { JAVA, JVM_NAMES } from "../java/language.ts";
import type { Language } from "../language.ts";
import { holder, words } from "../name-rules.ts";

/** What collections give to functions, and what gives one of their values. */
const OF_COLLECTIONS = `@all @any @associateBy @associateWith @count @distinctBy @dropWhile @filter @filterNot @find @first @firstOrNull @flatMap
  @forEach @groupBy @indexOfFirst @joinToString @last @lastOrNull @map @mapNotNull @maxByOrNull @maxOf @minByOrNull @minOf @none @onEach
  @partition @removeAll @removeIf @retainAll @single @singleOrNull @sortedBy @sortedByDescending @sumOf @takeWhile
  elementAt find first firstOrNull get getOrNull last lastOrNull maxByOrNull minByOrNull next random removeAt removeFirst removeLast
  single singleOrNull`;
const COLLECTIONS = `asIterable asReversed asSequence distinct distinctBy drop dropLast dropWhile filter filterNot filterNotNull iterator onEach
  reversed shuffled sorted sortedBy sortedByDescending sortedWith subList take takeLast takeWhile toList toMutableList toMutableSet toSet`;

export const KOTLIN = {
  endings: "kt kts",
  stackFrames: "java",
  roles: { test: String.raw`[^/]*Tests?\.kt` },
  highlighting: JAVA.highlighting,
  imports: "jvm",
  names: {
    ...JVM_NAMES,
    extensions: "imported",
    copies: words("also apply takeIf takeUnless @also @let @takeIf @takeUnless"),
    holders: [
      holder(
        `ArrayDeque ArrayList Collection HashSet Iterable Iterator LinkedHashSet List MutableCollection MutableIterable MutableIterator
         MutableList MutableSet Sequence Set`,
        OF_COLLECTIONS,
        COLLECTIONS,
      ),
      holder(
        "ConcurrentHashMap ConcurrentMap HashMap LinkedHashMap Map MutableMap",
        "computeIfAbsent get getOrPut getValue put remove",
        "",
        "last",
      ),
    ],
    wrappers: words("suspend vararg noinline crossinline in out"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
    load: async () => (await import("./syntax.ts")).KOTLIN_GRAMMAR,
    sample: { text: "class Greeter {\n  fun greet(): Int = 1\n}\n", finds: "Greeter" },
  },
} satisfies Language;
