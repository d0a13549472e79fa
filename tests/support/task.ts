/**
 * Task queries for tests of ranking: only what the test says, nothing analysed.
 */
import type { SectionKind, TaskQuery } from "../../src/task/query.ts";

/** A query whose sections are the pairs given; everything else is empty unless said. */
export function taskOf(
  sections: readonly (readonly [kind: SectionKind, text: string])[],
  rest: Partial<TaskQuery> = {},
): TaskQuery {
  return {
    raw: sections.map(([, text]) => text).join("\n"),
    title: sections.find(([kind]) => kind === "title")?.[1] ?? "",
    taskType: "bug_fix",
    keywords: [],
    fileHints: [],
    symbolHints: [],
    errorPatterns: [],
    concepts: [],
    sections: sections.map(([kind, text]) => ({ kind, text })),
    frames: [],
    urls: [],
    given: { paths: [], symbols: [], languages: [] },
    ...rest,
  };
}
