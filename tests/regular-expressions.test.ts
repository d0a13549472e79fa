/**
 * Every regular expression of the source takes steps in proportion to its text, on texts that are made from the expression to be slow. So none
 * hangs the thread that it runs in, whatever a repository or a task holds.
 */
import { describe, expect, test } from "bun:test";
import { PATTERN_RULES } from "../src/secrets/rules.ts";
import { HANG_MS } from "./support/hang.ts";
import { sourcePatterns } from "./support/regex-sources.ts";
import { type Attack, attacksOn, attackText, type Pattern, STEPS_MAX, stepCounter } from "./support/regex-steps.ts";
import { regexTree } from "./support/regex-tree.ts";

/** What is applied only to text of a bounded length: a part of the expression, by file, and what bounds it. */
const BOUNDED: readonly { readonly file: string; readonly part: string; readonly by: string }[] = [
  { file: "app/retrieval/name-reads.ts", part: "(?:\\?\\.|!\\.|\\.|::|->)$", by: "PATH_CHARS_MAX" },
  { file: "evaluation/mining/commit-message.ts", part: "[A-Z0-9]+-", by: "LINE_CHARS_MAX" },
  { file: "indexing/imports/ecmascript/workspaces.ts", part: "([^#]*?)", by: "GLOB_LENGTH_MAX" },
  {
    file: "indexing/references/declarations/declared-types.ts",
    part: "(?:<[^<>]*>)?::",
    by: "the length of a signature",
  },
  { file: "indexing/references/names/attached-functions.ts", part: "[^[\\]]*", by: "QUALIFIER_MAX" },
  { file: "indexing/scip/symbol-name.ts", part: "(?:[^`]|``)+", by: "NAME_MAX" },
  { file: "languages/c/macros.ts", part: "", by: "LINE_MAX" },
  { file: "languages/solidity/import-clauses.ts", part: ".*?\\*", by: "STATEMENT_MAX" },
  { file: "syntax/facts/references.ts", part: "(?:dyn|mut)", by: "QUALIFIER_MAX" },
  { file: "task/sections/section-patterns.ts", part: "[^\\p{L}\\p{N}_]*", by: "LINE_CHARS_MAX" },
  { file: "tui/styling/numbers.ts", part: "\\d{3}", by: "the digits of a number" },
];

/** The rules of secrets put theirs together when a text first needs them. */
const RULE_PATTERNS = PATTERN_RULES.map(({ kind, source, anyCase }) => ({
  file: `secrets, ${kind}`,
  source,
  flags: anyCase ? "diy" : "dy",
}));

/** More than an expression takes that reads its text a few times. */
const STEPS_SUSPECT = 5_300;
const [TINY, BRIEF, SHORT, LONG] = [50, 100, 400, 1_600];
/** Twice the text: where steps grow only with it, longer texts are not tried. */
const GROWTH_BRIEF = 2.1;
/** Four times the text takes four times the steps; 16 times if they grow with its square. */
const GROWTH_MAX = 6;

/** The text on which the steps grow faster than the text; null if there is none. */
function slowText(pattern: Pattern): Attack | null {
  const stepsOf = stepCounter(regexTree(pattern.source, pattern.flags), pattern.flags.includes("y"));
  const isSlow = (attack: Attack): boolean => {
    const stepsAt = (length: number): number => stepsOf(attackText(attack, length));
    const tiny = stepsAt(TINY);
    if (tiny >= STEPS_MAX) return true;
    if (stepsAt(BRIEF) < GROWTH_BRIEF * tiny) return false;
    const steps = stepsAt(SHORT);
    if (steps <= STEPS_SUSPECT || steps >= STEPS_MAX) return steps >= STEPS_MAX;
    return stepsAt(LONG) > Math.min(GROWTH_MAX * steps, STEPS_MAX - 1);
  };
  return attacksOn(pattern).find(isSlow) ?? null;
}

test.each([
  [/a+b/g, 100, 100 ** 2 / 2],
  [/a+a+b/g, 60, 60 ** 3 / 12],
  [/(?:a|a)*b/, 14, 2 ** 14],
])("%s on %i letters takes at least %i steps", (pattern, length, least) => {
  expect(stepCounter(regexTree(pattern.source, pattern.flags))("a".repeat(length))).toBeGreaterThan(least);
});

describe("slow expressions are found", () => {
  test.each([
    [/\s+$/g],
    [/(?:a+)+b/],
    [/<.*>/],
    [/"(?:[^"\\]|\\.)*"/g],
    [/\/\*[\s\S]*?\*\//g],
    [/^\s*(?:x)?\s*:/m],
    [/(?<=\s*)b/],
    [/(\w+) \1/],
  ])("%s", (pattern) => expect(slowText(pattern)).not.toBeNull());
  test.each([[/(?<!\s)\s+$/g], [/^<.*>/], [/a{1,50}b/], [/"[^"]*"?/g], [/\b\w+\b/gu]])("%s is not", (pattern) =>
    expect(slowText(pattern)).toBeNull(),
  );
});

test(
  "none of the source is slow on unbounded text",
  () => {
    const patterns = [...sourcePatterns(), ...RULE_PATTERNS];
    expect(patterns.length).toBeGreaterThan(800);
    // Many files write the same expression.
    const keyOf = ({ source, flags }: Pattern): string => `${source} ${flags}`;
    const each = new Map(patterns.map((pattern) => [keyOf(pattern), pattern]));
    const slowKeys = new Set([...each].flatMap(([key, pattern]) => (slowText(pattern) === null ? [] : [key])));
    const slow = patterns.filter((pattern) => slowKeys.has(keyOf(pattern)));
    const isBounded = ({ file, source }: (typeof slow)[number]): boolean =>
      BOUNDED.some((row) => row.file === file && source.includes(row.part));
    expect(slow.filter((pattern) => !isBounded(pattern)).map(({ file, source }) => `${file} /${source}/`)).toEqual([]);
    const unneeded = BOUNDED.filter(
      (row) => !slow.some(({ file, source }) => row.file === file && source.includes(row.part)),
    );
    expect(unneeded).toEqual([]);
  },
  HANG_MS,
);
