/**
 * Boxes of lines: a frame with a title around content, boxes side by side, and a box over a screen.
 *
 * A pane has exactly its rows and columns for any content.
 */

import { insideOf } from "../state/layout/layout.ts";
import { boxPlace } from "../state/layout/overlay-layout.ts";
import { columnsOf, cut, fitted, GRAPHEMES, type Line, lineColumns, span, withRole } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";

export type PaneLook = {
  readonly columns: number;
  readonly rows: number;
  readonly active: boolean;
  readonly signs: Signs;
};

/** The parts of the frame itself. `thumb`: the visible part of longer content, null if all of it is visible. */
export type PaneTitle = {
  readonly title: string;
  readonly right?: string;
  readonly bottom?: string;
  readonly thumb?: Thumb | null;
};

/** Rows of the frame's right side, counted from its first, that mark the visible part. */
type Thumb = { readonly from: number; readonly to: number };

/** A frame around lines, with a blank on both sides. Extra lines are cut off, missing ones are blank. */
export function pane(look: PaneLook, title: PaneTitle, content: readonly Line[]): readonly Line[] {
  const { columns, active, signs } = look;
  const role: Role = active ? "border.active" : "border";
  const inside = insideOf(look);
  const left = span(role, `${signs.vertical} `);
  const thumb = title.thumb ?? null;
  const side = (at: number): Line => [
    left,
    ...fitted(content[at] ?? [], inside.columns, signs.ellipsis),
    span(role, " "),
    thumb !== null && at >= thumb.from && at < thumb.to
      ? span(active ? "border.active" : "plain", signs.thumb)
      : span(role, signs.vertical),
  ];
  return [
    edge(look, role, [signs.topLeft, signs.topRight], title.title, title.right ?? ""),
    ...Array.from({ length: inside.rows }, (_, at) => fitted(side(at), columns, signs.ellipsis)),
    edge(look, role, [signs.bottomLeft, signs.bottomRight], "", title.bottom ?? ""),
  ];
}

/** `╭─ title ──── right ─╮`. */
function edge(
  { columns, active, signs }: PaneLook,
  role: Role,
  [start, end]: readonly [string, string],
  title: string,
  right: string,
): Line {
  const room = Math.max(0, columns - 2);
  const shownRight = right === "" || room < 8 ? "" : ` ${cut(right, room - 6, signs.ellipsis)} `;
  const rightPart = shownRight === "" ? [] : [span(active ? "title.active" : "title", shownRight)];
  const titleRoom = room - lineColumns(rightPart) - 4;
  const titlePart =
    title === "" || titleRoom < 1
      ? []
      : [span(active ? "title.active" : "title", ` ${cut(title, titleRoom, signs.ellipsis)} `)];
  const rest = room - lineColumns(rightPart) - lineColumns(titlePart);
  const [before, after] = [Math.min(1, rest), rightPart.length > 0 ? Math.min(1, Math.max(0, rest - 1)) : 0];
  return fitted(
    [
      span(role, start + signs.horizontal.repeat(before)),
      ...titlePart,
      span(role, signs.horizontal.repeat(Math.max(0, rest - before - after))),
      ...rightPart,
      span(role, signs.horizontal.repeat(after) + end),
    ],
    columns,
    signs.ellipsis,
  );
}

/** Boxes of equal height next to each other. */
export const beside = (left: readonly Line[], right: readonly Line[]): readonly Line[] =>
  left.map((cells, at) => [...cells, ...(right[at] ?? [])]);

/** A box in the middle of a screen whose other parts are dimmed. All lines are `columns` wide. */
export function over(under: readonly Line[], box: readonly Line[], columns: number, signs: Signs): readonly Line[] {
  const width = lineColumns(box[0] ?? []);
  const { top, left: before } = boxPlace({ columns: width, rows: box.length }, { columns, rows: under.length });
  const margin = before > 1 ? 1 : 0;
  const after = before + width;
  return under.map((cells, at) => {
    const dimmed = withRole(cells, "dim");
    const row = box[at - top];
    if (row === undefined) return dimmed;
    const text = dimmed.map((piece) => piece.text).join("");
    const rest = columns - after - margin;
    return [
      ...fitted([span("dim", text)], before - margin, " "),
      span("plain", " ".repeat(margin)),
      ...row,
      span("plain", " ".repeat(Math.min(margin, columns - after))),
      ...fitted([span("dim", afterColumns(text, after + margin, signs))], Math.max(0, rest), " "),
    ];
  });
}

/** The part of a line to the right of a column. */
function afterColumns(text: string, columns: number, { ellipsis }: Signs): string {
  if (columnsOf(text) === text.length) return text.slice(columns);
  let at = 0;
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    if (at === columns) return text.slice(index);
    if (at > columns) return `${ellipsis}${text.slice(index)}`;
    at += columnsOf(segment);
  }
  return "";
}

/** The visible part of a list that begins `above` rows below the top of its pane; null if all of it is visible. */
export function scrollThumb(top: number, count: number, rows: number, above = 0): Thumb | null {
  if (count <= rows || rows < 3) return null;
  const length = Math.max(1, Math.floor((rows * rows) / count));
  const from = Math.round((top / (count - rows)) * (rows - length));
  return { from: from + above, to: from + length + above };
}
