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

function hung(line: string, columns: number): readonly string[] {
  if (stringWidth(line) <= columns) return [line];
  // Columns are two blanks or more apart.
  const [before = ""] = /^.*\S {2,}(?=\S)/.exec(line) ?? [];
  const start = stringWidth(before);
  const rest = line.slice(before.length);
  if (before === "") {
    const [indent = ""] = /^ */.exec(rest) ?? [];
    return broken(indent, rest.trimStart(), indent.length + FURTHER, columns);
  }
  if (columns - start >= ROOM_MIN) return broken(before, rest, start, columns);
  return [...hung(before.trimEnd(), columns), ...broken(" ".repeat(BELOW), rest, BELOW, columns)];
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
