/**
 * The lines of a preview: line numbers and highlighted code, cut to the pane.
 *
 * Only visible rows are cut and highlighted. What each line starts inside is cached per list of lines, which is immutable.
 */
import { type Display, displayLines } from "../../text/display.ts";
import type { PreviewLine } from "../state/review-state.ts";
import { highlightLine, type OpenBlock } from "../styling/highlight.ts";
import { cut, type Line, span } from "../styling/styled-text.ts";
import type { Signs } from "../styling/theme.ts";

const TAB = "    ";

/** Rows from `top`, up to the end. */
export function previewLines(
  lines: readonly PreviewLine[],
  language: string,
  top: number,
  size: { readonly columns: number; readonly rows: number },
  signs: Signs,
): readonly Line[] {
  const begins = beginnings(lines, language, Math.min(lines.length, top + size.rows));
  const digits = String(lines.findLast(({ number }) => number !== null)?.number ?? 0).length;
  const gutter = size.columns < 30 ? 0 : Math.max(3, digits) + 1;
  return lines.slice(top, top + size.rows).map(({ kind, number, text }, at) => {
    const room = size.columns - gutter;
    if (kind === "mark")
      return [
        span("plain", " ".repeat(gutter)),
        span("dim", cut(text.replaceAll("⋮", signs.gap), room, signs.ellipsis)),
      ];
    const shown = cut(untabbed(text, room), room, signs.ellipsis);
    return [
      ...(gutter === 0 ? [] : [span("dim", `${number ?? ""} `.padStart(gutter))]),
      ...highlightLine(shown, language, begins[top + at] ?? null).pieces.map((piece) => span(piece.role, piece.text)),
    ];
  });
}

/** The visible part of a line, with blanks for tabs. */
function untabbed(text: string, columns: number): string {
  const shown: Display = displayLines(text.slice(0, (columns + 1) * UNITS_PER_COLUMN));
  return shown.replaceAll("\t", TAB);
}

/** The maximum of characters for a column; the rest is ignored. */
const UNITS_PER_COLUMN = 8;

/** Lines scanned before the first visible line after a jump. */
const LOOKED_BACK_LINES = 1_000;

const known = new WeakMap<readonly PreviewLine[], OpenBlock[]>();

/**
 * The scanner state at the start of each line up to `end`. It is reset after a gap in the code, and at a jump that leaves
 * too many lines behind.
 */
function beginnings(lines: readonly PreviewLine[], language: string, end: number): readonly OpenBlock[] {
  const begins = known.get(lines) ?? [null];
  known.set(lines, begins);
  for (let at = begins.length; at < end; at += 1) {
    const [before, here] = [lines[at - 1], lines[at]];
    const follows =
      at >= end - LOOKED_BACK_LINES && before?.kind === "code" && here?.kind === "code" && before.number !== null;
    begins.push(
      follows && here.number === (before.number ?? 0) + 1
        ? highlightLine(before.text, language, begins[at - 1] ?? null).inside
        : null,
    );
  }
  return begins;
}
