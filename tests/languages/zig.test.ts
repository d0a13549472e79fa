/** What is found in Zig: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { factsOf, symbolLines } from "../syntax/render.ts";

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
