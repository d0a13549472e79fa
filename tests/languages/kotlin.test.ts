/** What is found in Kotlin: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { expectFindings, findingsIn } from "./findings.ts";

const finds = findingsIn("kotlin");

finds(
  "definitions of every kind",
  symbolLines,
  `
package a.b.c

/** Doc */
@Ann(1)
public data class P<T : Any>(val x: Int, private var y: Foo = Foo(), z: String) : Base<T>(x), I, J by z where T : Q {
  companion object : Fac<P> {
    const val K = 1
    fun make(): P = P(1)
  }
  init {
    val loc = 1
    run()
  }
  constructor(a: Int) : this(a, Foo()) { }
  override val size: Int get() = field
  var q by lazy { Foo() }
  lateinit var w: Foo
  private suspend inline fun <reified T> run(a: Foo, vararg b: Bar): Baz? {
    fun local() {}
    class Loc
    val v = 1
    return a.b().c?.d()!!.e()
  }
  fun Foo.member() = 1
  inner class In(x: Int)
  object Ob {
    fun x() {}
  }
  enum class E(val i: Int) : I {
    RED(1),
    @Dep GREEN(2) {
      override fun f() {}
    };
    abstract fun f()
  }
  operator fun plus(o: P) = P(x + o.x)
}
fun Foo.ext(x: Int) = x
fun <T> List<T>.ext2(): T where T : Any = first()
val Foo.prop: Int get() = 1
val a.b.Foo?.prop2 get() = 1
var top = 1
const val TOP = "x"
val (d1, d2) = pair
typealias Al<T> = Map<String, T>
interface I<T> : J, K.L {
  fun m()
  val p: Int
  companion object {
    fun s() {}
  }
}
fun interface Fi { fun invoke() }
sealed interface S
sealed class Se {
  data object A : Se()
  class B private constructor(val x: Int) : Se()
}
annotation class An(val x: Int)
value class V(val s: String)
object Single : Base(), I {
  val x = object : J {
    val hidden = 1
    fun go() {}
  }
}
expect class Ex {
  fun f()
}
private fun inte() {}
@Retention(X)
@Target(Y)
annotation class Bare

@One
@Two(1)
class Empty

class Last
`,
  `
+class P 3/4-37@5 public data class P<T : Any>(val x: Int, private var y: Foo = Foo(), z: String) : Base<T>(x), I, J by z where T : Q «jsdoc: Doc»
+property P.x 5-5 val x: Int
-property P.y 5-5 private var y: Foo = Foo()
+property P.K 7-7 const val K = 1
+method P.make 8-8 fun make(): P
+method P.constructor 14-14 constructor(a: Int) : this(a, Foo())
+property P.size 15-15 override val size: Int
+property P.q 16-16 var q by lazy { Foo() }
+property P.w 17-17 lateinit var w: Foo
-method P.run 18-23 private suspend inline fun <reified T> run(a: Foo, vararg b: Bar): Baz?
-function P.run.local 19-19 fun local()
-class P.run.Loc 20-20 class Loc
+method P.Foo.member 24-24 fun Foo.member()
+class P.In 25-25 inner class In(x: Int)
+class P.Ob 26-28 object Ob
+method P.Ob.x 27-27 fun x()
+enum P.E 29-35 enum class E(val i: Int) : I
+property P.E.i 29-29 val i: Int
+property P.E.RED 30-30 RED(1)
+property P.E.GREEN 31-33 GREEN(2)
+method P.E.GREEN.f 32-32 override fun f()
+method P.E.f 34-34 abstract fun f()
+method P.plus 36-36 operator fun plus(o: P)
+function Foo.ext 38-38 fun Foo.ext(x: Int)
+function List.ext2 39-39 fun <T> List<T>.ext2(): T where T : Any
+variable Foo.prop 40-40 val Foo.prop: Int
+variable Foo.prop2 41-41 val a.b.Foo?.prop2
+variable top 42-42 var top = 1
+variable TOP 43-43 const val TOP = "x"
+variable d1 44-44 val (d1, d2) = pair
+variable d2 44-44 val (d1, d2) = pair
+type_alias Al 45-45 typealias Al<T> = Map<String, T>
+interface I 46-52 interface I<T> : J, K.L
+method I.m 47-47 fun m()
+property I.p 48-48 val p: Int
+method I.s 50-50 fun s()
+interface Fi 53-53 fun interface Fi
+method Fi.invoke 53-53 fun invoke()
+interface S 54-54 sealed interface S
+class Se 55-58 sealed class Se
+class Se.A 56-56 data object A : Se()
-class Se.B 57-57 class B private constructor(val x: Int) : Se()
-property Se.B.x 57-57 val x: Int
+class An 59-59 annotation class An(val x: Int)
+property An.x 59-59 val x: Int
+class V 60-60 value class V(val s: String)
+property V.s 60-60 val s: String
+class Single 61-66 object Single : Base(), I
+property Single.x 62-65 val x = object : J { val hidden = 1 fun go() {} }
+method Single.x.go 64-64 fun go()
+class Ex 67-69 expect class Ex
+method Ex.f 68-68 fun f()
-function inte 70-70 private fun inte()
+class Bare 71-73@73 annotation class Bare
+class Empty 75-77@77 class Empty
+class Last 79-79 class Last
`,
);

finds(
  "imports in every form",
  importLines,
  `
@file:JvmName("Foo")
package a.b.c

import a.b.C
import a.b.C as D
import a.b.*
import a.b.Outer.Companion.run
import top
`,
  `
4 import a.b.C C
5 import a.b.C C>D
6 import a.b *
7 import a.b.Outer.Companion.run run
8 import top top
`,
);

finds(
  "uses of names",
  referenceLines,
  `
@pkg.Foo @Bar(1)
class A<T : Bound>(val x: Made = Made()) : Base<T>(x), I, J<K> by y, Outer.In() {
  fun <U> m(a: Foo, vararg b: List<Bar>): Baz? where U : Q {
    a.b().c?.d()!!.e()
    this.foo()
    super.foo()
    this@A.foo()
    top(1) { it.inner() }
    if (x is Shape) x as Cast
    val o = object : Anon() {}
    val r = listOf(Foo::class, Foo::bar, ::baz)
    a to b
    Color.RED
    a.b.Full(Type<Arg>())
    val f: (One, Two) -> Three = g
    return "\${call(x)} $y"
  }
}
interface L<T> : M, N<O>
typealias Al = Map<String, Outer.Inner>
`,
  `
decorate Foo in A
decorate Bar in A
type Bound in A
type Made in A.x
call Made in A.x
inherit Base in A
type T in A
implement I in A
implement J in A
type K in A
type Outer in A
inherit Outer . In in A
type Foo in A.m
type List in A.m
type Bar in A.m
type Baz in A.m
type Q in A.m
call a . b in A.m
call a.b().c . d in A.m
call a.b().c.d() . e in A.m
call this . foo in A.m
call super . foo in A.m
call this@A . foo in A.m
call top in A.m
call it . inner in A.m
type Shape in A.m
type Cast in A.m
inherit Anon in A.m
call listOf in A.m
call Foo . bar in A.m
call baz in A.m
call to in A.m
type Color in A.m
call a.b . Full in A.m
call Type in A.m
type Arg in A.m
type One in A.m
type Two in A.m
type Three in A.m
call call in A.m
inherit M in L
inherit N in L
type O in L
type Map in Al
type String in Al
type Outer in Al
type Outer . Inner in Al
`,
);

finds(
  "names that are keywords in other places, and constructors on their own lines",
  symbolLines,
  `
actual class Bytes
internal actual constructor(
  val data: Int,
) : Base {
  fun close() {
    if (closed) {
      final = true
      open = isOpen
    }
    by.write()
    in2.close()
  }
  fun after() = 1
}

class Adapter
  @RequiresApi(37)
  internal constructor() : Socket {
  fun last() {}
}
`,
  `
+class Bytes 1-14 actual class Bytes internal actual constructor(val data: Int) : Base
+property Bytes.data 3-3 val data: Int
+method Bytes.close 5-12 fun close()
+method Bytes.after 13-13 fun after()
+class Adapter 16-20 class Adapter @RequiresApi(37) internal constructor() : Socket
+method Adapter.last 19-19 fun last()
`,
);

finds(
  "definitions behind annotations, with and without modifiers",
  symbolLines,
  `
@Preview
@Composable
private fun Shown(x: Int) {
  Screen(x)
}

@Serializable
data object Home {
  fun path() = "/"
}

@Module
@InstallIn(SingletonComponent::class, of = listOf(a(b("c")), 2))
internal interface Wiring {
  @Binds
  fun bind(it: Impl): Api
  val kept: Int
}

@RunWith(Runner::class) @Large
class HomeTest {
  private val rule by lazy { 1 }
  val size: Int get() = 1
  @Test
  fun opens() {
    val local = 1
  }
  class Inner {
    fun f() = 1
  }
}

@Suppress("x")
const val LIMIT = 1
@JvmName("f")
actual operator fun Home.plus(other: Home) = this
@Serializable
internal enum class Size { S, M }
@Target(FIELD)
@Retention
internal annotation class Marker

@Inherited
external object Bare
`,
  `
-function Shown 1-5@3 private fun Shown(x: Int)
+class Home 7-10@8 data object Home
+method Home.path 9-9 fun path()
+interface Wiring 12-18@14 internal interface Wiring
+method Wiring.bind 15-16@16 fun bind(it: Impl): Api
+property Wiring.kept 17-17 val kept: Int
+class HomeTest 20-31@21 class HomeTest
-property HomeTest.rule 22-22 private val rule by lazy { 1 }
+property HomeTest.size 23-23 val size: Int
+method HomeTest.opens 24-27@25 fun opens()
+class HomeTest.Inner 28-30 class Inner
+method HomeTest.Inner.f 29-29 fun f()
+variable LIMIT 33-34@34 const val LIMIT = 1
+function Home.plus 35-36@36 actual operator fun Home.plus(other: Home)
+enum Size 37-38@38 internal enum class Size
+property Size.S 38-38 S
+property Size.M 38-38 M
+class Marker 39-41@41 internal annotation class Marker
+class Bare 43-44@44 external object Bare
`,
);

finds(
  "calls and accessors with the names get and set",
  symbolLines,
  `
fun Application.routes() {
  routing {
    val all by inject<All>()
    get("/all") {
      call.respond(all)
    }
    val one = 1
    get<Route> { }
    val two = 2
    get { }
    val three = 3
    set("a", three)
  }
}
@Marker
internal class Read

class Box {
  var first: Int = 1; private set
  var second: Int = 2
    @Synchronized
    set(value) {
      field = value
    }
  val third
    @JvmName("third")
    get() = table get KEY
  val fourth = run { 4 } get KEY
  override val fifth: Int
    @Deprecated("no", ReplaceWith("first"))
    internal get() = 5
  fun copied(): Int { val copy = 1
    get(copy)
    return copy
  }
  fun last() = 1
}
`,
  `
+function Application.routes 1-14 fun Application.routes()
+class Read 15-16@16 internal class Read
+class Box 18-37 class Box
+property Box.first 19-19 var first: Int = 1
+property Box.second 20-24 var second: Int = 2 @Synchronized
+property Box.third 25-27 val third @JvmName("third")
+property Box.fourth 28-28 val fourth = run { 4 } get KEY
+property Box.fifth 29-31 override val fifth: Int @Deprecated("no", ReplaceWith("first"))
+method Box.copied 32-35 fun copied(): Int
+method Box.last 36-36 fun last()
`,
);

test("the package, documentation and comments", async () => {
  const source = "package a.b\n\n/** About it. */\n// so\nclass A {\n  val x = 1 // behind\n}\n";
  const { namespace, symbols } = await factsOf("kotlin", source);
  expect(namespace).toBe("a.b");
  expect(symbols[0]?.doc).toEqual({ content: "About it.", format: "jsdoc" });
  await expectFindings(commentLines, "kotlin", `\n${source}`, "4-4 general in A: so\n6-6 general in A.x: behind");
});
