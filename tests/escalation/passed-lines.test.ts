/** What a test runner says of itself and of tests that passed names files that have nothing to do with the failure. */
import { expect, test } from "bun:test";
import { failureInLog } from "../../src/escalation/failure-log.ts";

test.each([
  [
    "pytest",
    [
      "platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0",
      "cachedir: .pytest_cache",
      "rootdir: /home/ci/shop",
      "configfile: pyproject.toml",
      "plugins: cov-5.0.0, asyncio-0.23.7",
      "testpaths: tests",
      "collected 12 items",
      "collecting ... collected 12 items",
      "tests/test_cart.py ....s.xX                                              [  2%]",
      "tests/test_till.py ....",
      "tests/test_cart.py::TestCart::test_add PASSED                            [  8%]",
      "tests/test_cart.py::test_slow SKIPPED (no network)                       [  9%]",
      "[gw1] [ 50%] PASSED tests/test_cart.py::test_total ",
    ],
    ["tests/test_page.py ..F.                            [ 25%]", "tests/test_page.py::test_a FAILED  [ 9%]"],
  ],
  [
    "go test",
    [
      "ok  \texample.com/shop/cart\t0.312s",
      "?   \texample.com/shop/page\t[no test files]",
      "=== RUN   TestAdd",
      "=== PAUSE TestAdd",
      "=== CONT  TestAdd",
      "--- PASS: TestAdd (0.00s)",
      "=== RUN   TestAdd/empty_cart",
      "    --- PASS: TestAdd/empty_cart (0.00s)",
    ],
    ["=== RUN   TestTotal", "--- FAIL: TestTotal (0.00s)", "    cart_test.go:12: 1 != 2"],
  ],
  [
    "jest, vitest, mocha and node",
    [
      " PASS  src/till.test.ts (5.2 s)",
      "PASS src/page.test.ts",
      " ✓ src/cart.test.ts (3 tests) 12ms",
      "    ✓ adds an item (12 ms)",
      "    ✔ total of cart.js",
    ],
    ["    ✕ subtracts (9 ms)", " FAIL  src/cart.test.ts"],
  ],
  [
    "cargo, unittest, TAP, Gradle, GoogleTest, ctest and Swift",
    [
      "test cart::tests::adds ... ok",
      "test cart::tests::slow ... ignored",
      "test_add (tests.test_cart.CartTest.test_add) ... ok",
      "ok 1 - cart.js adds",
      "CartTest > adds() PASSED",
      "[ RUN      ] Cart.Adds",
      "[       OK ] Cart.Adds (0 ms)",
      " 1/3 Test #1: cart_adds ........   Passed    0.01 sec",
      "Test Case '-[ShopTests.CartTests testAdd]' passed (0.001 seconds).",
    ],
    ["test cart::tests::total ... FAILED", "[ RUN      ] Cart.Total", "not ok 2 - cart.js total"],
  ],
])("%s", (_, passed, failed) => {
  const log = [...passed, "it broke", ...failed].join("\n");
  expect(failureInLog(log)?.stack_trace).toBe(["it broke", ...failed].join("\n"));
});

test("a log of nothing else is kept, and so are lines that only look alike", () => {
  expect(failureInLog("ok  \texample.com/shop\t0.3s\n")?.stack_trace).toBe("ok  \texample.com/shop\t0.3s");
  const alike = [
    "ok, then it fails",
    "test the cart ... okay?",
    "PASS the salt",
    "cart.py ... is wrong",
    "rootdir is gone",
  ];
  expect(failureInLog(alike.join("\n"))?.stack_trace).toBe(alike.join("\n"));
});
