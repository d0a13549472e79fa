import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Zig", () => {
  check(
    "names of files, aliases, files as types, fields and results",
    `
//- src/shop.zig
const std = @import("std");
const Cart = @import("Cart.zig");
const item = @import("item.zig");
pub const Item = item.Item;
const round = item.sums.round;
const Allocator = std.mem.Allocator;
pub const Shop = struct {
    cart: *Cart,
    list: ?*const List(u8) = null,
    const Self = @This();
    pub fn open(alloc: Allocator) !Self {
        return Shop{ .cart = alloc.create(Cart) };
    }
    pub fn run(self: *Self, other: *item.Item) void {
        self.cart.add(other);
        self.list.?.first();
        other.price();
        other.name.trim();
        Item.make(item.max).price();
        _ = round(1);
        helper();
        Shop.open(self.alloc).close();
        const own = item.secret();
        item.sums.added();
        register(helper, .added);
        alloc.trim(own);
    }
    fn close(self: Shop) void {
        self.missing();
    }
};
fn helper() void {}
fn List(comptime T: type) type {
    return struct {
        pub fn first(self: *@This()) void {}
    };
}
test Shop {
    _ = Shop.open();
}
//- src/Cart.zig
const Cart = @This();
const Item = @import("shop.zig").Item;
items: []Item,
pub fn add(self: *Cart, more: *Item) void {
    self.grow();
    more.price();
    self.items.trim();
}
fn grow(cart: *Cart) void {
    cart.add(1);
}
//- src/item.zig
pub const sums = @import("sums.zig");
pub const max = 1;
pub const Item = struct {
    name: []const u8,
    pub fn make(count: usize) Item {}
    pub fn price(self: Item) void {}
};
fn secret() void {}
//- src/sums.zig
pub usingnamespace @import("more.zig");
pub fn round(x: u8) void {}
//- src/more.zig
pub fn added() void {}
pub fn trim() void {}
`,
    `
src/Cart:add -> src/Cart:grow call 0.7
src/Cart:add -> src/item:Item type 0.9
src/Cart:add -> src/item:Item.price call 0.7
src/Cart:grow -> src/Cart:add call 0.7
src/Cart:items -> src/item:Item type 0.9
src/item:Item.make -> src/item:Item type 1
src/item:Item.price -> src/item:Item type 1
src/shop:Item -> src/item:Item type 0.9
src/shop:Shop -> src/shop:Shop type 1
src/shop:Shop -> src/shop:Shop.open call 0.8
src/shop:Shop.close -> src/shop:Shop type 1
src/shop:Shop.list -> src/shop:List type 1
src/shop:Shop.open -> src/shop:Shop call 1
src/shop:Shop.open -> src/shop:Shop type 0.95
src/shop:Shop.run -> src/Cart:add call 0.7
src/shop:Shop.run -> src/item:Item type 0.9
src/shop:Shop.run -> src/item:Item.make call 0.8
src/shop:Shop.run -> src/item:Item.price call 0.7
src/shop:Shop.run -> src/item:max call 0.9
src/shop:Shop.run -> src/more:added call 0.9
src/shop:Shop.run -> src/shop:List.first call 0.7
src/shop:Shop.run -> src/shop:Shop type 1
src/shop:Shop.run -> src/shop:Shop.close call 0.7
src/shop:Shop.run -> src/shop:Shop.open call 0.8
src/shop:Shop.run -> src/shop:helper call 1
src/shop:Shop.run -> src/sums:round call 0.9
`,
  );

  check(
    "a constant of a container is a type in it",
    `
//- src/till.zig
const std = @import("std");
const Till = struct {
    failure: Error!void,
    at: Index,
    const Error =
        std.Io.Dir.OpenError ||
        std.Io.Dir.ReadError;
    const Index = u32;
};
`,
    `
src/till:Till.at -> src/till:Till.Index type 0.95
src/till:Till.failure -> src/till:Till.Error type 0.95
`,
  );

  check(
    "what variables hold by their types, by what makes it and by what a call gives",
    `
//- src/till.zig
const m = @import("Cart.zig");
const Cart = m.Cart;
const Till = struct {
    spare: ?Cart,
    fn first(self: *Till) ?*Cart {
        return null;
    }
    fn typed(self: *Till) void {
        var cart: Cart = .{};
        cart.close();
        const other: *m.Cart = undefined;
        other.get();
    }
    fn made(self: *Till) !void {
        const cart = Cart{};
        cart.close();
        const other = try m.Cart.init(1);
        other.get();
        const own = &self.spare;
        own.keys();
    }
    fn given(self: *Till) void {
        if (self.first()) |cart| cart.close();
        const other = self.first() orelse return;
        other.get();
    }
    fn unknown(self: *Till, carts: anytype) void {
        const cart = carts.first();
        cart.get();
    }
};
//- src/Cart.zig
pub const Cart = struct {
    pub fn init(x: u8) !Cart {
        return .{};
    }
    pub fn close(self: Cart) void {}
    pub fn get(self: Cart) void {}
    pub fn keys(self: Cart) void {}
};
`,
    `
src/Cart:Cart.close -> src/Cart:Cart type 1
src/Cart:Cart.get -> src/Cart:Cart type 1
src/Cart:Cart.init -> src/Cart:Cart type 1
src/Cart:Cart.keys -> src/Cart:Cart type 1
src/till:Cart -> src/Cart:Cart type 0.9
src/till:Till.first -> src/Cart:Cart type 0.9
src/till:Till.first -> src/till:Till type 1
src/till:Till.given -> src/Cart:Cart.close call 0.7
src/till:Till.given -> src/Cart:Cart.get call 0.7
src/till:Till.given -> src/till:Till type 1
src/till:Till.given -> src/till:Till.first call 0.7
src/till:Till.made -> src/Cart:Cart call 0.9
src/till:Till.made -> src/Cart:Cart type 0.9
src/till:Till.made -> src/Cart:Cart.close call 0.7
src/till:Till.made -> src/Cart:Cart.get call 0.7
src/till:Till.made -> src/Cart:Cart.init call 0.8
src/till:Till.made -> src/Cart:Cart.keys call 0.7
src/till:Till.made -> src/till:Till type 1
src/till:Till.spare -> src/Cart:Cart type 0.9
src/till:Till.typed -> src/Cart:Cart type 0.9
src/till:Till.typed -> src/Cart:Cart.close call 0.7
src/till:Till.typed -> src/Cart:Cart.get call 0.7
src/till:Till.typed -> src/till:Till type 1
src/till:Till.unknown -> src/till:Till type 1
`,
  );

  check(
    "a variable whose type is a file",
    `
//- src/till.zig
const Cart = @import("Cart.zig");
fn typed() void {
    var cart: Cart = .{};
    cart.close();
}
//- src/Cart.zig
const Cart = @This();
size: u8,
pub fn close(cart: Cart) void {}
pub fn open() void {
    const cart = Cart{ .size = 1 };
    cart.close();
}
`,
    `
src/Cart:open -> src/Cart:close call 0.7
src/till:typed -> src/Cart:close call 0.7
`,
  );
});
