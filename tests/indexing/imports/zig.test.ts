import { checkEdges } from "./imports-check.ts";

checkEdges(
  "paths beside the file, and the names that build.zig gives to modules",
  `
//- build.zig
const std = @import("std");
const options = @import("src/options.zig");
pub fn build(b: *std.Build) void {
    _ = b.addModule("shop", .{ .root_source_file = b.path("src/shop.zig") });
    const sums = b.createModule(.{
        .target = target,
        .root_source_file = b.path("src/sums.zig"),
    });
    exe.root_module.addImport("sums", sums);
    exe.root_module.addAnonymousImport("till", .{ .root_source_file = b.path("src/till.zig") });
    const generated = b.createModule(.{ .root_source_file = version_file });
    const tests = b.addTest(.{ .imports = &.{
        .{ .name = "generated", .module = generated },
        .{ .name = "numbers", .module = sums },
    } });
    test_module.addImport("till", sums);
}
//- src/shop.zig
pub const cart = @import("parts/cart.zig");
test { _ = @import("missing.zig"); }
//- src/sums.zig
const shop = @import("shop");
//- src/till.zig
const sums = @import("sums");
const numbers = @import("numbers").max;
const none = @import("generated");
//- src/options.zig
const two = @import("till");
//- src/parts/cart.zig
const list = if (big) @import("../sums.zig") else @import("../till.zig");
const out = @import("../../../out.zig");
`,
  `
build.zig -> src/options.zig
src/parts/cart.zig -> src/sums.zig
src/parts/cart.zig -> src/till.zig
src/shop.zig -> src/parts/cart.zig
src/sums.zig -> src/shop.zig
src/till.zig -> src/sums.zig
`,
);
