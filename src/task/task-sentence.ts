/** Describes a task in one sentence for readers of a package without its task. Nothing is decided by it. */

import { enumerated } from "../text/listed.ts";
import { termsIn } from "../text/terms/identifiers.ts";
import { truncated } from "../text/truncated.ts";
import type { TaskQuery, TaskType } from "./query.ts";

const VERB: { readonly [type in TaskType]: string } = {
  bug_fix: "Fix a bug",
  feature: "Add a feature",
  refactor: "Refactor code",
  test: "Write tests",
  investigation: "Investigate",
};

const HINTS_MAX = 3;
const KEYWORDS_MAX = 5;
const NAME_CHARS_MAX = 80;

/** One line of at most a few hundred characters, without control characters. */
export function taskSentence(query: TaskQuery): string {
  const symbolNames = new Set(query.symbolHints.map((hint) => hint.text));
  const paths = named([
    ...query.given.paths,
    ...query.fileHints.map((hint) => hint.text).filter((name) => !symbolNames.has(name)),
  ]);
  const symbols = named([...query.given.symbols, ...symbolNames]);
  const mentionedWords = new Set([...paths, ...symbols].flatMap(termsIn));
  const words = enumerated(query.keywords.filter((word) => !mentionedWords.has(word)).slice(0, KEYWORDS_MAX));
  const where = [
    paths.length > 0 ? ` in ${enumerated(paths)}` : "",
    symbols.length > 0 ? ` around ${enumerated(symbols)}` : "",
  ];
  const about = words === "" ? "" : isBare(query, where) ? ` ${words}` : `, concerning ${words}`;
  return `${VERB[query.taskType]}${where.join("")}${about}.`;
}

/** "Investigate login and session." */
const isBare = (query: TaskQuery, where: readonly string[]): boolean =>
  query.taskType === "investigation" && where.every((part) => part === "");

const named = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].slice(0, HINTS_MAX).map((name) => truncated(name.replace(/[\p{Cc}\s]+/gu, " "), NAME_CHARS_MAX));
