/**
 * Text into Markdown that nothing inside can break out of.
 *
 * A fence is always longer than any run of its character in the text, inline code likewise; prose has a backslash
 * before whatever Markdown would act on; control characters of a heading, a path or prose are made visible.
 */
import { display, displayLines } from "./display.ts";

/** A fenced block. `info` is the language word. */
export function fenced(text: string, info: string): string {
  const longest = longestRun(text, "`");
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${info}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}

/** Inline code on one line. */
export function inlineCode(text: string): string {
  const shown = display(text.replace(/\s*\r?\n\s*/g, " "));
  const longest = longestRun(shown, "`");
  if (longest === 0) return `\`${shown}\``;
  const delimiter = "`".repeat(longest + 1);
  return `${delimiter} ${shown} ${delimiter}`;
}

/** A path for a heading or list, letter by letter as it is: plain where Markdown sees nothing in it, else as code. */
export const pathText = (path: string): string =>
  /^[\p{L}\p{N}_./@][\p{L}\p{N}_./@+-]*$/u.test(path) ? path : pathCode(path);

/** A path as inline code. A line end in a name is shown, not folded as in code. */
export const pathCode = (path: string): string => inlineCode(display(path));

/** Prose for a heading or list: one line, nothing that Markdown or a terminal would act on. */
export function plain(text: string): string {
  return display(text).replace(/[`~*[\]<>#&|\\]/g, (char) => `\\${char}`);
}

/**
 * Prose of any length as one paragraph, whose lines after the first stand behind `indent`. Line ends stay and empty
 * lines go. Code between single backticks stays code; nothing else in the text acts. A backslash stands only where
 * something would.
 */
export function paragraph(text: string, indent = ""): string {
  return displayLines(text.replaceAll(/\r\n?/g, "\n"))
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").trim())
    .filter((line) => line !== "")
    .map(proseLine)
    .join(`\n${indent}`);
}

/** The same on one line. */
export const lineOfProse = (text: string): string => paragraph(text.replaceAll(/\s+/g, " "));

/** One line of prose. What would begin a list, a quote, a heading, a rule, a table or underline one has its backslash too. */
const proseLine = (line: string): string =>
  line
    .split(/((?<!`)`[^`]+`(?!`))/)
    .map((part, at) => (at % 2 === 1 ? part : escapedProse(part)))
    .join("")
    .replace(/^(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+$|[-:|][-:|\s]*$)/, "\\")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");

/** An underscore inside a word does nothing; at its edge it would. */
const escapedProse = (text: string): string =>
  text.replace(
    /[`~*]|\\(?=[!-/:-@[-`{-~]|$)|\](?=[([:])|<(?=[A-Za-z/!?])|&(?=#|[A-Za-z][A-Za-z0-9]*;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    "\\$&",
  );

function longestRun(text: string, char: string): number {
  let longest = 0;
  for (let start = text.indexOf(char); start >= 0; ) {
    let end = start + 1;
    while (text[end] === char) end += 1;
    longest = Math.max(longest, end - start);
    start = text.indexOf(char, end);
  }
  return longest;
}
