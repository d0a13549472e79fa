/**
 * Reads the fenced code blocks of a Markdown text as CommonMark 0.31.2 does (section 4.5), top level only.
 *
 * Written apart from what renders, so that the two can disagree. Not a Markdown parser: lists and quotes are not
 * entered, so a fence inside of one counts as text outside.
 */

export type Fenced = {
  readonly info: string;
  /** The lines between the fences, each ended by a line feed. */
  readonly text: string;
  /** False when the document ended first. */
  readonly closed: boolean;
};

export type Markdown = {
  readonly blocks: readonly Fenced[];
  /** The lines that are not in a block and not its fences. */
  readonly outside: readonly string[];
};

export function readMarkdown(text: string): Markdown {
  const blocks: Fenced[] = [];
  const outside: string[] = [];
  let open: { readonly char: string; readonly length: number; readonly info: string; text: string } | null = null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (open === null) {
      const [, fence = "", info = ""] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
      if (fence === "") outside.push(line);
      else open = { char: fence.charAt(0), length: fence.length, info: info.trim(), text: "" };
      continue;
    }
    const [, close = ""] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
    if (close.startsWith(open.char) && close.length >= open.length) {
      blocks.push({ info: open.info, text: open.text, closed: true });
      open = null;
    } else open.text += `${line}\n`;
  }
  if (open !== null) blocks.push({ info: open.info, text: open.text, closed: false });
  return { blocks, outside };
}
