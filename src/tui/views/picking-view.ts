/** Boxes with a query and its matches: commands, task history, and the finder. */

import { titleAndRest } from "../../present/layout.ts";
import { shownKey } from "../keys/key-names.ts";
import { contextBelow, labelIn } from "../state/key-context.ts";
import { insideOf, windowTop } from "../state/layout/layout.ts";
import { BOXES, QUERY_ROWS, queryBox } from "../state/layout/overlay-layout.ts";
import { historyRows, paletteRows } from "../state/lists/pages.ts";
import { type FinderRow, labelOf, type Overlay, type Size, type State } from "../state/state.ts";
import type { Field } from "../state/text-field.ts";
import { counted, grouped } from "../styling/numbers.ts";
import { cut, fitted, justified, keepEnd, type Line, line, span, withRole } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { highlighted } from "./matched-letters.ts";
import { pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

/** The query, and the position in its results. */
type Picked = { readonly query: Field; readonly cursor: number };

export function paletteBox(state: State, { query, cursor }: Picked, room: Size, signs: Signs): readonly Line[] {
  const rows = paletteRows(state, query.text);
  const context = contextBelow(state);
  return picking(state, "Commands", room, BOXES.palette, query, "", signs, {
    count: rows.length,
    cursor,
    nothing: "No command matches. Shorten the text, or press esc.",
    rowAt: (at, columns) => {
      const name = rows[at];
      if (name === undefined) return [];
      const key = shownKey(name, context, state.look.ascii) ?? "";
      return justified([span("plain", labelIn(state, name))], [span("key", key)], columns, signs.ellipsis);
    },
  });
}

export function historyBox(state: State, { query, cursor }: Picked, room: Size, signs: Signs): readonly Line[] {
  const { entry } = state;
  const rows = historyRows(entry, query.text);
  const count = `${grouped(rows.length)}/${grouped(entry.history.length)}`;
  return picking(state, "Earlier tasks", room, BOXES.history, query, count, signs, {
    count: rows.length,
    cursor,
    nothing:
      entry.history.length === 0 ? "No earlier task yet." : "No earlier task matches. Shorten the text, or press esc.",
    rowAt: (at, columns) => {
      const { title, rest: more } = titleAndRest(rows[at] ?? "");
      const rest = more === "" ? "" : ` +${counted(more.split("\n").length, "line")}`;
      return justified([span("plain", title)], [span("dim", rest)], columns, signs.ellipsis);
    },
  });
}

export function finderBox(
  state: State,
  overlay: Extract<Overlay, { is: "finder" }>,
  room: Size,
  signs: Signs,
): readonly Line[] {
  const { query, answered, rows, matches, of, cursor } = overlay;
  const searching = answered === query.text ? null : `searching${signs.ellipsis}`;
  const count = searching ?? `${grouped(matches)}/${grouped(of)}`;
  return picking(state, "Add a file or symbol", room, BOXES.finder, query, count, signs, {
    count: rows.length,
    cursor,
    nothing:
      answered === null
        ? "loading names"
        : (searching ?? "Nothing in the index matches. Shorten the text, or press esc."),
    rowAt: (at, columns) => {
      const row = rows[at];
      return row === undefined ? [] : foundLine(row, columns, signs);
    },
  });
}

/** The kind, the name and the place of a symbol; only the path of a file. */
function foundLine({ found, at }: FinderRow, columns: number, signs: Signs): Line {
  const { path, name, kind } = found;
  const what = span(
    "dim",
    `${cut(name === null ? "file" : kind.replaceAll("_", " "), KIND_COLUMNS, signs.ellipsis)} `.padEnd(
      KIND_COLUMNS + 1,
    ),
  );
  const room = columns - KIND_COLUMNS - 1;
  const shown = (text: string, places: readonly number[], role: Role, wide: number): Line =>
    fitted(keepEnd(highlighted(text, places, role), wide, signs.ellipsis), wide, signs.ellipsis);
  if (name === null) return [what, ...shown(path, at, "plain", room)];
  const before = labelOf(found).length - name.length;
  const names = Math.floor(room * NAME_SHARE);
  const places = at.map((place) => place - before);
  return [
    what,
    ...shown(name, places, "plain", names),
    span("plain", " "),
    ...shown(path, at, "dim", room - names - 1),
  ];
}

const KIND_COLUMNS = 10;
const NAME_SHARE = 0.5;

type Rows = {
  readonly count: number;
  readonly cursor: number;
  readonly nothing: string;
  rowAt(at: number, columns: number): Line;
};

function picking(
  state: State,
  title: string,
  room: Size,
  wanted: Size,
  query: Field,
  right: string,
  signs: Signs,
  list: Rows,
): readonly Line[] {
  const box = { ...queryBox(wanted, room), active: true, signs };
  const inside = insideOf(box);
  const rows = Math.max(0, inside.rows - QUERY_ROWS);
  const top = windowTop(list.cursor, list.count, rows);
  const shown = Array.from({ length: Math.min(rows, list.count - top) }, (_, row): Line => {
    const current = top + row === list.cursor;
    const cells: Line = [
      span(current ? "accent" : "plain", current ? `${signs.pointer} ` : "  "),
      ...list.rowAt(top + row, inside.columns - 2),
    ];
    return current ? withRole(justified(cells, [], inside.columns, signs.ellipsis), "cursor") : cells;
  });
  return pane(box, { title, right, thumb: scrollThumb(top, list.count, rows, QUERY_ROWS) }, [
    [span("key", "> "), ...typedLine(query, inside.columns - 2, state.look)],
    [span("border", signs.horizontal.repeat(inside.columns))],
    ...(shown.length > 0 ? shown : [line("dim", list.nothing)]),
  ]);
}
