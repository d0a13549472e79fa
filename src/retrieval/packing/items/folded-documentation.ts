/**
 * Long documentation of a class that is under review shows its first lines and its last: the diff has the lines that changed, and
 * a class's own lines are shown beside its methods'.
 */
import type { SymbolRow } from "../../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../../text/ranges.ts";

/** Shorter documentation is shown whole. */
const FOLDED_LINES_MIN = 12;
/** Lines shown at its beginning; the last one closes it. */
const FIRST_LINES = 3;
/** Where documentation inside of a class can begin, in lines below the beginning of its header. */
const HEADER_LINES_MAX = 12;
const OPENING = /^\s*[bru]{0,2}("""|''')/i;

/** The lines to leave out, inside the documentation above or at the top of a definition. `lines` are those of its file. */
export function foldedDocumentation(
  { docLine, startLine, endLine }: Pick<SymbolRow, "docLine" | "startLine" | "endLine">,
  lines: readonly string[],
): readonly LineRange[] {
  const above = { startLine: docLine, endLine: startLine - 1 };
  return [above, docstring(startLine, endLine, lines)]
    .filter((block) => block !== null)
    .filter((block) => block.endLine - block.startLine + 1 >= FOLDED_LINES_MIN)
    .map((block) => ({ startLine: block.startLine + FIRST_LINES, endLine: block.endLine - 1 }));
}

/** The string at the top of a Python class. */
function docstring(startLine: number, endLine: number, lines: readonly string[]): LineRange | null {
  for (let line = startLine + 1; line <= Math.min(endLine, startLine + HEADER_LINES_MAX); line += 1) {
    const [opening, quotes] = OPENING.exec(lines[line - 1] ?? "") ?? [];
    if (opening === undefined || quotes === undefined) continue;
    let close = line;
    let rest = (lines[line - 1] ?? "").slice(opening.length);
    while (!rest.includes(quotes) && close < endLine) {
      close += 1;
      rest = lines[close - 1] ?? "";
    }
    return { startLine: line, endLine: close };
  }
  return null;
}
