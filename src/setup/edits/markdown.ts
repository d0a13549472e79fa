/** Adds a block between two comments at the end of a Markdown file, replaces an older one, and takes it out again. */
import { BYTE_ORDER_MARK, type Edit, insertedAt, lineEndOf, newLineAtEnd, notChanged } from "./edit.ts";

const MARK = "<!-- cra:begin";
const BEGIN = `${MARK}; cra setup wrote this block, and cra setup --undo removes it -->`;
const END = "<!-- cra:end -->";

export function addMarkdown(before: string, content: string): Edit {
  const eol = lineEndOf(before);
  const block = [BEGIN, ...content.trimEnd().split("\n"), END, ""].join(eol);
  const old = blockIn(before);
  if (old !== null) {
    if (before.slice(old.from, old.to).trimEnd() === block.trimEnd()) return { kind: "present" };
    return { kind: "changed", text: before.slice(0, old.from) + block + before.slice(old.to), inserted: [block] };
  }
  const isEmpty = before === "" || before === BYTE_ORDER_MARK;
  return insertedAt(before, before.length, `${newLineAtEnd(before)}${isEmpty ? "" : eol}${block}`);
}

/** The text without the block and the blank line before it. */
export function removeMarkdown(text: string): string {
  const found = blockIn(text);
  return found === null ? text : text.slice(0, found.from).replace(/\r?\n$/, "") + text.slice(found.to);
}

/** Where the block is, with the end of its last line. Throws for one without an end: what follows it may be the user's. */
function blockIn(text: string): { from: number; to: number } | null {
  const from = text.indexOf(MARK);
  if (from === -1) return null;
  const [end, next] = [text.indexOf(END, from), text.indexOf(MARK, from + 1)];
  if (end === -1 || (next !== -1 && next < end)) throw notChanged(`the line ${END} is missing in it`);
  const after = end + END.length;
  const lineEnd = /^\r?\n/.exec(text.slice(after, after + 2))?.[0].length ?? 0;
  return { from, to: after + lineEnd };
}
