/** The failure that a log tells of: found from the end, cut to what says something. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { failureInLog } from "../../src/escalation/failure-log.ts";
import { failureTask } from "../../src/escalation/failure-task.ts";
import { splitSections } from "../../src/task/sections/sections.ts";
import { findFrames } from "../../src/task/traces/traces.ts";
import { anyCharacter } from "../support/any-character.ts";

const noise = (count: number, name = "step"): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at} done`).join("\n");
const found = (log: string) => {
  const failure = failureInLog(log);
  if (failure === null) throw new Error("nothing was found");
  return failure;
};
const framesOf = (log: string): readonly string[] =>
  findFrames(splitSections(failureTask(found(log)) ?? "").sections).map(({ path, line }) => `${path}:${line}`);

const PYTHON = `Traceback (most recent call last):
  File "/app/shop/run.py", line 3, in main
    total()
    ^^^^^^^
  File "/app/shop/cart.py", line 9, in total
    return 1 / 0
ZeroDivisionError: division by zero`;

describe("the last failure of a long log is found", () => {
  test.each([
    ["Python", PYTHON, "ZeroDivisionError: division by zero", ["/app/shop/run.py:3", "/app/shop/cart.py:9"]],
    [
      "Node",
      "TypeError: Cannot read properties of undefined (reading 'sum')\n    at total (/app/src/cart.js:9:5)\n    at main (/app/src/run.js:3:1)",
      "TypeError: Cannot read properties of undefined (reading 'sum')",
      ["/app/src/cart.js:9", "/app/src/run.js:3"],
    ],
    [
      "Java, with a cause",
      'Exception in thread "main" java.lang.RuntimeException: outer\n\tat com.shop.Run.main(Run.java:3)\nCaused by: java.lang.IllegalStateException: inner\n\tat com.shop.Cart.total(Cart.java:9)\n\t... 1 more',
      "Caused by: java.lang.IllegalStateException: inner",
      ["com/shop/Run.java:3", "com/shop/Cart.java:9"],
    ],
    [
      "Go",
      "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.total(...)\n\t/app/cart.go:9\nmain.main()\n\t/app/run.go:3 +0x1d",
      "panic: runtime error: index out of range",
      ["/app/cart.go:9", "/app/run.go:3"],
    ],
  ])("%s", (_, trace, message, frames) => {
    const log = `${noise(3_000)}\n${PYTHON.replaceAll("/app/", "/old/")}\n${noise(500)}\n${trace}\n${noise(40, "cleaning")}\nError: Process completed with exit code 1.\n`;
    expect(found(log).error_message).toBe(message);
    expect(framesOf(log)).toEqual(frames);
    const { stack_trace } = found(log);
    expect(stack_trace.split("\n").length).toBeLessThan(30);
    expect(stack_trace).toContain("step 499 done");
    expect(stack_trace).toContain("cleaning 0 done");
  });
});

test("prefixes of collectors, timestamps, colours and overwritten progress are removed", () => {
  const wrap = [
    (line: string) => `2024-05-01T10:11:12.1234567Z ${line}`,
    (line: string) => `build\tRun pytest\t2024-05-01T10:11:12.1234567Z ${line}`,
    (line: string) => `2024-05-01T10:11:12.123456Z 01O ${line}`,
    (line: string) => `#12 3.201 ${line}`,
    (line: string) => `web_1  | ${line}`,
    (line: string) => `Nov  2 10:11:12 host-1 app/web[123]: ${line}`,
    (line: string) => `\x1b[31m${line}\x1b[0m\r`,
    (line: string) => `10%\r20%\r${line}`,
  ];
  for (const around of wrap) {
    const log = `${noise(200)}\n${PYTHON.split("\n").map(around).join("\n")}\n${noise(100)}`;
    expect(found(log).error_message).toBe("ZeroDivisionError: division by zero");
    expect(found(log).stack_trace).toContain(PYTHON);
  }
});

test("a trace in a string of JSON", () => {
  const log = `${noise(200)}\n${JSON.stringify({ level: "error", message: `${"a".repeat(400)}\n${PYTHON}` })}\n${noise(100)}`;
  expect(found(log).error_message).toBe("ZeroDivisionError: division by zero");
  expect(found(log).stack_trace).toContain(PYTHON);
});

test("warnings with a location are not the failure if there is a real one", () => {
  const warned = "lib/old.py:3: DeprecationWarning: use the other\n  old()";
  expect(framesOf(`${noise(100)}\n${PYTHON}\n${noise(100)}\n${warned}\n${noise(100)}`)).toContain(
    "/app/shop/cart.py:9",
  );
  expect(framesOf(`${noise(100)}\n${warned}\n${noise(100)}`)).toEqual(["lib/old.py:3"]);
});

const PYTEST = `=================================== FAILURES ===================================
_________________________________ test_other __________________________________

    def test_other():
>       assert one() == 2
E       assert 1 == 2

tests/test_other.py:4: AssertionError
_________________________________ test_total __________________________________

cart = <Cart 1>

    def test_total(cart):
        cart.add(3)
>       assert total(cart) == 3

tests/test_cart.py:9: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def total(cart):
        """The sum.

        Of all items.
        """
>       assert cart.items == 3
E       assert 2 == 3

src/cart.py:12: AssertionError
----------------------------- Captured stdout call -----------------------------
adding
=========================== short test summary info ============================
FAILED tests/test_other.py::test_other - assert 1 == 2
FAILED tests/test_cart.py::test_total - assert 2 == 3`;

const JEST = ` FAIL  src/cart.test.ts
  cart
    ✕ adds up (5 ms)

  ● cart › adds up

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      3 | test('adds up', () => {
    > 4 |   expect(total(1, 2)).toBe(4);
        |                       ^
      5 | });

      at Object.<anonymous> (src/cart.test.ts:4:23)

Test Suites: 1 failed, 120 passed, 121 total
npm ERR! Test failed.  See above for more details.`;

describe("of a test runner's report", () => {
  test("pytest: the last failure is complete, with its test and the text between frames, and without others", () => {
    const failure = found(`${noise(300)}\n${PYTHON}\n${noise(300)}\n${PYTEST}\n${noise(100)}`);
    expect(failure.error_message).toBe("E       assert 2 == 3");
    expect(failure.stack_trace).toStartWith("_________________________________ test_total _");
    expect(failure.stack_trace).toContain("tests/test_cart.py:9: \n");
    expect(failure.stack_trace).toContain("src/cart.py:12: AssertionError");
    expect(failure.stack_trace).not.toContain("test_other.py:4");
  });

  test("jest: the failure's frames come with the expectation and the test's name", () => {
    const failure = found(`${noise(300)}\n${JEST}\n${noise(100)}`);
    expect(failure.error_message).toBe("● cart › adds up");
    expect(failure.stack_trace).toStartWith("  ● cart › adds up\n");
    expect(failure.stack_trace).toContain("Expected: 4\n    Received: 3");
    expect(failure.stack_trace).toContain("src/cart.test.ts:4:23");
  });

  test("go: the test's name is the message; cargo: the failed command is not a separate error", () => {
    const go = `--- FAIL: TestParse (0.00s)\n    parse_test.go:17: Parse("a") = 1, want 2\nFAIL\nFAIL\texample.com/m\t0.003s`;
    expect(found(`${noise(300)}\n${go}\n${noise(100)}`).error_message).toBe("--- FAIL: TestParse (0.00s)");
    const cargo =
      "thread 'tests::bad' panicked at src/lib.rs:42:9:\nassertion failed\n\nfailures:\n    tests::bad\n\ntest result: FAILED.\n\nerror: test failed, to rerun pass `--lib`";
    expect(found(`${noise(300)}\n${cargo}`).error_message).toBe("assertion failed");
  });

  test("rust: the message of a panic, in the next line or between quotes, is the headline", () => {
    const headline = (log: string): string => found(log).error_message;
    const trace = "stack backtrace:\n   0: core::parse::read_all\n             at ./src/lib.rs:13:5";
    expect(headline(`thread 'main' panicked at src/lib.rs:3:9:\nno field \`name\`\n${trace}`)).toBe("no field `name`");
    expect(headline(`thread 'a::b' (1234) panicked at src/lib.rs:3:9:\n  left: 1\nnote: run with x`)).toBe("left: 1");
    expect(headline(`thread 'main' panicked at 'it''s a boom', src/lib.rs:3:9\n${trace}`)).toBe("it''s a boom");
    expect(headline(`thread 'main' panicked at src/lib.rs:3:9:\n${trace}`)).toBe(
      "thread 'main' panicked at src/lib.rs:3:9:",
    );
  });
});

test("an error without a trace comes with the lines around it; without an error, the end is used", () => {
  const log = `${noise(200, "before")}\nerror: cannot find module './cart'\n${noise(200, "after")}`;
  expect(found(log).error_message).toBe("error: cannot find module './cart'");
  expect(found(log).stack_trace).toContain("before 180 done");
  expect(found(log).stack_trace).not.toContain("before 179 done");
  expect(found(log).stack_trace).toEndWith("after 9 done");
  expect(found(noise(500))).toMatchObject({ error_message: "" });
  expect(found(noise(500)).stack_trace.split("\n")).toHaveLength(60);
});

test("a trace of Go leads with the panic, also one that its server survives", () => {
  const frames = "\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/src/app/main.go:12\nexit status 2\n";
  const message = "panic: runtime error: index out of range [5] with length 3";
  expect(found(`${message}${frames}`).error_message).toBe(message);
  const survived = "http: panic serving 127.0.0.1:1234: runtime error: invalid memory address";
  expect(found(`2024/01/01 10:00:00 ${survived}${frames}`).error_message).toBe(survived);
});

test("a short text is kept completely; an empty one is null", () => {
  const text = "it fails\n\nwhen I press save\n";
  expect(found(text).stack_trace).toBe("it fails\n\nwhen I press save");
  for (const nothing of ["", " \n\t\n", "\x1b[0m\n"]) expect(failureInLog(nothing)).toBeNull();
});

test("a text is short by its lines and by its characters", () => {
  const error = "TypeError: no total";
  const lines = (count: number, width: number) => `${error}\n${`${"x".repeat(width)}\n`.repeat(count)}end`;
  expect(found(lines(70, 9)).stack_trace).toBe(lines(70, 9));
  expect(found(lines(70, 300)).stack_trace).not.toContain("end");
  expect(found(lines(200, 9)).stack_trace).not.toContain("end");
});

test("for any text, the result is short, well-formed and without NUL", () => {
  const line = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('  File "a.py", line 3, in f', "ValueError: x", "    at f (a.js:1:2)", "", "\r", "x".repeat(3_000)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 400 }), fc.nat(3), (lines, times) => {
      const failure = failureInLog(Array.from({ length: times + 1 }, () => lines.join("\n")).join("\n"));
      if (failure === null) return;
      const { stack_trace, error_message } = failure;
      expect(stack_trace.split("\n").length).toBeLessThanOrEqual(161);
      expect(stack_trace.length).toBeLessThan(161 * 402);
      expect(error_message.length).toBeLessThanOrEqual(400);
      expect((stack_trace + error_message).isWellFormed() && !(stack_trace + error_message).includes("\0")).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("of millions of lines, the last ones are read", () => {
  const error = "ValueError: the cart is empty\n";
  const log = (after: number): string => [error.repeat(30), "\n".repeat(after), "the end\n"].join("");
  expect(failureInLog(log(100_000))?.error_message).toBe("ValueError: the cart is empty");
  expect(failureInLog(log(5_000_000))?.error_message).toBe("");
});
