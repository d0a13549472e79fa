/**
 * Lays out the lines of a report for a narrow terminal, which would break them inside of words.
 *
 * A line that is too long goes on below the start of its last column. Where that is too far to the right, the column goes below the line.
 * A word is never cut: it can be copied, or a path to click.
 */
import stringWidth from "string-width";

/** The room of a last column that is not moved below its line. */
const ROOM_MIN = 24;
/** Blanks before a column that is moved below its line, and before what follows a line without columns. */
const BELOW = 6;
const FURTHER = 2;

/** The text with lines of at most so many columns, as far as there are blanks to break at. */
export const hangingLines = (text: string, columns: number): string =>
  text
    .split("\n")
    .flatMap((line) => hung(line, columns))
    .join("\n");

/** Columns are two blanks or more apart. */
const COLUMN_START = /(?=\S)(?<=\S {2,})/;

function hung(line: string, columns: number): readonly string[] {
  if (stringWidth(line) <= columns) return [line];
  const [first = "", ...others] = line.split(COLUMN_START);
  const ends = (text: string): number => stringWidth(text.trimEnd());
  let before = "";
  let start = 0;
  let last = first;
  let taken = 0;
  for (const column of others) {
    const next = start + stringWidth(last);
    if (columns - next < ROOM_MIN && next + ends(column) > columns) break;
    before += last;
    start = next;
    last = column;
    taken += 1;
  }
  const below = others.slice(taken).flatMap((column) => broken(" ".repeat(BELOW), column.trimEnd(), BELOW, columns));
  if (start + ends(last) <= columns) return [`${before}${last.trimEnd()}`, ...below];
  const [indent = ""] = /^ */.exec(last) ?? [];
  const text = last.slice(indent.length).trimEnd();
  const hanging = before === "" ? indent.length + FURTHER : start;
  return [...broken(`${before}${indent}`, text, hanging, columns), ...below];
}

/** Lines of words after a beginning; all but the first are indented. */
function broken(beginning: string, text: string, indent: number, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = beginning;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    const longer = isEmpty ? `${current}${word}` : `${current} ${word}`;
    if (isEmpty || stringWidth(longer) <= columns) current = longer;
    else {
      lines.push(current);
      current = `${" ".repeat(indent)}${word}`;
    }
    isEmpty = false;
  }
  return [...lines, current];
}
