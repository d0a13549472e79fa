/** What is found in Dart: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `library my.lib;
import 'a.dart';
part 'b.dart';
/// Top var.
const int top = 1;
final x = 2, y = 3;
String? late;
late final String lateFinal;
/// Doc of A.
@immutable
abstract class A<T> extends B with M implements I {
  static const int kMax = 1;
  final String name, other;
  int _priv = 0;
  /// Ctor.
  A(this.name, {required this.other});
  const A.named(this.name) : other = 'x';
  factory A.fromJson(Map j) => A(j['a']);
  factory A.redir() = C;
  A._();
  int get value => _priv;
  set value(int v) { _priv = v; }
  @override
  String toString() => 'x';
  void abstractMethod();
  static void st() {}
  bool operator ==(Object o) => true;
  external int ext();
  Future<void> go() async { void local() {} var l = 1; }
}
mixin M on Object { void mix() {} }
mixin class MC {}
extension Ext on String { bool get isBlank => true; int two() => 2; }
extension on int { int three() => 3; }
extension type Id(int value) { int get v => value; }
enum E { a, b(1); const E([this.z]); final int z; void em() {} }
typedef F = int Function(int);
typedef void OldF(int a);
sealed class S {}
class Alias = A with M;
void main(List<String> args) async { print(1); }
int get topGetter => 1;
set topSetter(int v) {}
external void extTop();
T generic<T extends Object>(T t) => t;
/// Documented.
@Deprecated('x')
Future<List<int>> documented(
  int a, // why
) async => [];
abstract interface class Named {
  Named._private();
  external factory Named.make();
  int operator [](int at);
}
`;
  const expected = `
+variable top 4/5-5 const int top = 1 «plain: Top var.»
+variable x 6-6 final x = 2
+variable y 6-6 y = 3
+variable late 7-7 String? late
+variable lateFinal 8-8 late final String lateFinal
+class A 9/10-30@11 abstract class A<T> extends B with M implements I «plain: Doc of A.»
+property A.kMax 12-12 static const int kMax = 1
+property A.name 13-13 final String name, other
+property A.other 13-13 final String name, other
-property A._priv 14-14 int _priv = 0
+method A.A 15/16-16 A(this.name, {required this.other}) «plain: Ctor.»
+method A.named 17-17 const A.named(this.name) : other = 'x'
+method A.fromJson 18-18 factory A.fromJson(Map j)
+method A.redir 19-19 factory A.redir() = C
-method A._ 20-20 A._()
+method A.value 21-21 int get value
+method A.value 22-22 set value(int v)
+method A.toString 23-24@24 String toString()
+method A.abstractMethod 25-25 void abstractMethod()
+method A.st 26-26 static void st()
+method A.== 27-27 bool operator ==(Object o)
+method A.ext 28-28 external int ext()
+method A.go 29-29 Future<void> go()
-function A.go.local 29-29 void local()
+class M 31-31 mixin M on Object
+method M.mix 31-31 void mix()
+class MC 32-32 mixin class MC
+class Ext 33-33 extension Ext on String
+method Ext.isBlank 33-33 bool get isBlank
+method Ext.two 33-33 int two()
+method int.three 34-34 int three()
+class Id 35-35 extension type Id(int value)
+property Id.value 35-35 (int value)
+method Id.v 35-35 int get v
+enum E 36-36 enum E
+property E.a 36-36 a
+property E.b 36-36 b(1)
+method E.E 36-36 const E([this.z])
+property E.z 36-36 final int z
+method E.em 36-36 void em()
+type_alias F 37-37 typedef F = int Function(int)
+type_alias OldF 38-38 typedef void OldF(int a)
+class S 39-39 sealed class S
+class Alias 40-40 class Alias = A with M
+function main 41-41 void main(List<String> args)
+function topGetter 42-42 int get topGetter
+function topSetter 43-43 set topSetter(int v)
+function extTop 44-44 external void extTop()
+function generic 45-45 T generic<T extends Object>(T t)
+function documented 46/47-50@48 Future<List<int>> documented(int a) «plain: Documented.»
+class Named 51-55 abstract interface class Named
-method Named._private 52-52 Named._private()
+method Named.make 53-53 external factory Named.make()
+method Named.[] 54-54 int operator [](int at)
`;
  expect(await symbolLines("dart", source)).toEqual(expected.trim().split("\n"));
});

test("words before variables that follow an empty line, aliases of any type, and members of nameless extensions", async () => {
  const source = `import 'a.dart';

final x = 1;

void Function(int)? handler;

const Map<String, int> sizes = {};
typedef Names = List<String>;
typedef Table<T> = Map<String, T>;
typedef Other = lib.Other;
typedef Maybe = Foo?;
extension on String {
  static final limit = 9;
  int operator [](int at) => at;
}
extension type Raw._(Object _) {}
`;
  const expected = `
+variable x 3-3 final x = 1
+variable handler 5-5 void Function(int)? handler
+variable sizes 7-7 const Map<String, int> sizes = {}
+type_alias Names 8-8 typedef Names = List<String>
+type_alias Table 9-9 typedef Table<T> = Map<String, T>
+type_alias Other 10-10 typedef Other = lib.Other
+type_alias Maybe 11-11 typedef Maybe = Foo?
+property String.limit 13-13 static final limit = 9
+method String.[] 14-14 int operator [](int at)
+class Raw 16-16 extension type Raw._(Object _)
-property Raw._ 16-16 ._(Object _)
`;
  expect(await symbolLines("dart", source)).toEqual(expected.trim().split("\n"));
});

test("comments below a documented parameter belong to the function", async () => {
  const source = `/// Adds.
int add(
  int a, // TODO: more
) => a;
`;
  expect(await commentLines("dart", source)).toEqual(["3-3 todo in add: TODO: more"]);
});

test("the blocks of tests are definitions", async () => {
  const source = `void main() {
  group('cart', () {
    test("adds $name", () async { run(); });
    blocTest<Cart, int>('emits', build: () => Cart());
    run('cart', () {});
    test('later');
  });
}
`;
  const expected = `
+function main 1-8 void main()
-function main.cart 2-7 group('cart', ()
-function main.cart.adds $name 3-3 test("adds $name", ()
-function main.cart.emits 4-4 blocTest<Cart, int>('emits', build: ()
`;
  expect(`\n${(await symbolLines("dart", source)).join("\n")}\n`).toBe(expected);
});
