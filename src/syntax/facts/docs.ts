/**
 * Documentation of a definition or a file.
 *
 * It has two forms: a string inside the definition (Python), or a comment directly above it (JSDoc). Ordinary comments,
 * directives, or one empty line can separate a documentation comment from its definition. Ordinary comments directly
 * above a definition belong to it too, but are not its documentation.
 */
import { isLicence } from "./comment-kind.ts";
import type { CommentBlock } from "./comments.ts";
import type { DocFact } from "./facts.ts";
import type { SourceText } from "./source-text.ts";

/** What is above a line: its first line (the line itself if nothing is above), the blocks, and the documentation among them. */
type Above = {
  readonly docLine: number;
  readonly blocks: readonly CommentBlock[];
  readonly doc: CommentBlock | null;
};

/** Comment blocks considered above a definition; bounds the search. */
const BLOCKS_MAX = 8;

/** Finds the comments above a line. `byEndLine` holds the blocks without code on their lines. */
export function lookAbove(source: SourceText, startLine: number, byEndLine: ReadonlyMap<number, CommentBlock>): Above {
  const blocks: CommentBlock[] = [];
  let top = startLine;
  while (blocks.length < BLOCKS_MAX) {
    const block = byEndLine.get(top - 1);
    if (block === undefined || source.style.fileComment?.test(block.opening) === true) break;
    blocks.push(block);
    top = block.line;
    if (isDocComment(source, block)) return { docLine: top, blocks, doc: block };
  }
  const higher = source.style.docGap ? byEndLine.get(top - 2) : undefined;
  if (higher !== undefined && isDocComment(source, higher) && isBlank(source, top - 1)) {
    return { docLine: higher.line, blocks: [...blocks, higher], doc: higher };
  }
  return { docLine: top, blocks, doc: null };
}

const isBlank = ({ text, lines }: SourceText, line: number): boolean =>
  text.slice(lines.startOf(line), lines.startOf(line + 1)).trim() === "";

function isDocComment({ style }: SourceText, { opening, content }: CommentBlock): boolean {
  return style.docComment?.test(opening) === true && !isLicence(content);
}

const OVERVIEW = /^@(?:fileoverview|file|overview|module|packageDocumentation)\b/m;

/** Recognizes a comment about the file: an inner comment (`//!`) without indentation, or one with an overview tag. */
const isForFile = ({ style, lines }: SourceText, { content, opening, span, line }: CommentBlock): boolean =>
  style.fileComment === null
    ? OVERVIEW.test(content)
    : style.fileComment.test(opening) && lines.startOf(line) === span.start;

/** The documentation comment of the whole file: one marked as such, else the first comment if it describes no definition. */
export function fileDocComment(
  source: SourceText,
  blocks: readonly CommentBlock[],
  taken: ReadonlySet<CommentBlock>,
): CommentBlock | null {
  const docs = blocks.filter((block) => isDocComment(source, block) && !taken.has(block));
  const declared = docs.find((block) => isForFile(source, block));
  if (declared !== undefined) return declared;
  const first = docs[0];
  return first !== undefined && onlyCommentsBefore(source, first, blocks) ? first : null;
}

function onlyCommentsBefore(
  { text, style }: SourceText,
  first: CommentBlock,
  blocks: readonly CommentBlock[],
): boolean {
  let at = 0;
  for (const { span } of blocks) {
    const between = text.slice(at, span.start);
    if ((at === 0 ? between.replace(style.openingTag ?? "", "") : between).trim() !== "") return false;
    if (span.start === first.span.start) return true;
    at = span.end;
  }
  return false;
}

/** A documentation comment as a fact. */
export const docOfComment = ({ style }: SourceText, { content }: CommentBlock): DocFact => ({
  content,
  format: style.docFormat,
});

/** A documentation string as a fact, without quotes and without the indentation that its lines share. */
export function docOfString(literal: string): DocFact {
  const content = unindented(literal.replace(/^[a-zA-Z]{0,2}("""|'''|"|')([\s\S]*)\1$/, "$2"));
  return { content, format: docFormat(content) };
}

const GOOGLE = /^[ \t]*(?:Args|Arguments|Returns?|Raises|Yields|Attributes|Examples?|Keyword Args|Todo):[ \t]*$/m;
const NUMPY =
  /^[ \t]*(?:Parameters|Returns?|Raises|Yields|Attributes|Examples?|Notes|See Also|Warns)[ \t]*\n[ \t]*-{3,}[ \t]*$/m;
const SPHINX = /^[ \t]*:(?:param|type|returns?|rtype|raises?|arg|var|ivar|cvar|keyword)\b[^:\n]*:/m;

/** The format of a documentation string, recognized by its section marks. */
function docFormat(content: string): DocFact["format"] {
  if (NUMPY.test(content)) return "numpy";
  if (SPHINX.test(content)) return "sphinx";
  return GOOGLE.test(content) ? "google" : "plain";
}

/** Ignores the indentation of the first line, because that follows the quotes. */
function unindented(text: string): string {
  const [first = "", ...rest] = text.split("\n").map((line) => line.trimEnd());
  const depths = rest.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const depth = depths.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return [first.trimStart(), ...rest.map((line) => line.slice(Math.min(depth, line.length)))].join("\n").trim();
}
