/**
 * Rows of cells as aligned text. Widths are columns of a terminal, so CJK and emoji line up.
 *
 * Cells are made safe for a terminal. A column is aligned right when every cell under its heading is a
 * number. Nothing is cut: a long path is worth a long line.
 */
import stringWidth from "string-width";
import { display } from "../text/display.ts";

export type Cell = string | number;

/** A table with a heading; "" when there are no rows. Ends in a newline. */
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

/** Names and values, one pair a line, the values in one column. Ends in a newline. */
export function pairs(rows: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => stringWidth(name)));
  return rows
    .map(([name, value]) => `${`${aligned(name, width, false)}  ${display(String(value))}`.trimEnd()}\n`)
    .join("");
}

/** Bytes with a unit: `812 B`, `3.4 MiB`. */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** A count with its noun: `1 file`, `3 files`, `2 entries`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

function aligned(text: string, width: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return right ? `${space}${text}` : `${text}${space}`;
}
