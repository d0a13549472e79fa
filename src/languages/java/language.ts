/** Java: its files, its words, and where its grammar comes from. */
import { TEXTUAL } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { holder, type NameRules, NOMINAL_NAMES, words } from "../name-rules.ts";

/** What streams give to functions, and what gives a stream of the same values again, or one of them that may be there. */
const TO_FUNCTIONS = `@allMatch @anyMatch @dropWhile @filter @flatMap @forEach @forEachOrdered @ifPresent @ifPresentOrElse @map @mapToDouble
  @mapToInt @mapToLong @mapToObj @noneMatch @peek @removeIf @takeWhile orElse orElseGet orElseThrow`;
const STREAMS = `distinct dropWhile filter findAny findFirst limit max min parallel parallelStream peek sequential skip sorted stream takeWhile
  unordered`;

export const JVM_NAMES: NameRules = { ...NOMINAL_NAMES, parts: "file", dottedPackages: true, itself: words("this") };

export const JAVA = {
  endings: "java",
  stackFrames: "java",
  roles: { test: String.raw`[^/]*Tests?\.java|[^/]*TestCase\.java|[^/]*IT\.java` },
  highlighting: {
    ...TEXTUAL,
    keywords: `abstract as assert boolean break byte by case catch char class companion const constructor continue
      data def default do double else enum exports extends extension false final finally float for forSome fun given
      goto if implements implicit import in init inner instanceof int interface internal is it lateinit lazy long
      match module native new null object open operator out override package permits private protected public record
      reified return sealed short static strictfp super suspend switch synchronized then this throw throws trait
      transient true try type typealias val var volatile vararg when while with yield`,
  },
  imports: "jvm",
  names: {
    ...JVM_NAMES,
    declares: "type name",
    holders: [
      holder(
        "Optional",
        "get orElse orElseGet orElseThrow @filter @flatMap @ifPresent @ifPresentOrElse @map",
        "filter or stream",
      ),
      holder("Stream", `get ${TO_FUNCTIONS}`, STREAMS),
      holder(
        "CompletableFuture CompletionStage Future",
        "get getNow join @thenAccept @thenAcceptAsync @thenApply @thenApplyAsync @thenCompose @thenComposeAsync",
        "exceptionally orTimeout toCompletableFuture whenComplete",
      ),
      holder("AtomicReference Provider Supplier ThreadLocal", "get"),
      holder(
        "ArrayList CopyOnWriteArrayList LinkedList List Vector",
        `get getFirst getLast next remove removeFirst removeLast set ${TO_FUNCTIONS}`,
        `iterator listIterator subList ${STREAMS}`,
      ),
      holder(
        `ArrayBlockingQueue ArrayDeque BlockingDeque BlockingQueue ConcurrentLinkedDeque ConcurrentLinkedQueue Deque
         LinkedBlockingDeque LinkedBlockingQueue PriorityBlockingQueue PriorityQueue Queue Stack`,
        `element getFirst getLast next peek peekFirst peekLast poll pollFirst pollLast pop remove removeFirst removeLast take
         ${TO_FUNCTIONS}`,
        `iterator ${STREAMS}`,
      ),
      holder(
        "Collection HashSet Iterable Iterator LinkedHashSet ListIterator NavigableSet Set SortedSet TreeSet",
        `first last next pollFirst pollLast previous get ${TO_FUNCTIONS}`,
        `iterator ${STREAMS}`,
      ),
      holder(
        `ConcurrentHashMap ConcurrentMap ConcurrentSkipListMap HashMap LinkedHashMap Map NavigableMap SortedMap TreeMap`,
        `compute computeIfAbsent computeIfPresent get getOrDefault merge put putIfAbsent remove replace next ${TO_FUNCTIONS}`,
        `values iterator ${STREAMS}`,
        "last",
      ),
      holder("Entry", "getKey"),
      holder("Entry", "getValue", "", "last"),
    ],
    wrappers: words(
      "public private protected static final abstract default synchronized native transient volatile strictfp sealed",
    ),
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm",
    load: async () => (await import("./syntax.ts")).JAVA_GRAMMAR,
    sample: { text: "class Greeter {\n  int greet() { return 1; }\n}\n", finds: "Greeter" },
  },
} satisfies Language;
