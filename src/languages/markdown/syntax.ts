/**
 * Finds the headings of Markdown, line by line.
 *
 * Recognizes headings with `#` and underlined ones, but not those in fences, HTML comments, front matter, quotes and lists.
 */

import type { Lines } from "../../text/lines.ts";
import type { Heading, Outliner } from "../syntax.ts";

/** Longer lines are not headings. */
const LINE_MAX = 1_000;

export const MARKDOWN_OUTLINER: Outliner = { outline };

type Title = Omit<Heading, "span"> & { readonly start: number };

function outline(text: string, lines: Lines): readonly Heading[] {
  const headings: Title[] = [];
  const lineAt = (line: number): string =>
    text.slice(lines.startOf(line), Math.min(lines.startOf(line + 1), lines.startOf(line) + LINE_MAX)).trimEnd();
  let block: RegExp | null = null;
  let paragraph: string | null = null;
  for (let line = afterSettings(lines.count, lineAt); line <= lines.count; line += 1) {
    const written = lineAt(line);
    const above = paragraph;
    paragraph = null;
    if (block !== null) {
      if (block.test(written)) block = null;
      continue;
    }
    block = endOfBlock(written);
    if (block !== null) continue;
    const start = lines.startOf(line);
    const marked = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(written);
    if (marked !== null) {
      const name = plainTitle(written.slice(marked[0].length).replace(/(?<=[ \t])#+$/, ""));
      if (name !== "") headings.push({ name, depth: marked[1]?.length ?? 1, start, nameStart: start });
    } else if (above !== null && /^ {0,3}(?:=+|-+)$/.test(written)) {
      const nameStart = lines.startOf(line - 1);
      const name = plainTitle(above);
      if (name !== "") headings.push({ name, depth: written.includes("=") ? 1 : 2, start: nameStart, nameStart });
    } else if (/^ {0,3}[^\s>|<#]/.test(written) && !/^ {0,3}(?:[-*+]|\d+[.)])\s/.test(written)) paragraph = written;
  }
  return headings.map(withSpan(headings, text.length));
}

/** The first line after the front matter. */
function afterSettings(count: number, lineAt: (line: number) => string): number {
  const fence = lineAt(1);
  if (fence !== "---" && fence !== "+++") return 1;
  for (let line = 2; line <= count; line += 1) if (lineAt(line) === fence) return line + 1;
  return 1;
}

/** The end of the fence or comment that a line starts; null if it starts none. */
function endOfBlock(line: string): RegExp | null {
  if (/^ {0,3}<!--/.test(line)) return line.includes("-->") ? null : /-->/;
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  return fence === undefined ? null : new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}$`);
}

/** A title without links, images, code marks and ids. */
const plainTitle = (title: string): string =>
  title
    .slice(0, TITLE_MAX)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\{#[^{}]*\}|[`*]|<[^<>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();

const TITLE_MAX = 200;

/** A heading's section ends at the next heading of the same or a higher level. */
function withSpan(headings: readonly Title[], end: number): (heading: Title, index: number) => Heading {
  const ends = headings.map(() => end);
  const open: number[] = [];
  headings.forEach(({ depth, start }, index) => {
    while (open.length > 0 && (headings[open.at(-1) ?? 0]?.depth ?? 0) >= depth) ends[open.pop() ?? 0] = start;
    open.push(index);
  });
  return ({ name, depth, start, nameStart }, index) => ({
    name,
    depth,
    span: { start, end: ends[index] ?? end },
    nameStart,
  });
}
