/**
 * Classifies a task by the words it uses.
 *
 * The first type of the table with a word in the text wins, regardless of the order of words: in the title, else in the
 * body, else in the headings of its template. Without such a word it is an investigation. Only whole words count:
 * `test_login`, `errors.py`, "address" and inline code say nothing. A title that orders tests is a task about tests, whatever
 * its verb: "add tests for new errors" is neither a feature nor a fix.
 */

import type { SectionKind, TaskType } from "./query.ts";
import { takeInlineCode } from "./sections/markup.ts";
import { isErrorTitle } from "./sections/section-patterns.ts";
import type { SplitTask } from "./sections/sections.ts";

/** The words of each type with their inflections, in order of precedence. */
const TYPE_WORDS: readonly (readonly [TaskType, string])[] = [
  [
    "bug_fix",
    "fix fixes fixed fixing bug bugs buggy bugfix bugfixes bug-fix bug-fixes hotfix broken error errors errored erroring",
  ],
  [
    "feature",
    "add adds added adding implement implements implemented implementing create creates created creating new newly",
  ],
  [
    "refactor",
    "refactor refactors refactored refactoring clean cleans cleaned cleaning cleanup cleanups clean-up clean-ups reorganize reorganizes reorganized reorganizing reorganise reorganises reorganised reorganising",
  ],
  ["test", "test tests tested testing unit-test unit-tests unit-testing spec specs coverage"],
];

const TYPE_OF: ReadonlyMap<string, TaskType> = new Map(
  TYPE_WORDS.flatMap(([type, words]) => words.split(" ").map((word) => [word, type] as const)),
);

const WORD = /[\p{L}\p{N}_$@.\-/\\:#]+/gu;
const EDGES = /^[.\-/\\:#]+|[.\-/\\:#]+$/g;
const WORD_CHARS_MAX = 40;

/** "Add some unit tests for", "improve the coverage of": what tests of something are ordered with, at the beginning of a title. */
const TEST_ORDER = new RegExp(
  [
    String.raw`^\s*(?:please\s+)?(?:add|write|create|implement|extend|improve|increase)\s+`,
    String.raw`(?:(?:a|an|the|some|more|new|missing|further|additional|better|few|unit|integration|regression|end-to-end)\s+)*`,
    "(?:(?:unit|integration|regression)-)?",
    String.raw`(?:(?:tests|specs|(?:test\s+)?coverage|test\s+cases?)\b(?:\s+(?:for|of|that)\b)?|test\s+(?:for|of|that)\b)`,
  ].join(""),
  "iu",
);

/** The words at the beginning of a title that order tests and say nothing about what is tested; null if there are none. */
export const testOrder = (title: string): string | null => TEST_ORDER.exec(title)?.[0] ?? null;

/** An error or a stack trace counts even if it does not say "error". */
const ERROR: TaskType = "bug_fix";
const SIGNS: ReadonlyMap<SectionKind, TaskType> = new Map([
  ["error", ERROR],
  ["trace", ERROR],
]);

/** Words that count only in the label of a title ("[Feature request]"). */
const LABEL_WORDS: ReadonlyMap<string, TaskType> = new Map([
  ["feature", "feature"],
  ["enhancement", "feature"],
]);

export function classifyTask({ sections, title, label }: SplitTask): TaskType {
  const body = sections.filter(({ kind }) => kind === "prose" || SIGNS.has(kind));
  const signs = body.flatMap(({ kind }) => SIGNS.get(kind) ?? []);
  const template = sections.filter(({ kind }) => kind === "noise");
  const labelled = label.toLowerCase().match(/\w+/g) ?? [];
  if (testOrder(title) !== null) return "test";
  const named = [...labelled.flatMap((word) => LABEL_WORDS.get(word) ?? []), ...(isErrorTitle(title) ? [ERROR] : [])];
  return (
    firstType([...named, ...typesIn([label, title])]) ??
    firstType([...signs, ...typesIn(body.map(({ text }) => text))]) ??
    firstType(typesIn(template.map(({ text }) => text))) ??
    "investigation"
  );
}

const firstType = (types: readonly TaskType[]): TaskType | undefined =>
  TYPE_WORDS.map(([type]) => type).find((type) => types.includes(type));

const typesIn = (texts: readonly string[]): readonly TaskType[] =>
  texts.flatMap((text) => (takeInlineCode(text).text.match(WORD) ?? []).flatMap((word) => typeOf(word) ?? []));

const typeOf = (word: string): TaskType | undefined =>
  word.length > WORD_CHARS_MAX ? undefined : TYPE_OF.get(word.replace(EDGES, "").toLowerCase());

/** Whether a word says what kind of work a task is, and not what it is about. */
export const saysKindOfWork = (word: string): boolean => typeOf(word) !== undefined;
