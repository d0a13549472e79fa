import { describe, expect, test } from "bun:test";
import { splitSections } from "../../../src/task/sections/sections.ts";

const shown = (text: string) =>
  splitSections(text).sections.map((section) => `${section.kind}: ${section.text.trim()}`);

const check = (name: string, text: string | readonly string[], expected: readonly string[]) =>
  test(name, () => {
    expect(shown(typeof text === "string" ? text : text.join("\n"))).toEqual([...expected]);
  });

describe("sentences over several lines", () => {
  check(
    "a line that goes on with a sentence is no heading of a template",
    [
      "t",
      "",
      "This happens if the path comes from the",
      "environment.",
      "Then `load` fails.",
      "Cart.add is not called.",
    ],
    [
      "title: t",
      "prose: This happens if the path comes from the",
      "prose: environment.",
      "inline: load",
      "prose: Then   fails.",
      "prose: Cart.add is not called.",
    ],
  );
  check(
    "it is one behind a blank line, behind the end of a sentence, with a capital letter and with a colon",
    ["t", "", "It fails", "", "environment", "", "It fails.", "info", "It fails", "Issue", "It fails", "logs:"],
    [
      "title: t",
      "prose: It fails",
      "noise: environment",
      "noise: It fails.",
      "noise: info",
      "noise: It fails",
      "noise: Issue",
      "prose: It fails",
      "noise: logs:",
    ],
  );
  check(
    "nor is it an error because it begins with the name of one",
    [
      "t",
      "",
      "An empty cart raises a",
      "TypeError because `total` is null, and a closed one a",
      "ValueError) instead.",
    ],
    [
      "title: t",
      "prose: An empty cart raises a",
      "inline: total",
      "prose: TypeError because   is null, and a closed one a",
      "prose: ValueError) instead.",
    ],
  );
  check(
    "what a program reports is an error there too",
    [
      "t",
      "",
      "Now I get",
      "TypeError: it is null",
      "Then I get",
      "Error while loading conftest",
      "and then",
      "panic: it is nil",
    ],
    [
      "title: t",
      "prose: Now I get",
      "error: TypeError: it is null",
      "prose: Then I get",
      "error: Error while loading conftest",
      "prose: and then",
      "error: panic: it is nil",
    ],
  );
});

describe("a checklist that is wrapped", () => {
  check(
    "all lines of an entry that is done are noise",
    [
      "t",
      "- [x] I have included the output of the report.",
      "    (if you cannot, tell the version",
      "     of Cart.add).",
      "- [X] I have read the guide for those who submit and am the author of",
      "changes, or say who is.",
      "The cart is empty",
    ],
    [
      "title: t",
      "noise: - [x] I have included the output of the report.",
      "noise: (if you cannot, tell the version",
      "noise: of Cart.add).",
      "noise: - [X] I have read the guide for those who submit and am the author of",
      "noise: changes, or say who is.",
      "prose: The cart is empty",
    ],
  );
  check(
    "but not what comes after a blank line, in another entry, and below one that is to be done",
    ["t", "- [x] done", "", "  the cart", "- [x] done", "  - [ ] sum", "    of all", "- [x] done", "the cart"],
    [
      "title: t",
      "noise: - [x] done",
      "prose: the cart",
      "noise: - [x] done",
      "prose: - [ ] sum",
      "prose: of all",
      "noise: - [x] done",
      "prose: the cart",
    ],
  );
});

describe("traces and errors", () => {
  check(
    "an unfenced traceback",
    ["t", "Traceback (most recent call last):", '  File "a.py", line 1, in f', "    g()", "ValueError: no", "so"],
    [
      "title: t",
      "trace: Traceback (most recent call last):",
      'trace: File "a.py", line 1, in f',
      "trace: g()",
      "error: ValueError: no",
      "prose: so",
    ],
  );
  check(
    "three frames make a fenced block a trace",
    ["t", "```", "  at a (x.js:1:1)", "  at b (y.js:2:2)", "  at c (z.js:3:3)", "end", "```"],
    ["title: t", "trace: at a (x.js:1:1)", "trace: at b (y.js:2:2)", "trace: at c (z.js:3:3)", "trace: end"],
  );
  check(
    "so does the head of a trace",
    ["t", "```", "Traceback (most recent call last):", '  File "a.py", line 1, in f', "    g()", "```"],
    ["title: t", "trace: Traceback (most recent call last):", 'trace: File "a.py", line 1, in f', "trace: g()"],
  );
  check(
    "two do not",
    ["t", "```", "  at a (x.js:1:1)", "  at b (y.js:2:2)", "```"],
    ["title: t", "code: at a (x.js:1:1)", "code: at b (y.js:2:2)"],
  );
  for (const line of [
    "shop.cart.Cart.add (Cart.java:12)",
    "...$Total.sum (Total.kt:7)",
    "0   shop.cart.Cart.add(Cart.kt:12)",
    "E/AndroidRuntime( 281):    at shop.Order.pay(Order.java:8)",
    "08-23 14:59:31.632 W/System.err(18773):   at shop.Order.pay(Order.java:8)",
    "6   Cart     \t0x00000001036c5b38 Cart.add(item:) + 428 (Cart.swift:12)",
    "(plug 1.14.2) lib/plug/conn.ex:663: Plug.Conn.merge_resp_headers/2",
    '(elixir) lib/enum.ex:1811: Enum."-reduce/3-lists^foldl/2-0-"/3',
    "0  libswiftCore.dylib             0x2a9fa4 swift_getGenericMetadata + 604",
  ]) {
    check(`a frame: ${line}`, `t\n${line}`, ["title: t", `trace: ${line}`]);
  }
  for (const line of [
    "#0  main () at a.c:1",
    "#1  0x0007 in add (a=1) at cart.c:3",
    "#2  <signal handler called>",
    "#3 {main}",
    "#4 [internal function]: Shop\\Cart->add()",
    "#5 C:\\shop\\cart.php(12): add()",
    "#6      Cart.add (package:shop/cart.dart:12:3)",
    "#7      _rootRun (dart:async/zone.dart:1426:13)",
    "#8 main /tmp/cart.c:3 (cart+0x12)",
  ]) {
    check(`a numbered frame: ${line}`, `t\n${line}`, ["title: t", `trace: ${line}`]);
  }
  for (const line of ["#12", "#12 and #34.", "#12 (see above)", "#5931 filled `Cart.total_price`"])
    test(`the number of an issue: ${line}`, () => {
      expect(splitSections(`t\n\n${line}`).sections.map(({ kind }) => kind)).not.toContain("trace");
    });
  check("a sentence with a place is none", "t\nIt fails at shop.Cart.add(Cart.java:12) now", [
    "title: t",
    "prose: It fails at shop.Cart.add(Cart.java:12) now",
  ]);
  for (const line of [
    "TypeError: x is not a function",
    "Uncaught RangeError: out of range",
    "Caused by: java.io.IOException: closed",
    "E   AssertionError: assert 1 == 2",
    "error: cannot find module 'x'",
    "thread 'main' panicked at 'boom', src/main.rs:2:5",
    "panic: runtime error: index out of range",
    "** (Ecto.ChangeError) value of `Cart.total` does not match",
  ]) {
    check(`an error line: ${line}`, `t\n${line}`, ["title: t", `error: ${line}`]);
  }
  check("a long line is no error line", `t\nerror: ${"word ".repeat(100)}`, [
    "title: t",
    `prose: error: ${"word ".repeat(100)}`.trim(),
  ]);
});
