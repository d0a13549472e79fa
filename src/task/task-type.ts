/**
 * Tells what kind of work a task asks for, by the words it uses.
 *
 * The first type of the table that has a word in the text wins, whatever the order of the words. The title
 * is asked first, then the body, then the headings of its template; nothing found is an investigation.
 * Only whole words count: `test_login`, `errors.py`, "address" and what stands in backticks say nothing.
 */
import { takeInlineCode } from "./markup.ts";
import type { SectionKind, TaskType } from "./query.ts";
import type { SplitTask } from "./sections.ts";

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

/** An error or a stack trace is a sign of its own, even if it does not say "error". */
const SIGNS: ReadonlyMap<SectionKind, TaskType> = new Map([
  ["error", "bug_fix"],
  ["trace", "bug_fix"],
]);

/** What a label at the front of a title says besides ("[Feature request]"). */
const LABEL_WORDS: ReadonlyMap<string, TaskType> = new Map([
  ["feature", "feature"],
  ["enhancement", "feature"],
]);

/** The type of a task. */
export function classifyTask({ sections, title, label }: SplitTask): TaskType {
  const body = sections.filter(({ kind }) => kind === "prose" || SIGNS.has(kind));
  const signs = body.flatMap(({ kind }) => SIGNS.get(kind) ?? []);
  const template = sections.filter(({ kind }) => kind === "noise");
  const labelled = label.toLowerCase().match(/\w+/g) ?? [];
  return (
    firstType([...labelled.flatMap((word) => LABEL_WORDS.get(word) ?? []), ...typesIn([label, title])]) ??
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
