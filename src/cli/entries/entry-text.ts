/** Memories and experiences as text: one line, a row of a table, or everything. */
import type { Entry, ExperienceEntry } from "../../memory/entry.ts";
import { indented, table, taskLine } from "../../present/layout.ts";

/** Characters of a text that fit beside the other columns. */
const TEXT_CHARS_MAX = 60;

const heading = (entry: Entry): string =>
  entry.type === "memory"
    ? `${entry.category}, importance ${entry.importance}`
    : `${entry.domain}, ${entry.strategy}, ${stateText(entry)}`;

const stateText = ({ outcome, confidence }: ExperienceEntry): string => `${outcome?.status ?? "open"}, ${confidence}`;

const mainText = (entry: Entry): string => (entry.type === "memory" ? entry.content : entry.goal);
const dayCreated = (entry: Entry): string => entry.created_at.slice(0, "2026-01-31".length);

/** One line that identifies an entry. */
export const entryLine = (entry: Entry): string => `${entry.id} (${heading(entry)}): ${taskLine(mainText(entry))}`;

/** A row for each entry. */
export const entryTable = (entries: readonly Entry[]): string =>
  table(
    ["id", "what", "state", "created", "text"],
    entries.map((entry) => [
      entry.id,
      entry.type === "memory" ? entry.category : `${entry.domain}, ${entry.strategy}`,
      entry.type === "memory" ? `importance ${entry.importance}` : stateText(entry),
      dayCreated(entry),
      taskLine(mainText(entry), TEXT_CHARS_MAX),
    ]),
  );

/** Everything in an entry. */
export const entryText = (entry: Entry): string =>
  `${entry.id}  ${heading(entry)}, ${dayCreated(entry)}\n${fieldRows(entry)
    .flatMap(([name, text]) => (text === null || text === undefined ? [] : [`  ${name}:\n${indented(text)}`]))
    .join("")}`;

function fieldRows(entry: Entry): readonly (readonly [string, string | null | undefined])[] {
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
