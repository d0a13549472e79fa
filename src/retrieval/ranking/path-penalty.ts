/**
 * How much of its score a file keeps, by what kind of file it is.
 *
 * Tests, examples and documentation repeat the words of the code they are about; a task is seldom
 * about them. Factors multiply the whole score. Measured on real issues, except for prose and data,
 * which were no candidates there.
 */
import type { TaskQuery } from "../../task/query.ts";
import { type FileRole, fileRole, isCode, languageOf } from "../../text/language.ts";

const FACTOR = { source: 1, test: 0.2, example: 0.4, declaration: 0.8, config: 0.7, docs: 0.25, data: 0.25 } as const;

/** What a title says when the files themselves are the work. Every issue mentions tests; few ask for them. */
const ABOUT_TESTS =
  /\b(?:add|write|writing|improve|extend|increase|cover|missing|more|fix|update|refactor|port|convert|migrate|flaky|enable)\b[^.]{0,40}\b(?:tests?|specs?|coverage)\b|\btest coverage\b|\b(?:tests?|specs?) for\b/i;
const ABOUT_DOCS = /\b(?:docs?|documentation|document|readme|changelog|guide|tutorial|typos?)\b/i;
const ABOUT_EXAMPLES = /\b(?:examples?|demos?|samples?|benchmarks?|scripts?|tutorials?|playground|website)\b/i;

/** How much tests keep, 0 to 1. */
export const testFactor = (task: Pick<TaskQuery, "taskType" | "title">): number =>
  task.taskType === "test" && ABOUT_TESTS.test(task.title) ? 1 : FACTOR.test;

/** A factor in 0..1 for each path. */
export function dampingOf(task: TaskQuery): (path: string) => number {
  const ofTests = testFactor(task);
  const docs = ABOUT_DOCS.test(task.title);
  const examples = ABOUT_EXAMPLES.test(task.title);
  return (path) => {
    const { role, code } = kindOf(path);
    switch (role) {
      case "test":
        return ofTests;
      case "docs":
        return docs ? 1 : FACTOR.docs;
      case "example":
        return examples ? 1 : FACTOR.example;
      case "config":
        return code ? FACTOR.config : FACTOR.data;
      default:
        return FACTOR[role];
    }
  };
}

type Kind = { readonly role: FileRole; readonly code: boolean };

/** The next task of a process asks for the same paths, and telling a role takes several patterns. */
const KNOWN_MAX = 50_000;
const known = new Map<string, Kind>();

function kindOf(path: string): Kind {
  const before = known.get(path);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const kind = { role: fileRole(path), code: isCode(languageOf(path)) };
  known.set(path, kind);
  return kind;
}
