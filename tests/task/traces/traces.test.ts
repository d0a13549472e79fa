import { describe, expect, test } from "bun:test";
import { TASK_LIMITS } from "../../../src/task/query.ts";
import { splitSections } from "../../../src/task/sections/sections.ts";
import { findErrorPatterns } from "../../../src/task/traces/error-patterns.ts";
import { checkFrames, framesIn } from "../../support/frames.ts";

describe("frames", () => {
  checkFrames(
    "Python",
    [
      "Traceback (most recent call last):",
      '  File "/srv/app/main.py", line 12, in <module>',
      "    main()",
      '  File "src/auth/handler.py", line 42, in validate_login',
      "ValueError: no",
    ],
    ["python /srv/app/main.py:12 -", "python src/auth/handler.py:42 validate_login"],
  );
  checkFrames(
    "pytest",
    ["tests/test_a.py:7: in test_ok", "src/a.py:9: ValueError"],
    ["python tests/test_a.py:7 test_ok", "python src/a.py:9 -"],
  );
  checkFrames(
    "Node",
    [
      "TypeError: x is not a function",
      "    at UserService.findOne (/app/src/user.service.ts:31:22)",
      "    at async Object.<anonymous> (file:///app/test/x.spec.ts:5:1)",
      "    at new Cart (C:\\My Shop\\src\\cart.js:1:2)",
      "    at handle [as onClick] (./src/handle.jsx:8:1)",
      "    at src/plain.mjs:3:4",
      "    at node:internal/process/task_queues:95:5",
      "    at Module._compile (node:internal/modules/cjs/loader:1105:14)",
      "    at Array.map (<anonymous>)",
    ],
    [
      "node /app/src/user.service.ts:31 findOne",
      "node /app/test/x.spec.ts:5 -",
      "node C:/My Shop/src/cart.js:1 Cart",
      "node ./src/handle.jsx:8 handle",
      "node src/plain.mjs:3 -",
    ],
  );
  checkFrames(
    "places in a sentence",
    ["see src/a.py:7, src/b.ts:3:14 and (src/c.rs#L10-L20).", "**src/d.go:5-9** and src/e.rb:1."],
    ["python src/a.py:7 -", "node src/b.ts:3 -", "rust src/c.rs:10 -", "go src/d.go:5 -", "other src/e.rb:1 -"],
  );
  checkFrames(
    "places as reviews write them",
    ["src/a.ts:L40-L52 and src/b.ts:L7", "src/c.ts:12–20, src/d.ts:12..20, src/e.ts:3~9; vercel/next.js#123"],
    ["node src/a.ts:40 -", "node src/b.ts:7 -", "node src/c.ts:12 -", "node src/d.ts:12 -", "node src/e.ts:3 -"],
  );
  checkFrames(
    "lines before a path in a sentence",
    ["It fails at line 12 of src/a.py.", "see Lines 3-9 in the file cart.h, and line 4 in total or of v1.2"],
    ["python src/a.py:12 -", "other cart.h:3 -"],
  );
  checkFrames(
    "browsers",
    ["render@src/view.js:10:5", "webpack:///./src/app.tsx:3:1"],
    ["node src/view.js:10 render", "node ./src/app.tsx:3 -"],
  );
  checkFrames(
    "pages of a server, and what bundlers add to a path",
    [
      "    at format (http://localhost:5173/src/lib/format.ts?t=1700000000:2:15)",
      "    at async https://app.example.com/assets/start.js:1:2045",
      "List@http://localhost:5173/src/List.tsx:4:36",
      "    at webpack-internal:///./src/pay.ts?:7:1",
      "    at setup (webpack://shop/./src/cart.js?1a2b:3:1)",
      "    at render (src/Cart.vue?vue&type=script&lang.ts:10:3)",
    ],
    [
      "node /src/lib/format.ts:2 format",
      "node /assets/start.js:1 -",
      "node /src/List.tsx:4 List",
      "node ./src/pay.ts:7 -",
      "node shop/./src/cart.js:3 setup",
      "node src/Cart.vue:10 render",
    ],
  );
  checkFrames(
    "brackets in a path",
    [
      "    at Cart (src/app/(shop)/cart/page.tsx:12:3)",
      "    at async Pay (webpack-internal:///(rsc)/./src/app/(shop)/pay.tsx:1:2)",
    ],
    ["node src/app/(shop)/cart/page.tsx:12 Cart", "node ./src/app/(shop)/pay.tsx:1 Pay"],
  );
  checkFrames(
    "links are no frames",
    ["https://example.com/a.js", "https://example.com/?file=/src/a.js:1-3", "https://example.com/x.png:3"],
    [],
  );
  checkFrames(
    "Java",
    [
      "java.lang.NullPointerException: null",
      "\tat com.shop.cart.Cart$Item.total(Cart.java:42)",
      "\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)",
      "\tat com.shop.Main.main(Main.kt:3)",
      "\tat sun.misc.Unsafe.park(Native Method)",
    ],
    [
      "java com/shop/cart/Cart.java:42 total",
      "java java/util/ArrayList.java:1511 forEach",
      "java com/shop/Main.kt:3 main",
    ],
  );
  checkFrames(
    "Go",
    [
      "panic: runtime error: index out of range [5]",
      "goroutine 1 [running]:",
      "main.(*Server).handle(0xc000010250, {0x5, 0x6})",
      "\t/home/me/app/server.go:57 +0x1d",
      "created by main.start in goroutine 1",
      "\t/home/me/app/main.go:12 +0x2a",
    ],
    ["go /home/me/app/server.go:57 handle", "go /home/me/app/main.go:12 start"],
  );
  checkFrames(
    "Rust",
    [
      "thread 'main' panicked at src/lexer.rs:88:13:",
      "stack backtrace:",
      "   1: mylib::lexer::Lexer::next_token::h0123456789abcdef",
      "             at ./src/lexer.rs:88:13",
      "   2: mylib::parse::{{closure}}",
      "             at ./src/parse.rs:10:5",
    ],
    ["rust src/lexer.rs:88 -", "rust ./src/lexer.rs:88 next_token", "rust ./src/parse.rs:10 parse"],
  );
  checkFrames(
    "Ruby, PHP and C#",
    [
      "lib/foo.rb:12:in `bar': undefined (NoMethodError)",
      "\tfrom lib/x.rb:3:in 'Foo#baz'",
      "#0 /srv/src/Cart.php(123): Shop\\Cart->total()",
      "   at Shop.Cart.Total(Int32 n) in C:\\src\\Cart.cs:line 12",
    ],
    [
      "other lib/foo.rb:12 bar",
      "other lib/x.rb:3 baz",
      "other /srv/src/Cart.php:123 total",
      "other C:/src/Cart.cs:12 Total",
    ],
  );
  checkFrames(
    "lines that compilers and interpreters write behind a path",
    [
      "src/cart.ts(12,3): error TS2345: no",
      "Cart.cs(7): error CS0103: no",
      "src\\cart.cpp(9) : error C2065: no",
      "[ERROR] /ci/src/main/java/shop/Cart.java:[12,3] cannot find symbol",
      "e: /ci/src/Cart.kt: (12, 3): Unresolved reference",
      "PHP Warning:  Undefined variable $total in /srv/src/Cart.php on line 33",
      "Fatal error: Unexpectedly found nil: file Sources/App/main.swift, line 12",
      "call it as cart.r(12) or draw.r[1,2]",
    ],
    [
      "node src/cart.ts:12 -",
      "other Cart.cs:7 -",
      "other src/cart.cpp:9 -",
      "java /ci/src/main/java/shop/Cart.java:12 -",
      "java /ci/src/Cart.kt:12 -",
      "other /srv/src/Cart.php:33 -",
      "other Sources/App/main.swift:12 -",
    ],
  );
  checkFrames(
    "blocks of Ruby and functions of Lua",
    [
      "\tfrom lib/x.rb:4:in `block (2 levels) in total'",
      "\tfrom lib/x.rb:5:in `rescue in block in total'",
      "\tfrom lib/x.rb:6:in 'block in Shop::Cart#add'",
      "\tfrom lib/x.rb:7:in `<top (required)>'",
      "\tcart.lua:12: in function 'shop.add'",
    ],
    [
      "other lib/x.rb:4 total",
      "other lib/x.rb:5 total",
      "other lib/x.rb:6 add",
      "other lib/x.rb:7 -",
      "other cart.lua:12 add",
    ],
  );
  checkFrames(
    "Java and Kotlin without an `at`, and behind what Android's log begins with",
    [
      "shop.cart.Cart.add (Cart.java:12)",
      "...$Total.sum (Total.kt:7)",
      "3   shop.cart.Cart$remove$1.invokeSuspend(Cart.kt:31)",
      "E/AndroidRuntime(28150):    at shop.Order.pay(Order.java:8)",
      "08-23 14:59:31.632 W/System.err(18773):      at shop.Order.<init>(Order.java:3)",
    ],
    [
      "java shop/cart/Cart.java:12 add",
      "java Total.kt:7 sum",
      "java shop/cart/Cart.kt:31 remove",
      "java shop/Order.java:8 pay",
      "java shop/Order.java:3 -",
    ],
  );
  checkFrames(
    "numbered frames of C and Dart",
    [
      "#0  0x00007ffff7a in add_item (cart=0x0) at src/cart.c:12",
      "#1  main () at main.c:3",
      "    #2 0x55d in shop::Cart::add(int, char) /src/cart.cpp:12:3",
      "==123==    by 0x4006: total (cart.c:5)",
      "#0      Cart.add (package:shop/src/cart.dart:12:5)",
      "#1      Cart.total.<anonymous closure> (package:shop/src/cart.dart:13:5)",
    ],
    [
      "other src/cart.c:12 add_item",
      "other main.c:3 main",
      "other /src/cart.cpp:12 add",
      "other cart.c:5 total",
      "other lib/src/cart.dart:12 add",
      "other lib/src/cart.dart:13 total",
    ],
  );
  checkFrames(
    "functions that compilers make",
    [
      "\tat shop.Cart.lambda$add$0(Cart.java:5)",
      "\tat shop.Cart.access$total(Cart.kt:6)",
      "\tat shop.Cart$load$1.invokeSuspend(Cart.kt:7)",
      "   at Shop.Cart.<Save>d__3.MoveNext() in /src/Cart.cs:line 8",
      "   at Shop.Cart.<>c__DisplayClass1_0.<Pay>b__0(Int32 n) in /src/Cart.cs:line 9",
    ],
    [
      "java shop/Cart.java:5 add",
      "java shop/Cart.kt:6 total",
      "java shop/Cart.kt:7 load",
      "other /src/Cart.cs:8 Save",
      "other /src/Cart.cs:9 Pay",
    ],
  );
  checkFrames(
    "Elixir and Erlang",
    [
      "** (FunctionClauseError) no function clause matching in IO.chardata_to_string/1",
      "    (elixir 1.15.7) lib/io.ex:445: IO.chardata_to_string(nil)",
      "    (shop) lib/shop/cart.ex:36: Shop.Cart.add!/2",
      "    (shop 0.1.0) lib/shop/cart.ex:40: anonymous fn/3 in Shop.Cart.total/1",
      '    (elixir) lib/enum.ex:1357: Enum."-map/2-lists^map/1-0-"/2',
      "    (cowboy) src/cowboy_handler.erl:42: :cowboy_handler.execute/2",
      "    test/cart_test.exs:7: (test)",
      '    {Shop.Cart, :pay, 1, [file: ~c"lib/shop/cart.ex", line: 50]}',
      '    {cart,add,2,[{file,"src/cart.erl"},{line,12}]}',
    ],
    [
      "other lib/io.ex:445 chardata_to_string",
      "other lib/shop/cart.ex:36 add!",
      "other lib/shop/cart.ex:40 total",
      "other lib/enum.ex:1357 -",
      "other src/cowboy_handler.erl:42 execute",
      "other test/cart_test.exs:7 -",
      "other lib/shop/cart.ex:50 -",
      "other src/cart.erl:12 -",
    ],
  );
  checkFrames(
    "Swift, and frames of lldb",
    [
      " 2 [ra]                    0x0000aaaace337d24 Cart.add(item:count:) + 307 in Run at /build/Sources/Shop/Cart.swift:121:35",
      "3 [inlined] 0x0000aaaace1eebc8 specialized closure #1 in Cart.total.getter + 63 in Run at /build/Sources/Shop/Cart.swift:17:29",
      "42  Run   0x0000000111833131 static Page.show(_:) + 93 (Page.swift:21)",
      "  * frame #0: 0x0000000100003f8c shop`Cart.pay(sum=3, self=0x0) at Cart.swift:12:9",
      "    frame #1: 0x0000000100003f9c shop`shop::main(argc=1) at main.cpp:5:3",
    ],
    [
      "other /build/Sources/Shop/Cart.swift:121 add",
      "other /build/Sources/Shop/Cart.swift:17 total",
      "other Page.swift:21 show",
      "other Cart.swift:12 pay",
      "other main.cpp:5 main",
    ],
  );
  checkFrames(
    "frames of gdb on two lines",
    [
      "#8  0x00000000006b0e4a in shop::carts<shop::lock>::add (this=0x1dd9768, msg=...)",
      "    at shop/carts.h:58",
      "#9  total (cart=0x1,",
      "    this=<optimized out>) at shop/total.c:3",
      "see shop/pay.c:7",
    ],
    ["other shop/carts.h:58 add", "other shop/total.c:3 total", "other shop/pay.c:7 -"],
  );
  checkFrames(
    "what compilers add to the names of functions",
    [
      "   at Shop.Cart.Load[T](IDb db, Type type) in /_/Shop/Cart.cs:line 4",
      "   at Shop.Cart.<Query>d__33`1.MoveNext() in C:\\shop\\Cart.cs:line 5",
      "   at Shop.Cart.<Sum>g__Add|3_0(Int32 n) in /src/Cart.cs:line 6",
      "   at Shop.Cart.get_Total() in /src/Cart.cs:line 7",
      "\tat shop.Cart.put$shop_core(Cart.kt:8)",
      "\tat shop.Cart.find$default(Cart.kt:9)",
      "\tat shop.Cart.size-pVg5ArA(Cart.kt:10)",
      "\tat shop.Cart$$anonfun$run$3.apply(Cart.scala:11)",
      "   7: <shop::Cart as core::fmt::Display>::fmt",
      "             at ./src/cart.rs:12:3",
      "   8: shop::cart::parse::{closure#0}",
      "             at ./src/cart.rs:13:3",
      "   9: shop::cart::load::<alloc::string::String>",
      "             at ./src/cart.rs:14:3",
      "main.Map[...](0xc000010250)",
      "\t/app/map.go:15 +0x1d",
    ],
    [
      "other /_/Shop/Cart.cs:4 Load",
      "other C:/shop/Cart.cs:5 Query",
      "other /src/Cart.cs:6 Sum",
      "other /src/Cart.cs:7 Total",
      "java shop/Cart.kt:8 put",
      "java shop/Cart.kt:9 find",
      "java shop/Cart.kt:10 size",
      "java shop/Cart.scala:11 run",
      "rust ./src/cart.rs:12 fmt",
      "rust ./src/cart.rs:13 parse",
      "rust ./src/cart.rs:14 load",
      "go /app/map.go:15 Map",
    ],
  );
  checkFrames(
    "cells of notebooks",
    [
      "File ~/shop/cart.py:12, in Cart.add(self, item)",
      "~/shop/cart.py in total(self)",
      "     20     prices = self.prices()",
      "---> 21     return sum(prices)",
      "[c:\\shop\\cart.py](file:///c:/shop/cart.py) in <module>",
      "-> 3 run()",
      "----> 4 run()",
    ],
    ["python ~/shop/cart.py:12 add", "python ~/shop/cart.py:21 total", "python c:/shop/cart.py:3 -"],
  );
  checkFrames(
    "blanks in a path",
    ["   at Shop.Cart.Add(Item a, in Item b) in C:\\Users\\Al Ray\\shop\\Cart.cs:line 42"],
    ["other C:/Users/Al Ray/shop/Cart.cs:42 Add"],
  );
  checkFrames(
    "a frame that repeats is listed once",
    ['  File "a.py", line 1, in f', '  File "a.py", line 1, in f'],
    ["python a.py:1 f"],
  );
  checkFrames(
    "places below a path, as ESLint and Stylelint list them",
    [
      "/home/me/shop/src/cart.ts",
      "  12:5   error    'item' is never used  no-unused-vars",
      "  240:13  warning  Unexpected console statement  no-console",
      "",
      "styles/page.css",
      "  5:1  ✖  Unexpected empty block  block-no-empty",
      "C:\\shop\\src\\till.js",
      "  1:1  error  Missing semicolon  semi",
      "  3:4 is a place",
    ],
    ["node /home/me/shop/src/cart.ts:12 -", "node /home/me/shop/src/cart.ts:240 -", "node C:/shop/src/till.js:1 -"],
  );
  checkFrames(
    "lines below a path, as PHPStan lists them",
    [
      " ------ -------------------------------",
      "  Line   src/Cart.php",
      " ------ -------------------------------",
      "  12     Undefined variable: $item",
      "         identifier: variable.undefined",
      "  130    Method Cart::add() has no return type.",
    ],
    ["other src/Cart.php:12 -", "other src/Cart.php:130 -"],
  );
  checkFrames("times, ports and ratios are no frames", ["at 10:45 on localhost:8080", "16:9 and a.b:3 and v1.2:5"], []);

  test("a location in the title counts", () => {
    expect(framesIn("crash in src/a.ts:12")).toEqual(["node src/a.ts:12 -"]);
  });
  test("of too many, the first and the last are kept", () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `  File "a.py", line ${at + 1}, in f`);
    const found = framesIn(["t", ...lines].join("\n"));
    expect(found).toHaveLength(TASK_LIMITS.framesMax);
    expect(found[0]).toBe("python a.py:1 f");
    expect(found.at(-1)).toBe("python a.py:1000 f");
  });
});

describe("error patterns", () => {
  const checkErrors = (name: string, text: string, expected: readonly string[]) =>
    test(name, () => expect(findErrorPatterns(splitSections(text).sections)).toEqual([...expected]));

  checkErrors("classes and numbers", "ValueError or a MyCustomException, ENOENT, ERR_MODULE_NOT_FOUND, TS2345, E0382", [
    "ValueError",
    "MyCustomException",
    "ENOENT",
    "ERR_MODULE_NOT_FOUND",
    "TS2345",
    "E0382",
  ]);
  checkErrors("words that look like them are not", "An Error, the EXPORT of Warnings, SOMEERROR", []);
  checkErrors("error lines, then quotations, then frames", 't\n"cannot open file"\nTypeError: no\n  at f (a.js:1:1)', [
    "TypeError",
    "TypeError: no",
    "cannot open file",
    "at f (a.js:1:1)",
  ]);
  checkErrors("an error as the title", "TypeError: foo() takes 1 argument\nIt is called with two.", [
    "TypeError",
    "TypeError: foo() takes 1 argument",
  ]);
  checkErrors("a title that begins with an error's name", "TypeError when foo() takes 1 argument", ["TypeError"]);
  checkErrors("a title that begins with a module's name", "error_functions: add the sum of two terms", []);
  checkErrors("quotations of every kind", "t\nsays “file not found” and 'no such user' and `Cannot read the file`", [
    "Cannot read the file",
    "file not found",
    "no such user",
  ]);
  checkErrors("apostrophes open no quotation", "it isn't what we don't want, the users' list of 'x'", []);
  checkErrors("code between backticks is no message", "t\n`foo(a, b) = c; d` and `a b`", []);
  test("many and long ones are cut", () => {
    const text = Array.from({ length: 500 }, (_, at) => `ValueError: ${at} ${"x".repeat(350)}`).join("\n");
    const found = findErrorPatterns(splitSections(`t\n${text}`).sections);
    expect(found).toHaveLength(TASK_LIMITS.errorPatternsMax);
    expect(Math.max(...found.map((pattern) => pattern.length))).toBe(TASK_LIMITS.errorPatternCharsMax);
  });
});

describe("blocks of Ruby", () => {
  checkFrames(
    "are in the method around them, or in none",
    [
      "lib/log.rb:31:in `block (2 levels) in <top (required)>'",
      "lib/log.rb:30:in `block in <top (required)>'",
      "lib/log.rb:20:in `rescue in block in write'",
      "lib/log.rb:10:in 'block in Shop::Log#flush'",
      "lib/block.rb:3:in `block'",
    ],
    [
      "other lib/log.rb:31 -",
      "other lib/log.rb:30 -",
      "other lib/log.rb:20 write",
      "other lib/log.rb:10 flush",
      "other lib/block.rb:3 block",
    ],
  );
  checkFrames(
    "also where monitoring writes frames as Python does",
    [
      '  File "/app/lib/log.rb", line 20, in block in write',
      '  File "/app/lib/log.rb", line 3, in flush',
      '  File "webpack:///src/log.js", line 3, in close',
    ],
    ["other /app/lib/log.rb:20 write", "other /app/lib/log.rb:3 flush", "node src/log.js:3 close"],
  );
});

describe("traces in strings of JSON", () => {
  const logged = (stack: string) => `It crashes\n${JSON.stringify({ level: "error", stack, service: "shop" })}`;
  const python =
    'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 3, in total\n    rate = RATES["eur"]\nValueError: no';
  for (const [language, stack, expected] of [
    ["Python", python, "python /app/shop/cart.py:3 total"],
    ["Java", "java.lang.Exception: no\r\n\tat com.shop.Cart.add(Cart.java:8)", "java com/shop/Cart.java:8 add"],
    ["C#", "Exception: no\r\n   at Shop.Cart.Add(Item i) in C:\\new\\Cart.cs:line 12", "other C:/new/Cart.cs:12 Add"],
    ["Go", "goroutine 1 [running]:\nmain.(*Cart).Add(...)\n\t/shop/cart.go:12 +0x1d", "go /shop/cart.go:12 Add"],
    ["JavaScript", "TypeError: no\n    at Cart.add (/app/cart.js:3:5)", "node /app/cart.js:3 add"],
  ] as const) {
    test(language, () => expect(framesIn(logged(stack))).toEqual([expected]));
  }
  test("the error is that of the trace", () => {
    expect(findErrorPatterns(splitSections(logged(python)).sections)).toContain("ValueError: no");
  });
  test("a string in a string, in a fence, and cut", () => {
    const twice = JSON.stringify({ message: JSON.stringify({ stack: python }) });
    expect(framesIn(`It crashes\n\`\`\`json\n${twice}\n\`\`\``)).toHaveLength(1);
    expect(framesIn(`It crashes\n${twice.slice(0, -30)}`)).toHaveLength(1);
  });
  test("strings of code stay", () => {
    const code = 'throw new Error("no cart\\n at the end"); path = "C:\\\\new\\\\at.py"';
    expect(splitSections(`It crashes\n\`\`\`js\n${code}\n\`\`\``).sections.map(({ text }) => text)).toContain(code);
  });
});
