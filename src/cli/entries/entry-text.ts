/**
 * Memories and experiences as text for people: a line, a row of a table, all of it.
 */
import type { Entry, ExperienceEntry } from "../../memory/entry.ts";
import { table } from "../../present/layout.ts";
import { indented } from "../output/indented.ts";
import { taskLine } from "../output/task-line.ts";

/** As much of a text as fits beside the rest. */
const TEXT_CHARS_MAX = 60;

const headOf = (entry: Entry): string =>
  entry.type === "memory"
    ? `${entry.category}, importance ${entry.importance}`
    : `${entry.domain}, ${entry.strategy}, ${stateOf(entry)}`;

const stateOf = ({ outcome, confidence }: ExperienceEntry): string => `${outcome?.status ?? "open"}, ${confidence}`;

const textOf = (entry: Entry): string => (entry.type === "memory" ? entry.content : entry.goal);
const dayOf = (entry: Entry): string => entry.created_at.slice(0, "2026-01-31".length);

/** One line that tells an entry from others. */
export const entryLine = (entry: Entry): string => `${entry.id} (${headOf(entry)}): ${taskLine(textOf(entry))}`;

/** A line for each. */
export const entryTable = (entries: readonly Entry[]): string =>
  table(
    ["id", "what", "state", "created", "text"],
    entries.map((entry) => [
      entry.id,
      entry.type === "memory" ? entry.category : `${entry.domain}, ${entry.strategy}`,
      entry.type === "memory" ? `importance ${entry.importance}` : stateOf(entry),
      dayOf(entry),
      taskLine(textOf(entry), TEXT_CHARS_MAX),
    ]),
  );

/** All that an entry says. */
export const entryText = (entry: Entry): string =>
  `${entry.id}  ${headOf(entry)}, ${dayOf(entry)}\n${fieldsOf(entry)
    .flatMap(([name, text]) => (text === null || text === undefined ? [] : [`  ${name}:\n${indented(text)}`]))
    .join("")}`;

function fieldsOf(entry: Entry): readonly (readonly [string, string | null | undefined])[] {
  if (entry.type === "memory") return [["content", entry.content]];
  const { goal, iterations, outcome, surprise, root_cause, lesson, task_id } = entry;
  const many = iterations.length > 1;
  return [
    ["goal", goal],
    ...iterations.flatMap(({ hypothesis, action, prediction }, at) => {
      const number = many ? ` ${at + 1}` : "";
      return [
        [`hypothesis${number}`, hypothesis],
        [`action${number}`, action],
        [`prediction${number}`, prediction],
      ] as const;
    }),
    ["result", outcome?.result],
    ["surprise", surprise],
    ["root cause", root_cause === null ? null : `${root_cause.category}: ${root_cause.description}`],
    ["what worked", lesson?.what_worked],
    ["takeaway", lesson?.takeaway],
    ["task", task_id],
  ];
}
