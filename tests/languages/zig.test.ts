/** What is found in Zig: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `//! File doc.
const std = @import("std");
pub const Foo = struct {
    a: u32,
    b: []const u8 = "x",
    const Self = @This();
    pub const K = 1;
    /// init doc
    pub fn init(a: u32) Foo { const l = a; return .{ .a = l }; }
    fn priv(self: *Self) void {}
    pub const Inner = enum { x, y, pub fn z() void {} };
};
/// Union doc
const U = union(enum) { a: u8, b };
const E = error{ Bad, Worse };
const O = opaque {};
pub const Packed = packed struct { x: u1 };
pub extern "c" fn puts(s: [*:0]const u8) c_int;
export fn exported() void {}
pub inline fn inl() void {}
fn Generic(comptime T: type) type { return struct { v: T, pub fn get(self: @This()) T { return self.v; } }; }
var global: u32 = 0;
pub var g2 = 1;
threadlocal var t: u8 = 0;
test "my test" { const x = 1; _ = x; }
test Foo { }
test { }
comptime { _ = Foo; }
pub const alias = std.mem.eql;
usingnamespace std;
pub const @"weird name" = 1;
`;
  const expected = `
+class Foo 3-12 pub const Foo = struct
+property Foo.a 4-4 a: u32
+property Foo.b 5-5 b: []const u8 = "x"
-property Foo.Self 6-6 const Self = @This()
+property Foo.K 7-7 pub const K = 1
+method Foo.init 8/9-9 pub fn init(a: u32) Foo «plain: init doc»
-method Foo.priv 10-10 fn priv(self: *Self) void
+enum Foo.Inner 11-11 pub const Inner = enum
+property Foo.Inner.x 11-11 x
+property Foo.Inner.y 11-11 y
+function Foo.Inner.z 11-11 pub fn z() void
-class U 13/14-14 const U = union(enum) «plain: Union doc»
-property U.a 14-14 a: u8
-property U.b 14-14 b
-enum E 15-15 const E = error
-property E.Bad 15-15 Bad
-property E.Worse 15-15 Worse
-class O 16-16 const O = opaque
+class Packed 17-17 pub const Packed = packed struct
+property Packed.x 17-17 x: u1
+function puts 18-18 pub extern "c" fn puts(s: [*:0]const u8) c_int
+function exported 19-19 export fn exported() void
+function inl 20-20 pub inline fn inl() void
-class Generic 21-21 fn Generic(comptime T: type) type
-property Generic.v 21-21 v: T
-method Generic.get 21-21 pub fn get(self: @This()) T
-variable global 22-22 var global: u32 = 0
+variable g2 23-23 pub var g2 = 1
-variable t 24-24 threadlocal var t: u8 = 0
-function my test 25-25 test "my test"
-function Foo 26-26 test Foo
+variable alias 29-29 pub const alias = std.mem.eql
+variable @"weird name" 31-31 pub const @"weird name" = 1
`;
  expect(await symbolLines("zig", source)).toEqual(expected.trim().split("\n"));
});

test("the documentation of the file belongs to no definition in it", async () => {
  const { doc, symbols } = await factsOf("zig", "//! The file.\n//! More.\nconst a = 1;\n");
  expect([doc?.content, symbols[0]?.doc]).toEqual(["The file.\nMore.", null]);
});

test("imports", async () => {
  const source = `const std = @import("std");
pub const B = @import("b/b.zig").B;
const C: type = @import("c.zig").deep.C;
pub usingnamespace @import("u.zig");
usingnamespace @import("v.zig");
const d = if (big) @import("d.zig") else null;
test { _ = @import("t.zig"); }
`;
  expect([...new Set(await importLines("zig", source))]).toEqual([
    "1 import std *>std",
    "1 import std",
    "2 import b/b.zig B",
    "2 import b/b.zig",
    "3 import c.zig deep.C>C",
    "3 import c.zig",
    "4 reexport u.zig *",
    "4 import u.zig",
    "5 import v.zig",
    "6 import d.zig",
    "7 import t.zig",
  ]);
});

test("uses of names", async () => {
  const source = `const a = @import("a.zig");
const handler = a.handler;
const S = struct {
    x: ?*const B = null,
    fn run(self: *S, p: *a.Foo, q: []const a.b.Bar, handler2: u8) Error!List(u8) {
        try self.x.?.foo();
        self.x.*.foo();
        a.b.c(1);
        const c: C = .init(2);
        const d = a.D{ .y = handler };
        call(handler, &handler, p, a.max, Kind.first);
        List(u8).init(c);
        (try a.open()).close();
        switch (k) { .foo => go(), else => return error.Bad }
        for (x) |handler3| handler3.go();
        if (c == handler) std.debug.print("", .{});
    }
};
`;
  expect(await referenceLines("zig", source)).toEqual([
    "call a . handler in handler",
    "type B in S.x",
    "type S in S.run",
    "type a . Foo in S.run",
    "type a.b . Bar in S.run",
    "type Error in S.run",
    "type List in S.run",
    "call self.x . foo in S.run",
    "call a . b in S.run",
    "call a.b . c in S.run",
    "type C in S.run",
    "call a . D in S.run",
    "call handler in S.run",
    "call call in S.run",
    "call a . max in S.run",
    "type Kind in S.run",
    "call Kind . first in S.run",
    "call List in S.run",
    "call List(u8) . init in S.run",
    "call a . open in S.run",
    "call (try a.open()) . close in S.run",
    "call go in S.run",
    "call handler3 . go in S.run",
    "call std.debug . print in S.run",
  ]);
});
