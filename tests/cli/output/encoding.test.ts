/** Whether a terminal shows more than ASCII, from what its environment says. */
import { expect, test } from "bun:test";
import { showsUnicode } from "../../../src/cli/output/encoding.ts";

test.each([
  [{}, true],
  [{ LANG: "en_US.UTF-8" }, true],
  [{ LANG: "en_US.utf8" }, true],
  [{ LANG: "de_DE.UTF-8@euro" }, true],
  [{ LANG: "C.UTF-8" }, true],
  // A locale without an encoding is one of UTF-8 on the systems of today.
  [{ LANG: "en_US" }, true],
  [{ LANG: "C" }, false],
  [{ LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, false],
  [{ LC_CTYPE: "C", LANG: "en_US.UTF-8" }, false],
  [{ LC_ALL: "", LC_CTYPE: "C.UTF-8", LANG: "C" }, true],
  [{ LANG: "de_DE.ISO-8859-15@euro" }, false],
  [{ TERM: "linux", LANG: "C.UTF-8" }, false],
  [{ OS: "Windows_NT", LANG: "C" }, true],
] as const)("%j: %p", (variables, isShown) => {
  expect(showsUnicode(variables)).toBe(isShown);
});
