/**
 * Text into Markdown that nothing inside can break out of.
 *
 * A fence is always longer than any run of its character in the text, inline code likewise, and a path
 * or name in a heading has its control characters made visible.
 */
import { display } from "../text/display.ts";

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
 * The task's text as a section body. Ordinary text stands as it is; text that holds fences, headings or
 * HTML would change the document around it, so it is fenced.
 */
export function quotedTask(text: string): string {
  return /(^|[\r\n])[ \t]*(#|>|<|---|(-+|=+)[ \t]*([\r\n]|$))|<!--|```|~~~/.test(text) ? fenced(text, "text") : text;
}

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
