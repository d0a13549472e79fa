import { describe, expect, test } from "bun:test";
import type { TaskType } from "../../src/task/query.ts";
import { splitSections } from "../../src/task/sections/sections.ts";
import { classifyTask } from "../../src/task/task-type.ts";

const check = (type: TaskType, texts: readonly string[]) =>
  describe(type, () => {
    for (const text of texts) test(text, () => expect(classifyTask(splitSections(text))).toBe(type));
  });

check("bug_fix", [
  "fix the login validation",
  "Fixes the parser",
  "a BUG in the lexer",
  "several bugs, all in one file",
  "the build is broken.",
  "error when saving",
  "Errors: too many",
  "bug-fix release",
  "add a fix for the new parser", // the seed's order, not the text's
  "Parser hangs\n\nValueError: no", // an error line is a sign of its own
  "TypeError: foo() takes 1 positional argument", // in the title too
  "java.lang.NullPointerException: no key",
  "fatal: not a repository",
  "error[E0308]: mismatched types",
  "errors.NotFoundError: no such row",
  "TypeError: x is not a function when I add a new item",
  'Parser hangs\n\nTraceback (most recent call last):\n  File "a.py", line 1',
  "[Bug] Session leaks",
  "Session leaks\n\n### Bug report", // the template is asked last
]);
check("feature", [
  "add dark mode",
  "Added retries",
  "implementing the cache",
  "create a factory",
  "new option --json",
  "add a test command", // a thing that is called test
  "add support for tests",
  "implement and refactor the cache",
  "Add dark mode\n\nThe old one was broken", // title before body
  "[Feature request] Show a badge",
  "error_functions: add the sum of two terms", // a module, not an error
  "error.go: add a wrapper",
]);
check("refactor", [
  "refactor the parser",
  "Refactoring of the lexer",
  "clean up the imports",
  "cleanup imports",
  "clean-up of imports",
  "reorganize modules",
  "reorganise modules",
  "refactor the tests",
]);
check("test", [
  "test the parser",
  "tests for the lexer",
  "spec of the cache",
  "increase coverage",
  "unit-tests for x",
  "add tests for the parser", // tests are ordered, whatever the verb, and whatever they are about
  "Add some unit tests for errors of the new parser",
  "write a test that fixes the order",
  "Extend the tests of the lexer\n\nThey are broken.",
  "improve test coverage",
]);
check("investigation", [
  "why is the parser slow?",
  "prefix handling", // "fix" is no word of it
  "address newline debugging", // nor "add", "new", "bug"
  "contested specification of cleanliness",
  "look at test_login, tests/auth.py, error.py and errors/new.ts",
  "what does `new` do to `fix()`",
  "Exception handling: how is it done",
  "Warning banner for visitors",
  "why so slow\n\n```\nadd(new Bug())\n```", // code says nothing
  "",
]);

test("a label counts only when the title says nothing", () => {
  expect(classifyTask(splitSections("[Feature] fix the parser"))).toBe("bug_fix");
});
