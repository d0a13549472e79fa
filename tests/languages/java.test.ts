/** What is found in Java: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { expectFindings, findingsIn } from "./findings.ts";

const finds = findingsIn("java");

finds(
  "definitions of every kind",
  symbolLines,
  `
package a.b;

/** A class. */
@Foo(x = 1)
@Bar
public final class A<T extends Comparable<T>> extends Base<T> implements I {
  private static final int X = 1, Y = 2;
  @Inject protected List<String> list;
  static { int local = 1; }
  A(int a, Foo... b) throws E1 { this.x = a; }

  /**
   * Runs.
   */
  @Override
  public <U> U run(
      @Ann final Foo a) throws Exception {
    int local = 1;
    new Thread() { int hidden; public void go() {} };
    class Local { int v; }
    return null;
  }
  abstract void none();
  private static class Nested { public void m() {} }
}
interface I extends J { int C = 1; void m(); private void p() {} }
public enum E { RED, @Old GREEN(1) { void x() {} }; private int f; public void m() {} }
public record P(int x, Foo y) { P { } static int z; }
public @interface An { int value() default 1; }
`,
  `
+class A 3/4-25@6 public final class A<T extends Comparable<T>> extends Base<T> implements I «jsdoc: A class.»
-property A.X 7-7 private static final int X = 1, Y = 2
-property A.Y 7-7 private static final int X = 1, Y = 2
+property A.list 8-8 protected List<String> list
-method A.A 10-10 A(int a, Foo... b) throws E1
+method A.run 12/15-22@16 public <U> U run(@Ann final Foo a) throws Exception «jsdoc: Runs.»
-method A.run.go 19-19 public void go()
-class A.run.Local 20-20 class Local
-property A.run.Local.v 20-20 int v
-method A.none 23-23 abstract void none()
-class A.Nested 24-24 private static class Nested
-method A.Nested.m 24-24 public void m()
-interface I 26-26 interface I extends J
-property I.C 26-26 int C = 1
-method I.m 26-26 void m()
-method I.p 26-26 private void p()
+enum E 27-27 public enum E
+property E.RED 27-27 RED
+property E.GREEN 27-27 GREEN(1)
-method E.GREEN.x 27-27 void x()
-property E.f 27-27 private int f
+method E.m 27-27 public void m()
+class P 28-28 public record P(int x, Foo y)
+property P.x 28-28 int x
+property P.y 28-28 Foo y
-method P.P 28-28 P
-property P.z 28-28 static int z
+interface An 29-29 public @interface An
+method An.value 29-29 int value() default 1
`,
);

test("imports in every form, and the package", async () => {
  const source = `
@NullMarked
package a.b.c;
import java.util.List;
import a.b.Outer.Inner;
import static a.b.C.member;
import static a.b.C.*;
import a.b.*;
`;
  await expectFindings(
    importLines,
    "java",
    source,
    `
3 import java.util.List List
4 import a.b.Outer.Inner Inner
5 import a.b.C.member member
6 import a.b.C *
7 import a.b *
`,
  );
  expect((await factsOf("java", source)).namespace).toBe("a.b.c");
  await expectFindings(
    importLines,
    "java",
    `
module a.b { requires java.base; exports a.c to d; uses a.Service; provides a.Service with a.One, a.Two; }
`,
    `
1 import a.Service
1 import a.Service
1 import a.One
1 import a.Two
`,
  );
});

finds(
  "uses of names",
  referenceLines,
  `
@pkg.Foo @Bar(Baz.class)
class A<T extends Bound> extends pkg.B<T> implements I, J<K> {
  Map.Entry<String, Foo> f = new Made<>(1);
  A(int a) throws Oops { super(a); this.go(); go(); }
  void m(var x) {
    Outer.Inner.stat(1); x.y().z(); a.b.C.d();
    use(Foo::bar, Qux::new, this::baz);
    if (x instanceof Shape s && x instanceof Point(Num n, var k)) return (Cast) x;
    outer.new Inner(); new pkg.Bar();
    try { } catch (One | pkg.Two e) { Color c = Color.RED; }
  }
}
interface L extends M, pkg.N<O> {}
`,
  `
decorate pkg . Foo in A
decorate Bar in A
type Baz in A
type T in A
type Bound in A
inherit pkg . B in A
implement I in A
implement J in A
type K in A
type Map in A.f
type Map . Entry in A.f
type String in A.f
type Foo in A.f
call Made in A.f
type Oops in A.A
call this . go in A.A
call go in A.A
type Outer in A.m
call Outer.Inner . stat in A.m
call x . y in A.m
call x.y() . z in A.m
call a.b.C . d in A.m
call use in A.m
call Foo . bar in A.m
call Qux in A.m
call this . baz in A.m
type Shape in A.m
type Point in A.m
type Num in A.m
type Cast in A.m
call Inner in A.m
call pkg . Bar in A.m
type One in A.m
type pkg . Two in A.m
type Color in A.m
inherit M in L
inherit pkg . N in L
type O in L
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
// One.
// Two.
class A {
  int x; // behind
  /* TODO: do it */
  void f() {
    // inside
  }
}
`,
  `
1-2 general in A: One.⏎Two.
4-4 general in A.x: behind
5-5 todo in A.f: TODO: do it
7-7 general in A.f: inside
`,
);

test("a package's own documentation", async () => {
  const { doc, namespace } = await factsOf("java", "/** About it. */\npackage a.b;\n");
  expect(doc).toEqual({ content: "About it.", format: "jsdoc" });
  expect(namespace).toBe("a.b");
});
