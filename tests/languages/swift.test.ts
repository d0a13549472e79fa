/** What is found in Swift: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { SWIFT_GRAMMAR } from "../../src/languages/swift/syntax.ts";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("swift");

finds(
  "definitions of every kind",
  symbolLines,
  `
import Foundation

/// An order.
@objc(Order) @available(iOS 10, *)
// between
public final class Order<T: Item>: Base<T>, Named where T: Equatable {
    public static let max = 1, min = 2
    private(set) var items: [T]?
    /** How many. */
    var count: Int { items.count }
    @Published private var hidden = Foo()
    lazy var later: Foo = { let x = 1; return Foo(x) }()

    init?(a: Int) throws { super.init(a) }
    deinit { }
    subscript(i: Int) -> T { items[i] }
    func run<U>(_ a: Foo, b: inout [Bar]) async throws -> [String: Baz] where U: P {
        func local() {}
        let v = 1
    }
    class func make() {}
    static func == (a: Order, b: Order) -> Bool { true }
    fileprivate func own() {}
    #if os(iOS)
    func either() {}
    #else
    func or() {}
    #endif
    enum State: String, CaseIterable {
        case open, done(Int)
        /// The last one.
        indirect case last = "x"
        var isOpen: Bool { true }
        func next() {}
    }
    struct Inner { typealias Short = Foo }
}

struct Point: Codable { let x: Int }
actor Bank { func pay() {} }
public protocol Named: AnyObject {
    associatedtype Kind: Foo
    var name: String { get }
    func call(a: Int) -> Foo
    init(a: Int)
}
extension Order: Codable where T: Codable {
    func more() {}
    var twice: Int { 2 }
    init(b: Int) {}
    static func + (a: Order, b: Order) -> Order { a }
    enum Key { case one }
    struct Part { func use() {} }
}
extension A.B { func deep() {} }
extension [Int] { func sum() {} }
typealias Pair<T> = (T, T)
infix operator +++
func +++ (a: Int, b: Int) -> Int { 1 }
let shared: Order = 1
private var cache = [1]
public macro stringify<T>(_ v: T) -> (T, String) = #externalMacro(module: "M", type: "S")
func \`default\`() {}
`,
  `
+class Order 3/4-37@6 public final class Order<T: Item>: Base<T>, Named where T: Equatable «plain: An order.»
+property Order.max 7-7 public static let max = 1, min = 2
+property Order.min 7-7 public static let max = 1, min = 2
+property Order.items 8-8 private(set) var items: [T]?
+property Order.count 9/10-10 var count: Int «plain: How many.»
-property Order.hidden 11-11 private var hidden = Foo()
+property Order.later 12-12 lazy var later: Foo = { let x = 1; return Foo(x) }()
+method Order.init 14-14 init?(a: Int) throws
+method Order.deinit 15-15 deinit
+property Order.subscript 16-16 subscript(i: Int) -> T
+method Order.run 17-20 func run<U>(_ a: Foo, b: inout [Bar]) async throws -> [String: Baz] where U: P
-function Order.run.local 18-18 func local()
+method Order.make 21-21 class func make()
+method Order.== 22-22 static func == (a: Order, b: Order) -> Bool
-method Order.own 23-23 fileprivate func own()
+method Order.either 25-25 func either()
+method Order.or 27-27 func or()
+enum Order.State 29-35 enum State: String, CaseIterable
+property Order.State.open 30-30 case open, done(Int)
+property Order.State.done 30-30 case open, done(Int)
+property Order.State.last 31/32-32 indirect case last = "x" «plain: The last one.»
+property Order.State.isOpen 33-33 var isOpen: Bool
+method Order.State.next 34-34 func next()
+class Order.Inner 36-36 struct Inner
+type_alias Order.Inner.Short 36-36 typealias Short = Foo
+class Point 39-39 struct Point: Codable
+property Point.x 39-39 let x: Int
+class Bank 40-40 actor Bank
+method Bank.pay 40-40 func pay()
+interface Named 41-46 public protocol Named: AnyObject
+type_alias Named.Kind 42-42 associatedtype Kind: Foo
+property Named.name 43-43 var name: String
+method Named.call 44-44 func call(a: Int) -> Foo
+method Named.init 45-45 init(a: Int)
+method Order.more 48-48 func more()
+property Order.twice 49-49 var twice: Int
+method Order.init 50-50 init(b: Int)
+method Order.+ 51-51 static func + (a: Order, b: Order) -> Order
+enum Order.Key 52-52 enum Key
+property Order.Key.one 52-52 case one
+class Order.Part 53-53 struct Part
+method Order.Part.use 53-53 func use()
+method A.B.deep 55-55 func deep()
+method Array.sum 56-56 func sum()
+type_alias Pair 57-57 typealias Pair<T> = (T, T)
+variable +++ 58-58 infix operator +++
+function +++ 59-59 func +++ (a: Int, b: Int) -> Int
+variable shared 60-60 let shared: Order = 1
-variable cache 61-61 private var cache = [1]
+function stringify 62-62 public macro stringify<T>(_ v: T) -> (T, String)
+function default 63-63 func \`default\`()
`,
);

finds(
  "syntax that the grammar does not support",
  symbolLines,
  `
class A {
    let raw = #"a "b" \\#(c) func no() {}"#
    let long = ##"""
      class No { "#
      """##
    let regex = #/a"b/#
    func a() { if #available(iOS 10, *), #unavailable(tvOS 9) { b(#selector(c(_:)), #function) } }
    /* # /* " */ " */
    func d() { e("# \\(f("g #if") + "#") ") }
    #warning("no)")
    func h() {
        view
        #if os(iOS)
            .padding()
        #else
            .frame()
        #endif
    }
    func i() { #expect(j == "k") }
}
#Preview { L() }
`,
  `
+class A 1-20 class A
+property A.raw 2-2 let raw = #"a "b" \\#(c) func no() {}"
+property A.long 3-5 let long = ##""" class No { "# """
+property A.regex 6-6 let regex = #/a"b/
+method A.a 7-7 func a()
+method A.d 8/9-9 func d()
+method A.h 11-18 func h()
+method A.i 19-19 func i()
`,
);

finds(
  "definitions around syntax of Swift 5.5 and later",
  symbolLines,
  `
class B {
    func a() async throws { if let x = try await c.d(of: 1) { e() } }
    func f() async { while await g(1) { h() } }
    func i() async throws { for try await j in k(1) { if try? await l(j) { m() } else { n() } } }
    nonisolated(unsafe) var o = 1
    private nonisolated(unsafe) static let p = P()
    typealias R<T> = Range<T> where T: Strideable, T.Stride: SignedInteger
    let s = /^(\\d+) calls/
    func t() { let \`self\` = u }
    func v(w: @escaping () -> Void) -> () { x.succeed(()); return () }
    func y() {
        switch z {
        case 1:
            @Sendable func inner() { }
            inner()
        default:
            ()
        }
    }
    func end() { }
}
`,
  `
+class B 1-21 class B
+method B.a 2-2 func a() async throws
+method B.f 3-3 func f() async
+method B.i 4-4 func i() async throws
+property B.o 5-5 nonisolated(unsafe) var o = 1
-property B.p 6-6 private nonisolated(unsafe) static let p = P()
+type_alias B.R 7-7 typealias R<T> = Range<T>
+property B.s 8-8 let s = /^(\\d+) calls/
+method B.t 9-9 func t()
+method B.v 10-10 func v(w: @escaping () -> Void) -> ()
+method B.y 11-19 func y()
-function B.y.inner 14-14 func inner()
+method B.end 20-20 func end()
`,
);

finds(
  "imports in every form",
  importLines,
  `
import Foundation
@testable import Shop
import struct Lib.Thing
import class UIKit.UIView
@_exported import Core
public import Open
`,
  `
1 import Foundation *
2 import Shop *
3 import Lib Thing
4 import UIKit UIView
5 reexport Core *
6 import Open *
`,
);

finds(
  "uses of names",
  referenceLines,
  `
@Table @objc class A<T: Rule>: Base<T>, N.Other {
    @Wrapped var f: Foo<Bar>?
    func run(_ a: Arg, rest: [Lib.Rest]) async throws -> Result<Ok, Bad> {
        go()
        self.go()
        super.run()
        a.b?.c()
        a!.d { $0.e() }
        let m = Made(1)
        let g = Gen<Int>(2)
        let h = N.Gen(2)
        let c = m as? Cast
        if c is Is {}
        do { try w() } catch let e as Wrong {}
        let r = Color.red
        return Color.mix(r).dark()
    }
}
struct S: Codable, M.P {}
extension S: Extra { }
protocol Q: R {}
func f(x: some View & Other) -> any Thing { }
`,
  `
decorate Table in A
type Rule in A
inherit Base in A
type T in A
inherit N . Other in A
decorate Wrapped in A.f
type Foo in A.f
type Bar in A.f
type Arg in A.run
type Lib . Rest in A.run
type Result in A.run
type Ok in A.run
type Bad in A.run
call go in A.run
call self . go in A.run
call super . run in A.run
call a.b . c in A.run
call a . d in A.run
call $0 . e in A.run
call Made in A.run
call Gen in A.run
type Int in A.run
type N in A.run
call N . Gen in A.run
type Cast in A.run
type Is in A.run
call w in A.run
type Wrong in A.run
type Color in A.run
call Color . mix in A.run
call Color.mix(r) . dark in A.run
implement Codable in S
implement M . P in S
type S
implement Extra in S
inherit R in Q
type View in f
type Other in f
type Thing in f
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
// Copyright 2020 Somebody.

/// About A.
class A {
    // MARK: - Parts
    // TODO: more
    var x = 1 // trailing

    /* Sorted because callers rely on it. */
    func f() {}
}
`,
  `
1-1 general: Copyright 2020 Somebody.
5-6 todo in A.x: MARK: - Parts⏎TODO: more
7-7 general in A.x: trailing
9-9 rationale! in A.f: Sorted because callers rely on it.
`,
);

test("cleaned text keeps its length and lines", () => {
  const { clean } = SWIFT_GRAMMAR.style;
  const text = '#if A\nlet a = #"x\\#(y)"#\n#else\r\nlet b = #/x/#\n#endif\nlet c = "\\("#if")" // #if\nf(#line)\n';
  const cleaned = clean?.(text) ?? "";
  expect(cleaned.length).toBe(text.length);
  expect(cleaned).not.toContain("#else");
  expect(cleaned.match(/\n/g)).toHaveLength(7);
  expect(cleaned).toContain('let a =  "');
  expect(cleaned).toContain('let c = "\\("#if")" // #if\nf( line)');
});

test.each([
  ["signs", "#"],
  ["raw strings", '#"a '],
  ["regexes", "#/a "],
  ["interpolations", '"\\('],
  ["conditions", "#if A\n"],
  ["conditions in pairs", "#if A\n(\n#else\n#endif\n"],
  ["comments", "/*"],
])("many unclosed %s are cleaned to the end of the text", (_, piece) => {
  const text = piece.repeat(30_000);
  expect(SWIFT_GRAMMAR.style.clean?.(text)).toHaveLength(text.length);
});

test("a Swift file has no namespace", async () => {
  expect((await factsOf("swift", "import A\nclass B {}\n")).namespace).toBeNull();
});
