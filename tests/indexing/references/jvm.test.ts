import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Java", () => {
  check(
    "names of the package, of imports, of wildcards and of full paths are resolved",
    `
//- src/a/Use.java
package a;
import b.Thing;
import b.Outer.Inner;
import static b.Tools.cut;
import static b.More.*;
import c.*;
class Use {
  void go() { new Thing(); new Inner(); cut(); glue(); new Star(); new Near(); b.Thing.make(); new Missing(); }
}
//- src/a/Near.java
package a;
class Near {}
//- src/b/Thing.java
package b;
public class Thing { public static void make() {} }
//- src/b/Outer.java
package b;
public class Outer { public static class Inner {} }
//- src/b/Tools.java
package b;
public class Tools { public static void cut() {} }
//- src/b/More.java
package b;
public class More { public static void glue() {} }
//- src/c/Star.java
package c;
public class Star {}
//- src/d/Near.java
package d;
class Near {}
class Missing {}
`,
    `
src/a/Use:Use.go -> src/b/Thing:Thing call 0.9
src/a/Use:Use.go -> src/b/Outer:Outer.Inner call 0.9
src/a/Use:Use.go -> src/b/Tools:Tools.cut call 0.9
src/a/Use:Use.go -> src/b/More:More.glue call 0.8
src/a/Use:Use.go -> src/c/Star:Star call 0.8
src/a/Use:Use.go -> src/a/Near:Near call 0.95
src/a/Use:Use.go -> src/b/Thing:Thing.make call 0.8
`,
  );

  check(
    "an exception that a method declares is no parameter of it",
    `
//- a/Use.java
package a;
import b.Closed;
class Use {
  void open(int count) throws Closed { if (count == 0) throw new Closed("none"); }
  void close() throws Failed, Closed { throw new Failed(); }
}
//- a/Failed.java
package a;
class Failed extends Exception {}
//- b/Closed.java
package b;
public class Closed extends Exception { public Closed(String why) {} }
`,
    `
a/Use:Use.open -> b/Closed:Closed call 0.9
a/Use:Use.open -> b/Closed:Closed type 0.9
a/Use:Use.close -> a/Failed:Failed call 0.95
a/Use:Use.close -> a/Failed:Failed type 0.95
a/Use:Use.close -> b/Closed:Closed type 0.9
`,
  );

  check(
    "unqualified calls are members of the class, its bases, or its enclosing classes",
    `
//- A.java
package p;
class A extends Base {
  private final Engine engine = new Engine();
  int size;
  int size() { return size; }
  void go(Engine other, java.util.List<Engine> many) {
    run(); shared(); size(); this.run(); super.shared();
    engine.start(); other.start(); many.start(); this.engine.start(); make().start();
  }
  void run() {}
  Engine make() { return engine; }
  class Deep { void dive() { run(); shared(); } }
}
//- Base.java
package p;
class Base { void shared() {} }
//- Engine.java
package p;
class Engine { void start() {} }
`,
    `
A:A -> Base:Base inherit 0.95
A:A.engine -> Engine:Engine type 0.95
A:A.engine -> Engine:Engine call 0.95
A:A.go -> Engine:Engine type 0.95
A:A.go -> A:A.run call 0.95
A:A.go -> A:A.size call 0.95
A:A.go -> A:A.make call 0.95
A:A.go -> Base:Base.shared call 0.9
A:A.go -> Engine:Engine.start call 0.7
A:A.make -> Engine:Engine type 0.95
A:A.Deep.dive -> A:A.run call 0.95
A:A.Deep.dive -> Base:Base.shared call 0.9
`,
  );

  check(
    "a class declared by two modules gives two weak guesses",
    `
//- use/Use.java
package p;
class Use { void go() { new Twin(); } }
//- one/Twin.java
package p;
class Twin {}
//- two/Twin.java
package p;
class Twin {}
`,
    `
use/Use:Use.go -> one/Twin:Twin call 0.15
use/Use:Use.go -> two/Twin:Twin call 0.15
`,
  );
});

describe("Kotlin", () => {
  check(
    "functions of the package, extensions, and Java classes are resolved",
    `
//- a/Use.kt
package a
import b.Cart
import b.total
fun go(cart: Cart, old: Old): Cart {
  helper()
  cart.total()
  cart.put(1)
  old.rust()
  return cart
}
//- a/Help.kt
package a
fun helper() {}
//- a/Old.java
package a;
public class Old { public void rust() {} }
//- b/Cart.kt
package b
class Cart { fun put(n: Int) {} }
fun Cart.total() { put(2) }
`,
    `
a/Use:go -> b/Cart:Cart type 0.9
a/Use:go -> a/Old:Old type 0.95
a/Use:go -> a/Help:helper call 0.95
a/Use:go -> b/Cart:Cart.total call 0.7
a/Use:go -> b/Cart:Cart.put call 0.7
a/Use:go -> a/Old:Old.rust call 0.7
b/Cart:Cart.total -> b/Cart:Cart type 1
b/Cart:Cart.total -> b/Cart:Cart.put call 0.95
`,
  );
});

describe("Scala", () => {
  check(
    "a class and its companion are one",
    `
//- a/Cart.scala
package a
class Cart { def put(n: Int): Cart = Cart.twin(this) }
object Cart { def twin(c: Cart): Cart = c.put(1) }
//- a/Use.scala
package a
object Use { def go(c: Cart): Unit = { Cart.twin(c).put(2) } }
`,
    `
a/Cart:Cart.put -> a/Cart:Cart type 1
a/Cart:Cart.put -> a/Cart:Cart.twin call 0.8
a/Cart:Cart.twin -> a/Cart:Cart type 1
a/Cart:Cart.twin -> a/Cart:Cart.put call 0.7
a/Use:Use.go -> a/Cart:Cart type 0.95
a/Use:Use.go -> a/Cart:Cart.twin call 0.8
a/Use:Use.go -> a/Cart:Cart.put call 0.7
`,
  );

  check(
    "a type is a class, not the object beside it",
    `
//- a/Cart.scala
package a
class Cart { def label(n: Int): Int = n }
object Cart { def label(c: Cart): Int = c.label(1) }
object Alone
//- a/Use.scala
package a
class Big extends Cart { def go(a: Alone.type): Int = label(2) }
`,
    `
a/Cart:Cart.label -> a/Cart:Cart type 1
a/Cart:Cart.label -> a/Cart:Cart.label call 0.7
a/Use:Big -> a/Cart:Cart inherit 0.95
a/Use:Big.go -> a/Cart:Cart.label call 0.9
`,
  );

  check(
    "a wildcard import of an object brings its members",
    `
//- a/Tools.scala
package a
object Tools { def cut(n: Int): Int = n
  def glue(n: Int): Int = n }
object Other { def cut(n: Int): Int = n }
//- b/Use.scala
package b
import a.Tools._
object Use { def go(n: Int): Int = cut(glue(n)) }
`,
    `
b/Use:Use.go -> a/Tools:Tools.cut call 0.8
b/Use:Use.go -> a/Tools:Tools.glue call 0.8
`,
  );
});

describe("imports of names inside classes", () => {
  check(
    "nested classes and members, in one file or several",
    `
//- use/Use.java
package use;
import one.Outer.Inner;
import one.Outer.Inner.Deep;
import static one.Outer.make;
import static one.Outer.*;
import static one.Outer.Inner.*;
class Use { Inner inner; Deep deep; void go() { make(); mend(); dig(); inner.dive(); } }
//- m1/one/Outer.java
package one;
public class Outer {
  public static void make() {}
  public static void mend() {}
  public static class Inner {
    public static class Deep {}
    public static void dig() {}
    public void dive() {}
  }
}
//- m2/one/Outer.java
package one;
public class Outer {
  public static void make() {}
}
`,
    `
use/Use:Use.deep -> m1/one/Outer:Outer.Inner.Deep type 0.9
use/Use:Use.go -> m1/one/Outer:Outer.Inner.dig call 0.8
use/Use:Use.go -> m1/one/Outer:Outer.Inner.dive call 0.7
use/Use:Use.go -> m1/one/Outer:Outer.make call 0.15
use/Use:Use.go -> m1/one/Outer:Outer.mend call 0.8
use/Use:Use.go -> m2/one/Outer:Outer.make call 0.15
use/Use:Use.inner -> m1/one/Outer:Outer.Inner type 0.9
`,
  );

  check(
    "members of a companion, and extension functions",
    `
//- a/Cart.kt
package a

class Cart {
  companion object {
    fun open(): Cart = Cart()
  }
  fun trim() {}
}
fun String.toCart(): Cart = Cart()
fun Cart.weigh() {}
fun Cart.Companion.parse(text: String): Cart = open()
//- b/Use.kt
package b
import a.Cart
import a.Cart.Companion.open
import a.toCart
import a.weigh
import a.parse
fun go(name: String, thing: Thing) {
  open()
  Cart.open()
  Cart.parse(name)
  name.toCart()
  thing.inner.weigh()
  name.trim()
}
`,
    `
a/Cart:Cart.open -> a/Cart:Cart call 1
a/Cart:Cart.open -> a/Cart:Cart type 1
a/Cart:Cart.parse -> a/Cart:Cart type 1
a/Cart:Cart.parse -> a/Cart:Cart.open call 0.95
a/Cart:Cart.weigh -> a/Cart:Cart type 1
a/Cart:String.toCart -> a/Cart:Cart call 1
a/Cart:String.toCart -> a/Cart:Cart type 1
b/Use:go -> a/Cart:Cart type 0.9
b/Use:go -> a/Cart:Cart.open call 0.9
b/Use:go -> a/Cart:Cart.parse call 0.8
b/Use:go -> a/Cart:Cart.weigh call 0.7
b/Use:go -> a/Cart:String.toCart call 0.7
`,
  );

  check(
    "call chains are followed through return types",
    `
//- A.java
package p;
class A {
  B b;
  static A start() { return new A(); }
  B next(int n, String text) { return b; }
  void go(A a) {
    A.start().next(1, ")").last().finish();
    new A().next(1, "").b.finish();
    a.next(1, "").last()
      .finish();
  }
  void stop(A a) { a.next(1, "").missing().finish(); unknown().last(); }
}
//- B.java
package p;
class B { C b; C last() { return b; } }
//- C.java
package p;
class C { void finish() {} }
`,
    `
A:A.b -> B:B type 0.95
A:A.go -> A:A call 1
A:A.go -> A:A type 1
A:A.go -> A:A.next call 0.7
A:A.go -> A:A.start call 0.8
A:A.go -> B:B.last call 0.7
A:A.go -> C:C.finish call 0.65
A:A.next -> B:B type 0.95
A:A.start -> A:A call 1
A:A.start -> A:A type 1
A:A.stop -> A:A type 1
A:A.stop -> A:A.next call 0.7
B:B.b -> C:C type 0.95
B:B.last -> C:C type 0.95
`,
  );
});

check(
  "a value of Scala that is made with type arguments, and methods that give their object",
  `
//- a/Cart.scala
package a
class Cart[A](n: Int) {
  def run(): this.type = this
  def stop(): Unit = ()
}
//- a/Use.scala
package a
object Use {
  val cart = new Cart[Map[String, Int]](1)
  val nameless = new a.Cart[Int](1) { stop() }
  def go(): Unit = { cart.run().stop(); nameless.run() }
}
`,
  `
a/Use:Use.cart -> a/Cart:Cart call 0.95
a/Use:Use.nameless -> a/Cart:Cart call 0.9
a/Use:Use.nameless -> a/Cart:Cart.stop call 0.7
a/Use:Use.go -> a/Cart:Cart.run call 0.7
a/Use:Use.go -> a/Cart:Cart.stop call 0.7
`,
);

check(
  "methods of the standard collections are no others of the same names",
  `
//- a/Cart.scala
package a
class Cart { def foreach(f: Int => Unit): Unit = (); def sliding(n: Int): Unit = (); def weighAll(): Unit = () }
//- a/Use.scala
package a
object Use { def go(): Unit = { val all = unknown(); all.foreach(f); all.sliding(2); all.weighAll() } }
`,
  `
a/Use:Use.go -> a/Cart:Cart.weighAll call 0.5
`,
);

check(
  "a name of Scala in backquotes is one name",
  `
//- a/Content.scala
package a
class Content
class \`Content-Type\`
class Use {
  def run(all: List[\`Content-Type\`]): Unit = new \`Content-Type\`
}
`,
  `
a/Content:Use.run -> a/Content:Content-Type call 1
a/Content:Use.run -> a/Content:Content-Type type 1
`,
);
