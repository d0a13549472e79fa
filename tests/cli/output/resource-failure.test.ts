/** Limits of the system are failures with advice, whatever error shows them; any other error stays a bug. */
import { expect, test } from "bun:test";
import { machineFailure } from "../../../src/cli/output/resource-failure.ts";
import { exitCode, Failed } from "../../../src/failure.ts";

test.each([
  [Object.assign(new Error("open"), { code: "EMFILE", path: "/a/b" }), "/a/b: too many open files; "],
  // As the engine throws it, without a code.
  [new TypeError("Failed to spawn worker thread"), "this machine: no more threads can be started; "],
  [new RangeError("Out of memory"), "this machine: there is not enough memory; "],
  [new RangeError("Failed to allocate memory"), "this machine: there is not enough memory; "],
  [
    new Error("the counting thread failed: 1 | count();\n    ^\nRangeError: Out of memory\n      at count"),
    "this machine: there is not enough memory; ",
  ],
])("%p", (error, words) => {
  const failure = machineFailure(error);
  if (!(failure instanceof Failed)) throw error;
  expect(failure.message).toStartWith(words);
  expect(exitCode(failure.failure)).toBe(74);
});

test.each([new TypeError("x is undefined"), new Error("boom"), new Error("1 | Out of memory; x"), null])(
  "%p stays what it is",
  (error) => {
    expect(machineFailure(error)).toBe(error);
  },
);
