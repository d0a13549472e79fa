/** What the tools of compiled languages write about a failure, somewhere in a long log. */
import { expect, test } from "bun:test";
import { failureInLog } from "../../src/escalation/failure-log.ts";

const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, at) => `${text} ${at}`).join("\n");

test.each([
  [
    "ESLint",
    "9:3  error  'till' is never reassigned. Use 'const' instead  prefer-const",
    "/src/shop/cart.js\n  12:5  warning  Unexpected console statement  no-console\n  14:5  error  'item' is not defined  no-undef\n\n/src/shop/till.js\n  9:3  error  'till' is never reassigned. Use 'const' instead  prefer-const\n\n✖ 3 problems (2 errors, 1 warning)",
  ],
  [
    "ExUnit, with a trace",
    "** (FunctionClauseError) no function clause matching in Shop.Cart.add/2",
    "  1) test total adds up (Shop.CartTest)\n     test/shop/cart_test.exs:12\n     ** (FunctionClauseError) no function clause matching in Shop.Cart.add/2\n\n     The following arguments were given:\n\n         # 1\n         nil\n\n     code: assert Cart.total(nil) == 3\n     stacktrace:\n       (shop 0.1.0) lib/shop/cart.ex:36: Shop.Cart.add/2\n       (shop 0.1.0) lib/shop/cart.ex:40: Shop.Cart.total/1\n       test/shop/cart_test.exs:14: (test)",
  ],
  [
    "ExUnit, an assertion",
    "Assertion with == failed",
    "  1) test total adds up (Shop.CartTest)\n     test/shop/cart_test.exs:12\n     Assertion with == failed\n     left:  3\n     right: 4\n     stacktrace:\n       test/shop/cart_test.exs:14: (test)",
  ],
  [
    "dotnet test",
    "Assert.Equal() Failure: Values differ",
    "  Failed Shop.Tests.CartTests.Total [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 4\nActual:   3\n  Stack Trace:\n     at Shop.Tests.CartTests.Total() in /src/Shop.Tests/CartTests.cs:line 14",
  ],
  [
    ".NET",
    "Unhandled exception. System.InvalidOperationException: Sequence contains no elements",
    "Unhandled exception. System.InvalidOperationException: Sequence contains no elements\n   at Shop.Cart.First() in /src/Shop/Cart.cs:line 42\n   at Shop.Program.Main() in /src/Shop/Program.cs:line 9",
  ],
  [
    "Swift",
    "Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range",
    'Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range\n\nThread 0 "Run" crashed:\n\n0 [inlined] [system] 0x0000aaaace338354 _assertionFailure(_:_:) + 256 in libswiftCore.so\n1 0x0000aaaace337d24 Cart.add(item:) + 307 in Run at /build/Sources/Shop/Cart.swift:121:35\n\n   121│         items[count] = item\n\n2 0x0000aaaace1eebc8 static Main.main() + 63 in Run at /build/Sources/Run/main.swift:17:29',
  ],
  [
    "PHPUnit",
    "Failed asserting that 3 matches expected 4.",
    "1) Shop\\Tests\\CartTest::testTotal\nFailed asserting that 3 matches expected 4.\n\n/src/tests/CartTest.php:14",
  ],
  [
    "GoogleTest",
    "/src/test/cart_test.cc:14: Failure",
    "[ RUN      ] CartTest.Total\n/src/test/cart_test.cc:14: Failure\nExpected equality of these values:\n  cart.total()\n    Which is: 3\n  4\n\n[  FAILED  ] CartTest.Total (0 ms)",
  ],
  [
    "Catch2",
    "/src/tests/test_cart.cpp:14: FAILED:",
    "/src/tests/test_cart.cpp:14: FAILED:\n  REQUIRE( cart.total() == 4 )\nwith expansion:\n  3 == 4",
  ],
  [
    "AddressSanitizer",
    "==45696==ERROR: AddressSanitizer: heap-use-after-free on address 0x6110",
    "==45696==ERROR: AddressSanitizer: heap-use-after-free on address 0x6110\nREAD of size 158 at 0x6110 thread T2\n    #0 0x7f578d7bccea in add_item /home/o/shop/cart.c:839\n    #1 0x7f578d7c036c in total /home/o/shop/cart.c:549",
  ],
  [
    "C++",
    "what():  vector::_M_range_check",
    "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check\nAborted (core dumped)",
  ],
  [
    "C",
    "cart: src/cart.c:12: add_item: Assertion `cart != NULL' failed.",
    "cart: src/cart.c:12: add_item: Assertion `cart != NULL' failed.\nAborted (core dumped)",
  ],
  [
    "Gradle",
    "e: file:///src/shop/Cart.kt:12:3 Unresolved reference: totl",
    "> Task :shop:compileKotlin FAILED\ne: file:///src/shop/Cart.kt:12:3 Unresolved reference: totl\n\nFAILURE: Build failed with an exception.",
  ],
  [
    "sbt",
    "[info] - adds up *** FAILED ***",
    "[info] CartSpec:\n[info] - adds up *** FAILED ***\n[info]   3 did not equal 4 (CartSpec.scala:14)",
  ],
  [
    "RSpec",
    "Failure/Error: expect(cart.total).to eq 4",
    "  1) Cart adds up\n     Failure/Error: expect(cart.total).to eq 4\n\n       expected: 4\n            got: 3\n\n     # ./spec/cart_spec.rb:14:in `block (2 levels) in <top (required)>'",
  ],
])("%s", (_, message, failure) => {
  const found = failureInLog(`${lines(300, "> Task :step")}\n${failure}\n${lines(90, "ok")}`);
  expect(found?.error_message).toBe(message);
  expect(found?.stack_trace).toContain(failure);
  expect(found?.stack_trace).not.toContain("ok 10");
  expect(found?.stack_trace).not.toContain("> Task :step 270");
});
