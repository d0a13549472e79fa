/**
 * Recognizes failures and frames that compilers, test runners and crashing programs write into logs.
 *
 * They complete the patterns that issues are read with, with which ranking was measured.
 */

/** The most lines within a trace that are neither frames nor errors, and the most with indented code. */
export const GAP_MAX = 4;
export const CODE_GAP_MAX = 40;

const FAILURES: readonly RegExp[] = [
  // Elixir and ExUnit.
  /^\s*\*\* \([A-Z][\w.]{0,200}\) \S/,
  /^\s+Assertion with \S{1,20} failed$/,
  // C and C++: aborts, assertions, sanitizers, Valgrind, GoogleTest, Catch2 and doctest.
  /^terminate called after throwing an instance of /,
  /^\s*what\(\): {1,4}\S/,
  /\bAssertion [`'].{1,300}' failed\b|^Assertion failed: /,
  /^==\d{1,9}== ?(?:ERROR: \w+Sanitizer: |Invalid |Conditional jump |Use of uninitialised |Process terminating )/,
  /^\S{1,300}:\d{1,9}(?::\d{1,9})?: (?:runtime error: \S|Failure$|FAILED:|ERROR: [A-Z_]{1,40}\()/,
  // .NET, Swift, Kotlin, Scala and Maven.
  /^Unhandled exception[.:] /i,
  /^\S{1,300}:\d{1,9}: Fatal error: /,
  /^\S{1,3} Test .{1,200} recorded an issue at /,
  /^e: (?:file:\/\/|\/)\S/,
  /\S \*\*\* FAILED \*\*\*/,
  /^\[(?:error|ERROR)\] \S{1,300}:(?:\d{1,9}:\d{1,9}:|\[\d{1,9},\d{1,9}\]) \S/,
  // ESLint and Stylelint.
  /^\s{1,8}\d{1,9}:\d{1,9}\s{1,9}(?:error|[✖×])\s{1,9}\S/,
  // PHPUnit, RSpec and minitest.
  /^Failed asserting that /,
  /^\s+Failure\/Error: /,
];

const FRAMES: readonly RegExp[] = [
  /^\s+\([a-z]\w{0,100}(?: \d[\w.+-]{0,50})?\) \S{1,300}\.(?:exs?|erl|hrl):\d{1,9}: /,
  /^\s+\S{1,300}\.exs?:\d{1,9}: /,
  /^\s+# \S{1,300}\.rb:\d{1,9}:in /,
  // Swift and macOS.
  /^\s*\d{1,4}\s+(?:\[\w{1,20}\]\s+){0,3}(?:\S{1,100}\s+)?0x[\da-f]{6,16}\s/,
];

/** A line that says what failed. */
export const isFailureLine = (line: string): boolean => FAILURES.some((form) => form.test(line));

/** A frame of a stack trace, of those that only logs have. */
export const isLoggedFrame = (line: string): boolean => FRAMES.some((form) => form.test(line));
