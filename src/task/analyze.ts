/**
 * Turns the text of a task into a task query, deterministically and without a model.
 *
 * Any string is accepted, and all of it is read, in time linear in its length; text without a word gives
 * an empty query (refusing it is for whoever asked the user). The same text and concepts give the same query.
 */
import { findErrorPatterns } from "./error-patterns.ts";
import { findConcepts, findKeywords } from "./keywords.ts";
import { TASK_LIMITS } from "./limits.ts";
import { findMentions } from "./mentions.ts";
import type { TaskQuery } from "./query.ts";
import { splitSections } from "./sections.ts";
import { classifyTask } from "./task-type.ts";
import { findFrames } from "./traces.ts";

/**
 * What is known besides the text: the user's own hints, the words (lower case) that the index knows as concepts, and
 * lines of errors that were met since the task was written.
 */
export type TaskBackground = {
  readonly given: TaskQuery["given"];
  readonly concepts: ReadonlySet<string>;
  readonly errors?: readonly string[];
};

/** Parses a task. */
export function analyzeTask(text: string, { given, concepts, errors = [] }: TaskBackground): TaskQuery {
  const split = splitSections(text);
  const sections = [...split.sections, ...errors.map((line) => ({ kind: "error", text: line }) as const)];
  const { files, symbols } = findMentions(sections);
  return {
    raw: text,
    title: split.title,
    taskType: classifyTask(split),
    keywords: findKeywords(sections),
    fileHints: files,
    symbolHints: symbols,
    errorPatterns: findErrorPatterns(sections),
    concepts: findConcepts(sections, concepts),
    sections,
    frames: findFrames(sections),
    urls: [...new Set(split.urls)].slice(0, TASK_LIMITS.urlsMax),
    given,
  };
}
