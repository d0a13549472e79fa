/** Stack frames as runners of tests, services that watch for errors, and less common languages write them. */
import { describe, expect, test } from "bun:test";
import { splitSections } from "../../src/task/sections.ts";
import { findFrames } from "../../src/task/traces.ts";

const frames = (text: string) =>
  findFrames(splitSections(text).sections).map(
    (frame) => `${frame.language} ${frame.path}:${frame.line} ${frame.function ?? "-"}`,
  );

const check = (name: string, lines: readonly string[], expected: readonly string[]) =>
  test(name, () => {
    expect(frames(["It crashes", "```", ...lines, "```"].join("\n"))).toEqual([...expected]);
    expect(frames(["It crashes", ...lines].join("\n"))).toEqual([...expected]); // fenced or not
  });

describe("frames", () => {
  check(
    "vitest",
    [
      " ❯ totalOf src/cart.ts:12:5",
      " ❯ Cart.add src/cart.ts:3:5",
      " ❯ new Cart src/cart.ts:1:5",
      " ❯ Proxy.<anonymous> src/pay.ts:4:5",
      " ❯ async Promise.all (index 0)",
      " ❯ src/cart.test.ts:5:10",
      " ❯ tests/cart.test.ts (3 tests | 1 failed) 12ms",
    ],
    [
      "node src/cart.ts:12 totalOf",
      "node src/cart.ts:3 add",
      "node src/cart.ts:1 Cart",
      "node src/pay.ts:4 -",
      "node src/cart.test.ts:5 -",
    ],
  );
  check(
    "Dart's test runner",
    [
      "package:shop/src/cart.dart 12:5                 Cart.total",
      "package:test_api                               expect",
      "lib/src/pay.dart 3:9  payAll.<fn>",
      "test/cart_test.dart 7:5                         main.<fn>.<fn>",
    ],
    ["other lib/src/cart.dart:12 total", "other lib/src/pay.dart:3 payAll", "other test/cart_test.dart:7 main"],
  );
  check(
    "GHC, which names a module behind a location",
    ["  error, called at src/Shop/Price.hs:12:5 in main:Shop.Price"],
    ["other src/Shop/Price.hs:12 -"],
  );
  check(
    "Clojure",
    ["\tat shop.cart_list$add_item.invoke(cart_list.clj:12)", "\tat shop.cart$total$fn__12.invokeStatic (cart.clj:3)"],
    ["other shop/cart_list.clj:12 -", "other shop/cart.clj:3 -"],
  );
});
