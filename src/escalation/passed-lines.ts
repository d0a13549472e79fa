/**
 * Drops the lines of a log that test runners write about themselves and about tests that passed.
 *
 * Such lines name files and tests, and what a log names is looked for.
 */

const PASSED: readonly RegExp[] = [
  // pytest: its header, files of which no test failed, tests that passed.
  /^platform \S+ -- Python \d/,
  /^(?:cachedir|rootdir|configfile|plugins|testpaths): \S/,
  /^(?:collecting \.{3} )?collected \d{1,9} items?\b/,
  /^[^\s:]{1,300}\.py [.sxX]{1,300}(?:\s{1,100}\[\s{0,2}\d{1,3}%\])?$/,
  /^[^\s:]{1,300}\.py::\S{1,300} (?:PASSED|SKIPPED|XFAIL)\b/,
  /^\[gw\d{1,4}\] \[\s{0,2}\d{1,3}%\] (?:PASSED|SKIPPED|XFAIL) /,
  // Go.
  /^(?:ok {2}|\? {3})\t\S/,
  // Jest, Vitest, Mocha, Node and TAP.
  /^\s{0,4}PASS {1,2}[^\s.]\S{0,300}(?<=\.\w{1,8})(?: |$)/,
  /^\s{0,80}[✓✔√] /,
  /^\s{0,40}ok \d{1,9} /,
  // cargo, unittest, Gradle, ctest, XCTest.
  /^test \S{1,400} \.{3} (?:ok|ignored)$/,
  /^\w{1,200} \(\S{1,400}\)(?: \.{3})? (?:ok|skipped .{1,300})$/,
  /^\w[\w.$]{0,200} > .{1,300}(?<= (?:PASSED|SKIPPED))$/,
  /^\s{0,8}\d{1,6}\/\d{1,6} Test\s{1,8}#\d{1,6}: \S{1,300} \.{2,200}\s{1,9}Passed\s/,
  /^Test [Cc]ase '.{1,300}' (?:passed|skipped) \(/,
];

/** The start of a test, of which a later line says how it ended. */
const STARTED = /^(?:=== (?:RUN|PAUSE|CONT|NAME)|\[ RUN {6}\]) {1,3}(\S+)/;
const ENDED_WELL = /^(?:\s{0,40}--- (?:PASS|SKIP): |\[ {7}OK \] )(\S+)/;

/** A longer line says more. */
const LINE_CHARS_MAX = 400;

/** The lines without these; all of them if nothing else would be left. */
export function withoutPassed(lines: readonly string[]): readonly string[] {
  const passed = new Set(lines.flatMap((line) => ENDED_WELL.exec(line)?.[1] ?? []));
  const isPassed = (line: string): boolean =>
    line.length <= LINE_CHARS_MAX &&
    (PASSED.some((form) => form.test(line)) || ENDED_WELL.test(line) || passed.has(STARTED.exec(line)?.[1] ?? ""));
  const left = lines.filter((line) => !isPassed(line));
  return left.some((line) => line.trim() !== "") ? left : lines;
}
