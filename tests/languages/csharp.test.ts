/** What is found in C#: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("csharp");

finds(
  "definitions of every kind",
  symbolLines,
  `
namespace Shop.Orders;

/// <summary>An order.</summary>
[Obsolete("x"), Serializable]
// between
public abstract partial class Order<T> : Entity<T>, IOrder where T : class, new()
{
    public const int Max = 1, Min = 2;
    private readonly List<T> _items = new();
    public event EventHandler? Changed, Gone;
    public event EventHandler Kept { add { } remove { } }
    /// <summary>Where it is.</summary>
    [Required]
    public required string Place { get; private set; } = "";
    internal int Count => _items.Count;
    string IOrder.Name { get => ""; }
    public int this[int i] => i;

    public Order(int a)
        : base(a) { }
    ~Order() { }
    public static Order<T> operator +(Order<T> a, Order<T> b) => a;
    public static implicit operator int(Order<T> a) => 1;
    void IOrder.Do<U>(U x) where U : struct
    {
        int Local(int y) => y;
        var z = 1;
    }
    private protected abstract void Hidden();
    protected internal virtual void Seen() { }
    public delegate void Handler(int a);
    enum State : byte { Open, Done = 2 }
    public interface IPart { void Use(); private void Own() { } }
    public record struct Line(int A, string B);
#if NET
    public void Either() { }
#else
    public void Or() { }
#endif
}

public record Point(int X) : Shape(X);
file class Mine;
struct Pair(int x, int y) { }
public enum Color
{
    /// Like blood.
    Red = 1,
}
delegate int Fold(int a);
`,
  `
+class Order 3/4-40@6 public abstract partial class Order<T> : Entity<T>, IOrder where T : class, new() «plain: <summary>An order.</summary>»
+property Order.Max 8-8 public const int Max = 1, Min = 2
+property Order.Min 8-8 public const int Max = 1, Min = 2
-property Order._items 9-9 private readonly List<T> _items = new()
+property Order.Changed 10-10 public event EventHandler? Changed, Gone
+property Order.Gone 10-10 public event EventHandler? Changed, Gone
+property Order.Kept 11-11 public event EventHandler Kept
+property Order.Place 12/13-14@14 public required string Place «plain: <summary>Where it is.</summary>»
+property Order.Count 15-15 internal int Count
-property Order.Name 16-16 string IOrder.Name
+property Order.this 17-17 public int this[int i]
+method Order.Order 19-20 public Order(int a) : base(a)
-method Order.~Order 21-21 ~Order()
+method Order.operator + 22-22 public static Order<T> operator +(Order<T> a, Order<T> b)
+method Order.operator int 23-23 public static implicit operator int(Order<T> a)
-method Order.Do 24-28 void IOrder.Do<U>(U x) where U : struct
-function Order.Do.Local 26-26 int Local(int y)
-method Order.Hidden 29-29 private protected abstract void Hidden()
+method Order.Seen 30-30 protected internal virtual void Seen()
+type_alias Order.Handler 31-31 public delegate void Handler(int a)
-enum Order.State 32-32 enum State : byte
-property Order.State.Open 32-32 Open
-property Order.State.Done 32-32 Done = 2
+interface Order.IPart 33-33 public interface IPart
+method Order.IPart.Use 33-33 void Use()
-method Order.IPart.Own 33-33 private void Own()
+class Order.Line 34-34 public record struct Line(int A, string B)
+property Order.Line.A 34-34 int A
+property Order.Line.B 34-34 string B
+method Order.Either 36-36 public void Either()
+method Order.Or 38-38 public void Or()
+class Point 42-42 public record Point(int X) : Shape(X)
+property Point.X 42-42 int X
-class Mine 43-43 file class Mine
+class Pair 44-44 struct Pair(int x, int y)
+enum Color 45-49 public enum Color
+property Color.Red 47/48-48 Red = 1 «plain: Like blood.»
+type_alias Fold 50-50 delegate int Fold(int a)
`,
);

finds(
  "the properties of records, as visible as the record",
  symbolLines,
  `
public record Order(
    [property: JsonPropertyName("id")] int Id,
    Line? First = null,
    params string[] Notes)
{
    int secret;
    private record Line(int Count);
}
class Plain(int parameter) { }
`,
  `
+class Order 1-8 public record Order([property: JsonPropertyName("id")] int Id, Line? First = null, params string[] Notes)
+property Order.Id 2-2 int Id
+property Order.First 3-3 Line? First = null
+property Order.Notes 4-4 Notes
-property Order.secret 6-6 int secret
-class Order.Line 7-7 private record Line(int Count)
-property Order.Line.Count 7-7 int Count
+class Plain 9-9 class Plain(int parameter)
`,
);

finds(
  "definitions split by the preprocessor",
  symbolLines,
  `
class A
#if X
    : IAsyncDisposable
#endif
{
    public int Run()
    {
#if X
        if (a) {
#else
        if (b) {
#endif
            return 1;
        }
    }
#if X
    void Both() { }
#else
    void Whole() { }
#endif
    int Pick() =>
#if X
        1;
#else
        2;
#endif
}
`,
  `
+class A 1-27 class A #if X : IAsyncDisposable #endif
+method A.Run 6-15 public int Run()
-method A.Both 17-17 void Both()
-method A.Whole 19-19 void Whole()
-method A.Pick 21-23 int Pick()
`,
);

finds(
  "imports in every form",
  importLines,
  `
extern alias Old;
global using System.Text;
global using L = System.Linq;
using A.B;
using static A.B.C;
using X = A.B.C<int>;
using global::A;
namespace N.M
{
    using Inner;
}
namespace Second { }
`,
  `
1 import Old *>Old
2 reexport System.Text *
3 reexport System.Linq *>L
4 import A.B *
5 import A.B.C *
6 import A.B.C<int> *>X
7 import global::A *
10 import Inner *
`,
);

finds(
  "uses of names",
  referenceLines,
  `
[assembly: Title("x")]
[Table, Api.Route("x"), Generic<Row>]
class A<T> : Base<T>, IFace, N.Other where T : IRule
{
    Foo<Bar> f = new();
    Lib.Baz[] g;
    Task<Qux?> Run(Arg a, params Rest[] rest)
    {
        Go();
        Go<int>(x);
        this.Go();
        base.Run();
        a.b?.C();
        new Made(1) { P = 2 };
        new N.Made<int>();
        var t = typeof(Typed);
        var c = (Cast)t;
        if (c is Is i || c as As != null) { }
        try { } catch (Wrong e) { }
        var r = Color.Red;
        Log.Write(nameof(Named));
        return x switch { Shape s => 1, _ => 2 };
    }
    void IExplicit.Do() { }
}
record R(int X) : Root(X);
`,
  `
decorate Title
decorate Table in A
decorate Api . Route in A
decorate Generic in A
type Row in A
inherit Base in A
type T in A
implement IFace in A
inherit N . Other in A
type IRule in A
type Foo in A.f
type Bar in A.f
type Lib . Baz in A.g
type Task in A.Run
type Qux in A.Run
type Arg in A.Run
type Rest in A.Run
call Go in A.Run
call this . Go in A.Run
call base . Run in A.Run
call a.b . C in A.Run
call Made in A.Run
call N . Made in A.Run
type Typed in A.Run
type Cast in A.Run
type Is in A.Run
type As in A.Run
type Wrong in A.Run
type Color in A.Run
type Log in A.Run
call Log . Write in A.Run
type Named in A.Run
type Shape in A.Run
type IExplicit in A.Do
inherit Root in R
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
// Copyright 2020 Somebody.

/// <summary>About A.</summary>
class A
{
    // TODO: more
    int x; // trailing

    #region one
    /* Sorted because callers rely on it. */
    void F() { }
    #endregion
}
`,
  `
1-1 general: Copyright 2020 Somebody.
6-6 todo in A.x: TODO: more
7-7 general in A.x: trailing
10-10 rationale! in A.F: Sorted because callers rely on it.
`,
);

test.each([
  ["namespace A.B;", "A.B"],
  ["namespace A.B { namespace C { } } namespace D { }", "A.B"],
  ["class C { }", null],
])("the namespace of %s", async (text, namespace) => {
  expect((await factsOf("csharp", text)).namespace).toBe(namespace);
});

test("a program in one file", async () => {
  const lines = await symbolLines(
    "csharp",
    "#:package A@1.0.0\n#:sdk B\nvar x = Run();\nint Run() => 1;\nclass C { }\n",
  );
  expect(lines).toEqual(["-function Run 4-4 int Run()", "+class C 5-5 class C"]);
});
