/** Task queries for tests of ranking, built directly instead of analysed from text. */
import type { SectionKind, TaskQuery } from "../../src/task/query.ts";

/** A query with the given sections; everything else is empty unless given. */
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
