/**
 * Escapes text for Markdown.
 *
 * A fence is longer than any run of its character in the text, as is the delimiter of inline code. In prose, a backslash
 * precedes every character that Markdown would interpret. Control characters in headings, paths and prose become visible.
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
  const shown = display(text.replace(/(?<!\s)\s*\n\s*/g, " "));
  const longest = longestRun(shown, "`");
  if (longest === 0) return `\`${shown}\``;
  const delimiter = "`".repeat(longest + 1);
  return `${delimiter} ${shown} ${delimiter}`;
}

/** Whether a text has an underscore at the edge of a word, which can begin or end an emphasis (`__init__`). */
export const hasOuterUnderscore = (text: string): boolean => /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(text);

/** A path for a heading or list: plain if Markdown interprets nothing in it, else as code. */
export const pathText = (path: string): string =>
  /^[\p{L}\p{N}_./@][\p{L}\p{N}_./@+-]*$/u.test(path) && !hasOuterUnderscore(path) ? path : pathCode(path);

/** A path as inline code. A line end in a name is shown, not turned into a space. */
export const pathCode = (path: string): string => inlineCode(display(path));

/** Prose for a heading or list: one line, with everything escaped that Markdown or a terminal would interpret. */
export function plain(text: string): string {
  return display(text).replace(/[`~*[\]<>#&|\\]/g, (char) => `\\${char}`);
}

/**
 * Prose of any length as one paragraph; lines after the first start with `indent`. Keeps line ends and drops empty lines.
 * Code between single backticks stays code; everything else is escaped, but only where Markdown would interpret it.
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

/** One line of prose. Escapes what would start a list, quote, heading, rule or table, or underline a heading. */
const proseLine = (line: string): string =>
  line
    .split(/((?<!`)`[^`]+`(?!`))/)
    .map((part, at) => (at % 2 === 1 ? part : escapedProse(part)))
    .join("")
    .replace(/^(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+$|[-:|][-:|\s]*$)/, "\\")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");

/** Escapes an underscore only at the edge of a word, because Markdown ignores it inside. */
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
