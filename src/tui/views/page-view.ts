/** Boxes with text: the help and the shell command. */
import { keyName } from "../keys/key-names.ts";
import { insideOf } from "../state/layout/layout.ts";
import { BOXES, commandLines, linesBox, pageTop } from "../state/layout/overlay-layout.ts";
import { type HelpLine, helpLines } from "../state/lists/pages.ts";
import type { Size, State } from "../state/state.ts";
import { fitted, type Line, line, span } from "../styling/styled-text.ts";
import type { Signs } from "../styling/theme.ts";
import { type PaneTitle, pane, scrollThumb } from "./pane.ts";

export function helpBox(state: State, top: number, room: Size, signs: Signs): readonly Line[] {
  const lines = helpLines(state);
  return page(
    { title: "Keys of this screen" },
    room,
    BOXES.help.columns,
    top,
    lines.length,
    signs,
    (from, to, columns) => lines.slice(from, to).map((row) => helpLine(row, columns, state.look.ascii, signs)),
  );
}

const KEY_COLUMNS = 22;

function helpLine(row: HelpLine, columns: number, ascii: boolean, signs: Signs): Line {
  if (row.is === "heading") return [span("title.active", row.category)];
  const keys = row.keys.map((key) => keyName(key, ascii)).join("  ");
  return [
    ...fitted([span("plain", "  "), span("key", keys)], Math.min(KEY_COLUMNS, columns), signs.ellipsis),
    span("plain", ` ${row.label}`),
  ];
}

export function commandBox(state: State, top: number, room: Size, signs: Signs): readonly Line[] {
  const { lack, command } = commandLines(state.review, room, signs.ellipsis);
  const lines = [...lack.map((text) => line("warn", text)), ...command.map((text) => line("plain", text))];
  return page({ title: "Equivalent command" }, room, BOXES.command.columns, top, lines.length, signs, (from, to) =>
    lines.slice(from, to),
  );
}

/** A box as high as its lines, at most as high as the screen; `top` is the first line shown, limited by the text. */
function page(
  title: PaneTitle,
  room: Size,
  wanted: number,
  top: number,
  length: number,
  signs: Signs,
  linesOf: (from: number, to: number, columns: number) => readonly Line[],
): readonly Line[] {
  const box = linesBox(wanted, length, room);
  const inside = insideOf(box);
  const from = pageTop(top, length, inside.rows);
  return pane(
    { ...box, active: true, signs },
    {
      ...title,
      right: length <= inside.rows ? "" : `${from + 1}-${from + inside.rows}/${length}`,
      thumb: scrollThumb(from, length, inside.rows),
    },
    linesOf(from, from + inside.rows, inside.columns),
  );
}
