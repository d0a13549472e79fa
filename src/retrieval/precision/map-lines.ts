/**
 * The lines of a map of the repository: the beginning of files without definitions. Of code these are its first statements, such as what an
 * entry point exports again; of a document the first paragraph.
 */
import type { FileQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import { type LineRange, mergeRanges } from "../../text/ranges.ts";
import type { PlacedSnippet, ScopedFile } from "../model/selection.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

const LINES_MAX = 8;
/** Comments, such as a licence at the top, directives and blank lines. */
const NO_STATEMENT = /^\s*(?:$|\/[/*]|\*|#(?![a-z])|--|["'`]use \w+["'`])/;
/** Headings, badges, lists and markup are no sentences. */
const SENTENCE = /^[\s*_"“]*[\p{L}\p{N}`[]/u;
const WORDS_MIN = 5;
const MARKUP = /^\s*(?:[#=<!|-]|\[!|\.\.\s|:\w+:|\*\s|\d+\.\s)/;

/** `symbols` are those of the files on the map. */
export function linesOfMap(
  kb: Pick<FileQueries, "textsToMatch">,
  symbols: readonly SymbolRow[],
  files: readonly ScopedFile[],
): readonly PlacedSnippet[] {
  const defining = new Set(symbols.map(({ fileId }) => fileId));
  const bare = files.filter(({ file }) => !defining.has(file.id));
  const texts = kb.textsToMatch(bare.map(({ file }) => file.id));
  return bare.flatMap(({ file }) => {
    const lines = (texts.get(file.id) ?? "").split("\n");
    const ranges = roleOf(file) === "docs" ? firstParagraph(lines) : firstStatements(lines);
    if (ranges.length === 0) return [];
    return [{ fileId: file.id, ranges, score: RELEVANT_SHARE_MIN, floor: true, why: "the beginning of the file" }];
  });
}

function firstStatements(lines: readonly string[]): readonly LineRange[] {
  const numbers = lines.flatMap((line, at) => (NO_STATEMENT.test(line) ? [] : [at + 1]));
  return mergeRanges(numbers.slice(0, LINES_MAX).map((line) => ({ startLine: line, endLine: line })));
}

function firstParagraph(lines: readonly string[]): readonly LineRange[] {
  const first = lines.findIndex(isSentence);
  if (first < 0) return [];
  const shown = lines.slice(first, first + LINES_MAX);
  const end = shown.findIndex((line) => line.trim() === "");
  return [{ startLine: first + 1, endLine: first + (end < 0 ? shown.length : end) }];
}

const isSentence = (line: string): boolean =>
  !MARKUP.test(line) && SENTENCE.test(line) && line.trim().split(/\s+/).length >= WORDS_MIN;
