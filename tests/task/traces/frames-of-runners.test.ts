/** Stack frames as runners of tests, services that watch for errors, and less common languages write them. */
import { describe } from "bun:test";
import { checkFrames } from "../../support/frames.ts";

describe("frames", () => {
  checkFrames(
    "issues that Sentry files",
    [
      "lib/shop/cart.ex in Shop.Cart.total/1 at line 12",
      "lib/shop/pay.ex in anonymous fn/3 in Shop.Pay.each/2 at line 7",
      "app/models/order.rb in block in total at line 5",
      "./src/cart.ts in totalOf at line 3:14",
      "shop/cart.py in <module> at line 9",
    ],
    [
      "other lib/shop/cart.ex:12 total",
      "other lib/shop/pay.ex:7 each",
      "other app/models/order.rb:5 total",
      "node ./src/cart.ts:3 totalOf",
      "python shop/cart.py:9 -",
    ],
  );
  checkFrames(
    "an event of Sentry, the deepest last",
    [
      '{"exception": {"values": [{"type": "TypeError", "stacktrace": {"frames": [',
      '{"function": "run", "filename": "src/run.js", "lineno": 3, "vars": {"a": 1}},',
      '{"filename": "src/shop/cart.js", "abs_path": "/app/src/shop/cart.js",',
      '  "function": "total", "lineno": 42, "colno": 3, "in_app": true},',
      '{"filename": "shop/a.py", "lineno": 1}, {"filename": "shop/b.py", "function": "total", "lineno": 2},',
      '{"filename": "<anonymous>", "lineno": 2}]}}]}}',
    ],
    ["python shop/a.py:1 -", "python shop/b.py:2 total", "node src/shop/cart.js:42 total", "node src/run.js:3 run"],
  );
  checkFrames(
    "an error response of Laravel, and structured logs",
    [
      '{"message": "no", "file": "/var/www/app/Cart.php", "line": 12, "trace": [{"file": "/var/www/app/Pay.php", "line": 3,',
      '"function": "total", "class": "Cart"}, {"function": "main"}]}',
      '{"level":"error","line":7,"file":"shop/cart.go","func":"main.(*Cart).Add"}',
    ],
    ["other /var/www/app/Cart.php:12 -", "other /var/www/app/Pay.php:3 -", "go shop/cart.go:7 Add"],
  );
  checkFrames(
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
  checkFrames(
    "Dart's test runner",
    [
      "package:shop/src/cart.dart 12:5                 Cart.total",
      "package:test_api                               expect",
      "lib/src/pay.dart 3:9  payAll.<fn>",
      "test/cart_test.dart 7:5                         main.<fn>.<fn>",
    ],
    ["other lib/src/cart.dart:12 total", "other lib/src/pay.dart:3 payAll", "other test/cart_test.dart:7 main"],
  );
  checkFrames(
    "GHC, which names a module behind a location",
    ["  error, called at src/Shop/Price.hs:12:5 in main:Shop.Price"],
    ["other src/Shop/Price.hs:12 -"],
  );
  checkFrames(
    "Clojure",
    ["\tat shop.cart_list$add_item.invoke(cart_list.clj:12)", "\tat shop.cart$total$fn__12.invokeStatic (cart.clj:3)"],
    ["other shop/cart_list.clj:12 -", "other shop/cart.clj:3 -"],
  );
});
