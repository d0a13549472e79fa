/** What is found in Kotlin that its grammar does not know or takes for something else. */
import { expect, test } from "bun:test";
import { factsOf, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("kotlin");

test("what is newer than the grammar takes no definitions with it", async () => {
  const last = "\nclass Last {\n    fun z() {}\n}\n";
  const named = async (text: string): Promise<readonly string[]> =>
    (await factsOf("kotlin", `class First {\n    fun m() {}\n}\n\n${text}${last}`)).symbols.map(
      ({ qualifiedName }) => qualifiedName,
    );
  const around = (...inner: readonly string[]): readonly string[] => ["First", "First.m", ...inner, "Last", "Last.z"];
  expect(
    await named('fun describe(x: Any) = when (x) {\n    is Int if x > 1 -> "big"\n    else -> "other"\n}\n'),
  ).toEqual(around("describe"));
  expect(await named("context(log: Logger)\nfun save(user: String) {\n    log.info(user)\n}\n")).toEqual(
    around("save"),
  );
  expect(await named("fun <\n    A : Any,\n    B : Any,\n> pair(a: A, b: B): Int = 1\n")).toEqual(around("pair"));
  expect(await named("fun find(p: Op) {\n    where = p\n    where?.let { add(it) }\n}\n")).toEqual(around("find"));
  expect(await named("class A { fun m() {} }\nclass B { fun m() {} }\n")).toEqual(around("A", "A.m", "B", "B.m"));
  expect(
    await named(
      'class Screen {\n    companion object { const val TAG = "x" }\n}\n\nsealed interface Event { val id: Int }\n',
    ),
  ).toEqual(around("Screen", "Screen.TAG", "Event", "Event.id"));
});

finds(
  "no label is an annotation, and what the grammar does not know hides nothing",
  symbolLines,
  `
class Screen {
    fun find(items: List<Item>) = items.mapNotNull {
        val name = it.name ?: return@mapNotNull null
        val size = it.size
        if (size == 0) return@mapNotNull false

        val last = name
    }
    fun check(e: Shape) = when (e) {
        is Square if (
            e.side > 1 && e.isKnown()
            ) -> 1
        else -> 2
    }
    fun later() = start(suspend { 1 })
    fun nested() {
        var isDone = false
        suspend fun inner() { isDone = true }
    }
    fun key() = insert {
        it[name] = 1
    } get (Users.id)
    @Value($$"\${app.name:}#{T(java.util.List).of()}")
    lateinit var names: String
    val schema = $$"""{ "$schema": "\${x", "id": $$id }"""
    var config: () -> Unit = {}
        @Deprecated(
            "no",
            replaceWith = ReplaceWith("this.configure(value)"),
        ) // why
        set
}
value class Result<out T>
@PublishedApi internal constructor(@PublishedApi internal val holder: Any?) {
    fun last() {}
}
`,
  `
+class Screen 1-32 class Screen
+method Screen.find 2-8 fun find(items: List<Item>)
+method Screen.check 9-14 fun check(e: Shape)
+method Screen.later 15-15 fun later()
+method Screen.nested 16-19 fun nested()
-function Screen.nested.inner 18-18 suspend fun inner()
+method Screen.key 20-22 fun key()
+property Screen.names 23-24@24 lateinit var names: String
+property Screen.schema 25-25 val schema = $$"""{ "$schema": "\${x", "id": $$id }"""
+property Screen.config 26-31 var config: () -> Unit = {} @Deprecated("no", replaceWith = ReplaceWith("this.configure(value)"))
+class Result 33-36 value class Result<out T> @PublishedApi internal constructor(@PublishedApi internal val holder: Any?)
+property Result.holder 34-34 internal val holder: Any?
+method Result.last 35-35 fun last()
`,
);

finds(
  "an annotated enum with one entry",
  symbolLines,
  `
@Serializable enum class One { ONLY }
@Serializable
enum class Two {
    @SerialName("x")
    ONLY
}
enum class Three { ONLY }
`,
  `
+enum One 1-1 enum class One
+property One.ONLY 1-1 ONLY
+enum Two 2-6@3 enum class Two
+property Two.ONLY 4-5@5 ONLY
+enum Three 7-7 enum class Three
+property Three.ONLY 7-7 ONLY
`,
);
