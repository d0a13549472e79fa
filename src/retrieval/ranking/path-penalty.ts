/**
 * The path penalty: the share of its score that a file keeps, by the kind of file.
 *
 * Tests, examples and documentation repeat the words of the code that they describe, and few tasks are about them. The
 * factors multiply the whole score. They are measured on real issues, except for prose and data, which were not candidates
 * there.
 */

import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { canExplain, roleOf } from "../../languages/file-role.ts";
import type { FileRole } from "../../languages/language.ts";
import { isCode } from "../../languages/languages.ts";
import type { TaskQuery } from "../../task/query.ts";
import { hasSamePaths } from "../lexical/file-positions.ts";
import { columnOf } from "./column.ts";

type Kind = FileRole | "data" | "records";
type IndexedFile = Pick<FileRow, "path" | "language" | "isTest">;

const FACTOR = { source: 1, test: 0.2, example: 0.4, declaration: 0.8, config: 0.7, docs: 0.25, data: 0.25 } as const;

/** To explain, prose is what is looked for. It has no definitions, which are more than half of the score of code. */
const EXPLAINING_DOCS = 2;

/** Titles of tasks that are about the test files themselves. Every issue mentions tests; few ask for them. */
const ABOUT_TESTS =
  /\b(?:add|write|writing|improve|extend|increase|cover|missing|more|fix|update|refactor|port|convert|migrate|flaky|enable)\b[^.]{0,40}\b(?:tests?|specs?|coverage)\b|\btest coverage\b|\b(?:tests?|specs?) for\b/i;
const ABOUT_DOCS = /\b(?:docs?|documentation|document|readme|changelog|guide|tutorial|typos?)\b/i;
const ABOUT_EXAMPLES = /\b(?:examples?|demos?|samples?|benchmarks?|scripts?|tutorials?|playground|website)\b/i;

/** Whether a task is to write or change tests. */
export const asksForTests = ({ taskType, title }: Pick<TaskQuery, "taskType" | "title">): boolean =>
  taskType === "test" && ABOUT_TESTS.test(title);

/** How much of its score a test keeps, 0 to 1. */
export const testFactor = (task: Pick<TaskQuery, "taskType" | "title">): number =>
  asksForTests(task) ? 1 : FACTOR.test;

/** A factor in 0..1 for each file, by position. */
export function pathFactors(task: TaskQuery, files: readonly IndexedFile[]): Float64Array {
  const docs = ABOUT_DOCS.test(task.title) ? 1 : FACTOR.docs;
  const factors: Readonly<Record<Kind, number>> = {
    ...FACTOR,
    test: testFactor(task),
    docs: task.given.purpose === "explain" ? EXPLAINING_DOCS : docs,
    records: docs,
    example: ABOUT_EXAMPLES.test(task.title) ? 1 : FACTOR.example,
  };
  return columnOf(kindsOf(files), (kind) => factors[kind]);
}

/** Finding the role of a path takes several patterns, and later tasks of the process are asked of the same files. */
const cache = new WeakMap<readonly IndexedFile[], readonly Kind[]>();
/** A first answer ranks twice, with other rows of the same paths. */
let newest: { readonly files: readonly IndexedFile[]; readonly kinds: readonly Kind[] } = { files: [], kinds: [] };

function kindsOf(files: readonly IndexedFile[]): readonly Kind[] {
  const known = cache.get(files) ?? (hasSamePaths(files, newest.files) ? newest.kinds : null);
  const kinds = known ?? files.map(kindOf);
  cache.set(files, kinds);
  newest = { files, kinds };
  return kinds;
}

function kindOf(file: IndexedFile): Kind {
  const role = roleOf(file);
  if (role === "docs" && !canExplain(file)) return "records";
  return role === "config" && !isCode(file.language) ? "data" : role;
}
