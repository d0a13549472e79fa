/**
 * Turns the text of a task into a task query, without a model. The same text and concepts give the same query.
 *
 * Any string is accepted and read to its end, in linear time. Text without a word gives an empty query.
 */

import { findConcepts, findKeywords } from "./keywords.ts";
import { findMentions } from "./mentions.ts";
import { TASK_LIMITS, type TaskQuery } from "./query.ts";
import { withoutEndings } from "./searched-task.ts";
import { splitSections } from "./sections/sections.ts";
import { classifyTask } from "./task-type.ts";
import { findErrorPatterns } from "./traces/error-patterns.ts";
import { findFrames } from "./traces/traces.ts";

/** `given` are the user's hints, `concepts` words of the index in lower case, `errors` error lines met since. */
export type TaskBackground = {
  readonly given: TaskQuery["given"];
  readonly concepts: ReadonlySet<string>;
  readonly errors?: readonly string[];
};

/** The last analysis: a question reads its task before it knows that the index is current, and again after that. */
let newest: { readonly asked: string; readonly query: TaskQuery } | null = null;

export function analyzeTask(text: string, background: TaskBackground): TaskQuery {
  const { given, concepts, errors } = background;
  const asked = JSON.stringify([text, given, [...concepts], errors]);
  if (newest?.asked !== asked) newest = { asked, query: analyze(text, background) };
  return newest.query;
}

function analyze(text: string, { given, concepts, errors = [] }: TaskBackground): TaskQuery {
  const split = splitSections(text);
  const sections = [...split.sections, ...errors.map((line) => ({ kind: "error", text: line }) as const)];
  const { files, symbols } = findMentions(sections);
  return {
    raw: text,
    title: split.title,
    taskType: classifyTask(split),
    keywords: findKeywords(
      withoutEndings(
        sections,
        files.map(({ text: path }) => path),
      ),
    ),
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
