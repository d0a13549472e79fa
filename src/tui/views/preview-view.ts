/**
 * The lines of a preview: line numbers and highlighted code, cut or wrapped to the pane, with the searched words marked.
 *
 * Only visible rows are cut and highlighted. What each line starts inside is cached per list of lines, which is immutable.
 */
import { DIFF } from "../state/preview/preview.ts";
import { gutterColumns, visibleText, WRAPPED_ROWS_MAX } from "../state/preview/preview-scroll.ts";
import type { Matcher } from "../state/preview/preview-search.ts";
import type { PreviewLine } from "../state/review-state.ts";
import { highlightLine, type OpenBlock } from "../styling/highlight.ts";
import { dropColumns, fitted, type Line, lineColumns, marked, span } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";

type PreviewLook = {
  readonly columns: number;
  readonly rows: number;
  readonly signs: Signs;
  readonly language: string;
  /** The first line and the first column. */
  readonly top: number;
  readonly left: number;
  readonly wrap: boolean;
  readonly matcher: Matcher;
  /** The line that a search went to. */
  readonly hit: number | null;
};

/** Rows from the top, up to the end. A line with a searched word has a sign beside its number. */
export function previewLines(lines: readonly PreviewLine[], look: PreviewLook): readonly Line[] {
  const { columns, rows, signs, language, top, left, wrap } = look;
  const begins = beginnings(lines, language, Math.min(lines.length, top + rows));
  const gutter = gutterColumns(lines, language, columns);
  const room = Math.max(1, columns - gutter);
  const drawn: Line[] = [];
  for (let at = top; at < lines.length && drawn.length < rows; at += 1) {
    const here = lines[at];
    if (here === undefined) break;
    const text = visibleText(here.text.replaceAll("⋮", signs.gap), (left + room) * (wrap ? WRAPPED_ROWS_MAX : 1));
    const matches = look.matcher(text);
    const code = marked(codeOf(here, text, language, begins[at] ?? null), matches, at === look.hit ? "hit" : "found");
    const sign = matches.length > 0 ? signs.note : " ";
    const number = gutter === 0 ? [] : [span("dim", `${here.number ?? ""}`.padStart(gutter - 1)), span("found", sign)];
    const parts = wrap ? wrappedParts(code, room) : [fitted(dropColumns(code, left), room, signs.ellipsis)];
    for (const [part, cells] of parts.entries())
      drawn.push(part === 0 ? [...number, ...cells] : [span("plain", " ".repeat(gutter)), ...cells]);
  }
  return drawn.slice(0, rows);
}

function wrappedParts(code: Line, room: number): readonly Line[] {
  const parts: Line[] = [];
  let rest = code;
  while (parts.length < WRAPPED_ROWS_MAX && lineColumns(rest) > room) {
    parts.push(fitted(rest, room, ""));
    rest = dropColumns(rest, room);
  }
  return [...parts, rest];
}

function codeOf({ kind }: PreviewLine, text: string, language: string, inside: OpenBlock): Line {
  if (language === DIFF) return [span(diffRole(text), text)];
  if (kind === "mark") return [span("dim", text)];
  return highlightLine(text, language, inside).pieces.map((piece) => span(piece.role, piece.text));
}

function diffRole(text: string): Role {
  if (/^(?:diff |---|\+\+\+|index |rename |similarity |new file|deleted file)/.test(text)) return "strong";
  if (text.startsWith("@@")) return "accent";
  return text.startsWith("+") ? "good" : text.startsWith("-") ? "bad" : "plain";
}

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
