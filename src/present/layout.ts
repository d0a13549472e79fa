/**
 * Text laid out in lines and columns: tables, name-value pairs, indented blocks, a task on one line.
 *
 * Widths are terminal columns, so CJK and emoji line up. Cells are made safe for a terminal and are never cut: a long
 * path is worth a long line.
 */
import stringWidth from "string-width";
import { display, displayLines } from "../text/display.ts";

export type Cell = string | number;

/** A table under a heading, "" without rows. A column of numbers is aligned right. Ends in a newline. */
export function table(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "";
  const numeric = heading.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const texts = [heading, ...rows.map((row) => row.map((cell) => display(String(cell))))];
  const widths = heading.map((_, column) => Math.max(...texts.map((row) => stringWidth(row[column] ?? ""))));
  return texts
    .map((row) =>
      widths
        .map((width, column) => aligned(row[column] ?? "", width, numeric[column] ?? false))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Names and values, a pair on each line, with the values in one column. Ends in a newline. */
export function pairs(rows: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => stringWidth(name)));
  return rows
    .map(([name, value]) => `${`${aligned(name, width, false)}  ${display(String(value))}`.trimEnd()}\n`)
    .join("");
}

function aligned(text: string, width: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return right ? `${space}${text}` : `${text}${space}`;
}

/** Every line of a text indented by four columns and made safe for a terminal. Ends in a newline. */
export const indented = (text: string): string =>
  displayLines(text)
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n")
    .concat("\n");

/** A task can be a whole issue; this much of it is enough to recognize it. */
const TASK_CHARS_MAX = 100;

/** The title of a task, cut, with "…" when the task says more. */
export function taskLine(task: string, charsMax = TASK_CHARS_MAX): string {
  const { title, rest } = titleAndRest(task);
  const chars = [...title];
  const isWhole = chars.length <= charsMax && rest === "";
  return isWhole ? title : `${chars.slice(0, charsMax).join("")} …`;
}

/** What a task is called: its first line that is not blank, and after a colon the next one too, since all reviews begin alike. */
export const taskTitle = (task: string): string => titleAndRest(task).title;

/** The title of a task, and what the task says after it. */
export function titleAndRest(task: string): { readonly title: string; readonly rest: string } {
  const [first, rest] = firstLine(task);
  if (!first.endsWith(":") || rest === "") return { title: first, rest };
  const [next, more] = firstLine(rest);
  return { title: `${first} ${next}`, rest: more };
}

/** The first line of a text that is not blank, and what follows it. */
function firstLine(text: string): readonly [string, string] {
  const whole = text.trim();
  const end = whole.indexOf("\n");
  return end < 0 ? [whole, ""] : [whole.slice(0, end).trimEnd(), whole.slice(end + 1)];
}
