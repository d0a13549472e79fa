/**
 * Removes from a task what is not searched for: the words of paths that name a file, and the words that only ask for tests.
 * From a short task it also removes the verb that says what to do, and the words beside a path ("the module a.py", "line 3 of a.py").
 */
import { wordSet } from "../text/terms/stop-words.ts";
import { findKeywords, LANGUAGE_WORDS } from "./keywords.ts";
import { endsLikeFile } from "./names/file-names.ts";
import { LINE_BEFORE, LINE_TOLD } from "./names/lines-in-words.ts";
import type { Section, TaskQuery } from "./query.ts";
import { testOrder } from "./task-type.ts";

/** First words of short tasks that never say anything about the code. */
const STUDY_VERBS = wordSet(
  "explain describe summarize summarise document review inspect investigate understand debug",
);
/** First words that may be about the code ("add", "update"), unless nothing else is. */
const WORK_VERBS = wordSet(
  "refactor rewrite improve update change modify edit clean check find show look implement add create write extend remove delete rename move",
);
/** Further first words that are verbs, although classes may have their names. */
const OTHER_VERBS = wordSet(
  "fix make use support allow handle raise return set get test run load save call count filter map sort",
);

/** Whether a task that begins with this word says what to do. */
export const isVerb = (word: string): boolean =>
  [STUDY_VERBS, WORK_VERBS, OTHER_VERBS].some((verbs) => verbs.has(word.toLowerCase()));

const FIRST_WORD = /^\s*(?:please\s+)?(\p{L}+)/iu;
const WORD = /[\p{L}\p{N}_$]+/gu;
/** What a file is called before and after its path, which may be quoted, and the line in it. */
const KIND_OF_FILE = "(?:[Ff]iles?|[Mm]odules?|[Ss]cripts?)";
const QUOTE = "[`\"']?";
const BESIDE_PATH = {
  before: String.raw`(?:(?:${LINE_BEFORE}|${KIND_OF_FILE}\s+)${QUOTE})?`,
  after: String.raw`(?:#L\d+(?:-L?\d+)?|${LINE_TOLD}|${QUOTE}\s+${KIND_OF_FILE}(?![\p{L}\p{N}_]))?`,
};
const SENTENCE_END = /[.!?]\s+\S|[。！？]\S/u;
const SIGNS = /[.*+?^${}()|[\]\\/]/g;

/** One sentence without code, error or stack trace: a work order rather than a report. A frame that no call is in is a line of a file. */
export const isShort = ({ sections, frames }: Pick<TaskQuery, "sections" | "frames">): boolean =>
  frames.every((frame) => frame.function === null) &&
  sections.every(({ kind, text }) => kind === "title" && !SENTENCE_END.test(text));

/** `paths` are those to take out, as written. `isNamed`: the task names a file or a definition. */
type Named = { readonly paths: readonly string[]; readonly isNamed: boolean };

/** The task with keywords and, if it is short, sections and a title without what is not searched for. */
export function searchedTask(written: TaskQuery, { paths, isNamed }: Named): TaskQuery {
  const task = isNamed ? withoutTestOrder(written) : written;
  const sections = withPaths(task.sections, paths, () => " ", isShort(task) ? BESIDE_PATH : undefined);
  const left = new Set(findKeywords(sections));
  const keywords = task.keywords.filter((word) => left.has(word));
  if (!isShort(task) || !isNamed) return { ...task, keywords };
  const [verb = ""] = sections.flatMap(({ text }) => FIRST_WORD.exec(text)?.[1]?.toLowerCase() ?? []);
  const isIdle = STUDY_VERBS.has(verb) || (WORK_VERBS.has(verb) && keywords.every((word) => word === verb));
  const plain = sections.map(({ kind, text }) => ({
    kind,
    text: (isIdle ? text.replace(FIRST_WORD, " ") : text).replace(WORD, (word) =>
      LANGUAGE_WORDS.has(word) ? " " : word,
    ),
  }));
  return {
    ...task,
    keywords: isIdle ? keywords.filter((word) => word !== verb) : keywords,
    sections: plain,
    title: `${task === written ? "" : TESTS_FOR}${plain.map(({ text }) => text).join(" ")}`,
  };
}

/** What stays of the order in the title, so that the task is still about tests (`path-penalty.ts`). */
const TESTS_FOR = "tests for ";

/** A task without the words that order tests. */
function withoutTestOrder(task: TaskQuery): TaskQuery {
  const order = testOrder(task.title);
  if (order === null) return task;
  const sections = task.sections.map((section) =>
    section.kind === "title" && section.text.startsWith(order)
      ? { ...section, text: section.text.slice(order.length) }
      : section,
  );
  return { ...task, sections, title: `${TESTS_FOR}${task.title.slice(order.length)}` };
}

/** The sections without the endings of files (`.py`), which say nothing about what is in them. */
export const withoutEndings = (sections: readonly Section[], paths: readonly string[]): readonly Section[] =>
  withPaths(sections, paths.filter(endsLikeFile), (path) => `${path.slice(0, path.lastIndexOf("."))} `);

/** The sections with something else in place of each of these paths, where it stands by itself, and of what is beside it. */
function withPaths(
  sections: readonly Section[],
  paths: readonly string[],
  instead: (path: string) => string,
  { before, after } = { before: "", after: "" },
): readonly Section[] {
  if (paths.length === 0) return sections;
  const longestFirst = paths.toSorted((a, b) => b.length - a.length).map((path) => path.replace(SIGNS, "\\$&"));
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_./\\-])${before}(?:${longestFirst.join("|")})(?![\p{L}\p{N}_/\\])${after}`,
    "gu",
  );
  return sections.map(({ kind, text }) => ({ kind, text: text.replace(pattern, instead) }));
}
