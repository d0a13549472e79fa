/**
 * Groups comments into blocks and turns blocks into facts.
 *
 * Line comments on adjacent lines with the same indentation and no code form one block. Directives (for linters,
 * compilers, editors) stay separate from the prose around them. Contents exclude the comment signs.
 */

import type { Span } from "../../text/lines.ts";
import type { Match } from "../query/match.ts";
import { classifyComment, isDirective } from "./comment-kind.ts";
import type { CommentFact } from "./facts.ts";
import { firstOnLine, type SourceText, textOf } from "./source-text.ts";

/** `opening` is the start of the first comment, with its signs. `alone`: no code precedes it on its lines. */
export type CommentBlock = {
  readonly span: Span;
  readonly line: number;
  readonly endLine: number;
  readonly content: string;
  readonly opening: string;
  readonly alone: boolean;
};

/** Characters kept of a comment's content. */
const CONTENT_MAX = 4_000;
const OPENING_MAX = 400;

/** What a block comment of a language begins and ends with. */
type BlockSigns = { readonly begin: string; readonly end: string };

/** The comment blocks of a file, in order. `signs` are those of its language, of which `/*` and the brackets of Lua need no entry. */
export function findCommentBlocks(
  source: SourceText,
  matches: readonly Match[],
  signs: readonly BlockSigns[],
): readonly CommentBlock[] {
  const blocks: { first: Span; last: Span; parts: string[]; alone: boolean; joins: boolean; column: number }[] = [];
  for (const { captures } of matches) {
    const span = captures.get("comment");
    if (span === undefined) continue;
    const raw = textOf(source, span);
    const line = source.lines.lineOf(span.start);
    const alone = firstOnLine(source, span.start);
    const column = span.start - source.lines.startOf(line);
    const isKnown = /^(?:\/\*|--\[=*\[)/.test(raw);
    const block = isKnown ? undefined : signs.find(({ begin }) => raw.startsWith(begin));
    const joins = alone && !isKnown && block === undefined && !isDirective(raw);
    const content = block === undefined ? withoutSigns(raw) : between(raw, block);
    const before = blocks.at(-1);
    if (joins && before?.joins && before.column === column && endLineOf(source, before.last) + 1 === line) {
      before.last = span;
      before.parts.push(content);
    } else blocks.push({ first: span, last: span, parts: [content], alone, joins, column });
  }
  return blocks.map(({ first, last, parts, alone }) => ({
    span: { start: first.start, end: last.end },
    line: source.lines.lineOf(first.start),
    endLine: endLineOf(source, last),
    content: parts.join("\n").trim().slice(0, CONTENT_MAX),
    opening: source.text.slice(first.start, Math.min(first.end, first.start + OPENING_MAX)),
    alone,
  }));
}

/** Some grammars include the line feed in a line comment. */
const endLineOf = ({ lines }: SourceText, { start, end }: Span): number => lines.lineOf(Math.max(start, end - 1));

/** The facts of blocks that are not documentation. `ownerOf` returns the symbol that a block belongs to. */
export function commentFacts(
  blocks: readonly CommentBlock[],
  ownerOf: (block: CommentBlock) => number | null,
): readonly CommentFact[] {
  return blocks
    .filter(({ content }) => content !== "")
    .map((block) => {
      const { line, endLine, content, opening } = block;
      const { kind, isRationale } = classifyComment(content, opening);
      return { line, endLine, content, kind, isRationale, symbol: ownerOf(block) };
    });
}

const between = (raw: string, { begin, end }: BlockSigns): string =>
  raw.slice(begin.length, raw.endsWith(end) ? -end.length : undefined).trim();

/** A comment without `#`, `//`, `/* * /` and the stars at its left edge; keeps relative indentation. */
function withoutSigns(raw: string): string {
  if (raw.startsWith("=begin")) return raw.replace(/^=begin[^\n]*|^=end[^\n]*$/gm, "").trim();
  if (raw.startsWith("--[")) return raw.replace(/^--\[=*\[-*|(?<!-)-*\]=*\]$/g, "").trim();
  if (!raw.startsWith("/*")) return raw.replace(/^(?:#+[!:]?|\/\/+!?|--+|;+|%+) ?/, "").trimEnd();
  return raw
    .replace(/^\/\*+!?/, "")
    .replace(/(?<!\*)\**\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*(?: |(?=\S)|\s*$)/, "").trimEnd())
    .join("\n")
    .trim();
}
