/** What is found in Scala: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { expectFindings, findingsIn } from "./findings.ts";

const finds = findingsIn("scala");

finds(
  "definitions of every kind",
  symbolLines,
  `
/** A file. */
package a.b
package c

/** A class. */
@deprecated("x") @Ann
final case class P[T <: Any](x: Int, private val y: Foo = Foo())(implicit e: Ev[T]) extends Base[T](x) with I {
  type Al = Map[String, T]
  val a, b: Int = 1
  var q: Foo = _
  lazy val (d1, d2) = pair
  private[this] val w: Foo = new Foo { val hidden = 1; def anon = 1 }
  protected[pkg] def run[U: Ord](a: Foo)(c: Baz*): Option[Qux] = {
    def local = 1
    val v = 2
  }
  def this(z: Int) = this(z, null)
  def +(o: P) = 1
  def abs: Int
  class N private (x: Int)
}
object P extends App {
  implicit class Ops(val s: String) extends AnyVal { def up = 1 }
}
sealed trait I[F[_]] extends J { def m(x: Int): Unit; val v: Int; private def p = 1 }
package object more { type X = Int; def helper = 1; val value = 1 }
case object CO extends I
private[a] class Hidden
`,
  `
+class P 5/6-21@7 final case class P[T <: Any](x: Int, private val y: Foo = Foo())(implicit e: Ev[T]) extends Base[T](x) with I «jsdoc: A class.»
+property P.x 7-7 x: Int
-property P.y 7-7 private val y: Foo = Foo()
+type_alias P.Al 8-8 type Al = Map[String, T]
+property P.a 9-9 val a, b: Int = 1
+property P.b 9-9 val a, b: Int = 1
+property P.q 10-10 var q: Foo = _
+property P.d1 11-11 lazy val (d1, d2) = pair
+property P.d2 11-11 lazy val (d1, d2) = pair
-property P.w 12-12 private[this] val w: Foo = new Foo { val hidden = 1; def anon = 1 }
-function P.w.anon 12-12 def anon
+method P.run 13-16 protected[pkg] def run[U: Ord](a: Foo)(c: Baz*): Option[Qux]
-function P.run.local 14-14 def local
+method P.this 17-17 def this(z: Int)
+method P.+ 18-18 def +(o: P)
+method P.abs 19-19 def abs: Int
-class P.N 20-20 class N private (x: Int)
+class P 22-24 object P extends App
+class P.Ops 23-23 implicit class Ops(val s: String) extends AnyVal
+property P.Ops.s 23-23 val s: String
+method P.Ops.up 23-23 def up
+interface I 25-25 sealed trait I[F[_]] extends J
+method I.m 25-25 def m(x: Int): Unit
+property I.v 25-25 val v: Int
-method I.p 25-25 private def p
+namespace more 26-26 package object more
+type_alias more.X 26-26 type X = Int
+function more.helper 26-26 def helper
+variable more.value 26-26 val value = 1
+class CO 27-27 case object CO extends I
-class Hidden 28-28 private[a] class Hidden
`,
);

finds(
  "definitions of Scala 3",
  symbolLines,
  `
enum Color(val rgb: Int) extends I derives Show:
  case Red extends Color(1)
  case Green, Blue
  case Mix(a: Int)
  def m = 1

given intOrd: Ord[Int] with
  def compare(x: Int, y: Int) = 1
given Ord[String] = foo
given [T](using Ord[T]): Ord[List[T]] with
  def c = 1

extension (s: Foo)
  def ext(x: Int) = 1
  def ext2 = 2
extension [T](xs: a.List[T]) def second: T = xs.head

def top(x: Int)(using Ord[Int]): Foo =
  val l = 1
  foo(x)
val topv = 1
opaque type Op = Int
object O:
  inline def z = 1
end O
@main def run() = println("x")
`,
  `
+enum Color 1-5 enum Color(val rgb: Int) extends I derives Show
+property Color.rgb 1-1 val rgb: Int
+property Color.Red 2-2 Red extends Color(1)
+property Color.Green 3-3 Green
+property Color.Blue 3-3 Blue
+property Color.Mix 4-4 Mix(a: Int)
+method Color.m 5-5 def m
+class intOrd 7-8 given intOrd: Ord[Int] with
+method intOrd.compare 8-8 def compare(x: Int, y: Int)
+class given 10-11 given [T](using Ord[T]): Ord[List[T]] with
+method given.c 11-11 def c
+function Foo.ext 14-14 def ext(x: Int)
+function Foo.ext2 15-15 def ext2
+function List.second 16-16 def second: T
+function top 18-20 def top(x: Int)(using Ord[Int]): Foo
+variable topv 21-21 val topv = 1
+type_alias Op 22-22 opaque type Op = Int
+class O 23-24 object O
+method O.z 24-24 inline def z
+function run 26-26 def run()
`,
);

finds(
  "match types, with and without braces, end with their last case",
  symbolLines,
  `
object O {
  type Elem[X] = X match
    case String => Char
    case Array[t] => Elem[t] // of arrays

  // About what follows.
  /** What follows. */
  class After
  type Short[X] = X match { case Int => String }
  type Long[X] <: Tuple = X match {
    case Int => X *: EmptyTuple
    case (a, b) => (b, a)
  }
  def last = 1
}
class Apart
`,
  `
+class O 1-15 object O
+type_alias O.Elem 2-4 type Elem[X] = X match case String => Char case Array[t] => Elem[t]
+class O.After 7/8-8 class After «jsdoc: What follows.»
+type_alias O.Short 9-9 type Short[X] = X match { case Int => String
+type_alias O.Long 10-13 type Long[X] <: Tuple = X match { case Int => X *: EmptyTuple case (a, b) => (b, a) }
+method O.last 14-14 def last
+class Apart 16-16 class Apart
`,
);

finds(
  "imports in every form, and enclosing package clauses",
  importLines,
  `
package a.b
package c

import a.b.C
import a.b.{D, E => F, G => _, _}
import a.b.*
import a.b.{H as I, given, *}
import a.b.given
import x.y as z, q.R
import _root_.a.{
  b, // one
  \`type\` /* two */
}
object O {
  import C._
  export a.{d as e}
}
`,
  `
1 import a.b *
4 import a.b C
5 import a.b * D E>F
6 import a.b *
7 import a.b * H>I
8 import a.b *
9 import x y>z
9 import q R
10 import _root_.a b type
15 import C *
16 import a d>e
`,
);

finds(
  "uses of names",
  referenceLines,
  `
@deprecated("x") @pkg.Ann
class P[T <: Bound](x: Int) extends Base[T](x) with I with pkg.J[String] {
  val q: Foo = new Made(1)
  def run[U: Ord](a: => Bar)(c: Baz*): Option[Qux] = {
    foo(a)
    a.foo(b).bar
    x.y.Foo.gen[T](1)
    new pkg.Deep
    a match { case f: Typed => 1; case Case(y) => 2; case pkg.Other(z) => 3 }
    a plus b
    xs.map(_.name)
    classOf[Class]
  }
}
enum Color derives Show { case Red extends Color }
`,
  `
decorate deprecated in P
decorate pkg . Ann in P
type Bound in P
type Int in P
inherit Base in P
type T in P
inherit I in P
inherit pkg . J in P
type String in P
type Foo in P.q
call Made in P.q
type Ord in P.run
type Bar in P.run
type Baz in P.run
type Option in P.run
type Qux in P.run
call foo in P.run
call a . foo in P.run
call a.foo(b) . bar in P.run
call x . y in P.run
call x.y . Foo in P.run
call x.y.Foo . gen in P.run
type T in P.run
call pkg . Deep in P.run
type Typed in P.run
type Case in P.run
type pkg . Other in P.run
call a . plus in P.run
call xs . map in P.run
call _ . name in P.run
call classOf in P.run
type Class in P.run
type Show in Color
inherit Color in Color.Red
`,
);

test("the package joins all clauses", async () => {
  const packageOf = async (text: string): Promise<string | null> => (await factsOf("scala", text)).namespace;
  expect(await packageOf("// licence\npackage a.b\npackage c\nclass X\n")).toBe("a.b.c");
  expect(await packageOf("// licence\npackage a {\n  package b {\n    class X\n  }\n}\n")).toBe("a.b");
  expect(await packageOf("package a.b:\n  class X\n")).toBe("a.b");
  expect(await packageOf("class X\n")).toBeNull();
});

test("a second argument list in an extends clause is skipped", async () => {
  const source = "class A[B](implicit b: B) extends C[B]()(b) with D[B] {\n  def run(x: B) = 1\n}\n";
  await expectFindings(
    symbolLines,
    "scala",
    `\n${source}`,
    `
+class A 1-3 class A[B](implicit b: B) extends C[B]()(b) with D[B]
+method A.run 2-2 def run(x: B)
`,
  );
});

test("a nameless self type hides no member", async () => {
  const source = `
trait Compat[+A] { _: Chain[A] =>
  final def size: Long =
    this match {
      case Empty => 0
    }
}
trait Page { _ : Session with Log =>
  def show(): Unit = run { _: Int => () }
}
`;
  await expectFindings(
    symbolLines,
    "scala",
    source,
    `
+interface Compat 1-6 trait Compat[+A]
+method Compat.size 2-5 final def size: Long
+interface Page 7-9 trait Page
+method Page.show 8-8 def show(): Unit
`,
  );
});

test("documentation and comments", async () => {
  const source = "/** About it. */\nclass A {\n  val x = 1 // behind\n}\n";
  expect((await factsOf("scala", source)).symbols[0]?.doc).toEqual({ content: "About it.", format: "jsdoc" });
  await expectFindings(commentLines, "scala", `\n${source}`, "3-3 general in A.x: behind");
});
