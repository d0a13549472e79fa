/** Boxes with text: the help, the changes of a round, and the shell command. */
import type { ChangeKind } from "../../retrieval/model/changes.ts";
import { keyName } from "../keys/key-names.ts";
import { contextBelow } from "../state/key-context.ts";
import { insideOf } from "../state/layout.ts";
import { type ChangeLine, changeLines, type HelpLine, helpLines } from "../state/pages.ts";
import { unappliedChanges } from "../state/refinement-request.ts";
import type { Size, State } from "../state/state.ts";
import { counted } from "../styling/numbers.ts";
import { cut, cutPath, fitted, type Line, line, span, wrapped } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { boxColumns, type PaneTitle, pane, scrollThumb } from "./pane.ts";

export function helpBox(state: State, top: number, room: Size, signs: Signs): readonly Line[] {
  const lines = helpLines(state);
  const marks = contextBelow(state) === "review" ? MARKS : "";
  return page({ title: "Keys", bottom: marks }, room, 72, top, lines.length, signs, (from, to, columns) =>
    lines.slice(from, to).map((row) => helpLine(row, columns, state.look.ascii, signs)),
  );
}

const KEY_COLUMNS = 22;
/** The meaning of the signs in a list. */
const MARKS = "[+] accepted  [-] rejected  (+) (-) in an earlier round";

function helpLine(row: HelpLine, columns: number, ascii: boolean, signs: Signs): Line {
  if (row.is === "text") return [span("dim", row.text)];
  if (row.is === "heading") return [span("title.active", row.category)];
  const keys = row.keys.map((key) => keyName(key, ascii)).join("  ");
  return [
    ...fitted([span("plain", "  "), span("key", keys)], Math.min(KEY_COLUMNS, columns), signs.ellipsis),
    span("plain", ` ${row.label}`),
  ];
}

const CHANGE_SIGNS: Readonly<Record<ChangeKind, readonly [sign: string, role: Role]>> = {
  added: ["+", "good"],
  dropped: ["-", "bad"],
  promoted: ["^", "accent"],
  demoted: ["v", "warn"],
};

export function changesBox(state: State, top: number, room: Size, signs: Signs): readonly Line[] {
  const lines = changeLines(state);
  const since = state.review?.round?.package.provenance.changes?.since_round ?? null;
  const isMade = lines?.every(({ is }) => is === "made") ?? true;
  const title = since === null || !isMade ? "Changes" : `Changes since round ${since}`;
  if (lines === null || lines.length === 0)
    return page({ title }, room, 60, 0, 1, signs, () => [
      line("dim", lines === null ? "This is the first round: nothing to compare with." : "Nothing changed."),
    ]);
  return page({ title }, room, 110, top, lines.length, signs, (from, to, columns) =>
    lines.slice(from, to).map((row) => changeLine(row, columns, signs)),
  );
}

function changeLine(row: ChangeLine, columns: number, signs: Signs): Line {
  if (row.is === "heading") return [span("title.active", row.text)];
  const { path, item } = row.is === "made" ? row.change : row.move;
  const details = row.is === "made" ? detailText(row, signs) : counted(row.move.tokens, "token");
  const detailColumns = columns < 56 ? 0 : DETAIL_COLUMNS;
  const [sign, role] = CHANGE_SIGNS[row.kind];
  const room = columns - 12 - detailColumns;
  const name = item === null ? "" : cut(` ${item}`, Math.floor(room / 2), signs.ellipsis);
  return [
    span(role, `${sign} ${row.kind.padEnd(9)} `),
    ...fitted(
      [span(item === null ? "strong" : "dim", cutPath(path, room - name.length, signs.ellipsis)), span("plain", name)],
      Math.max(1, room),
      signs.ellipsis,
    ),
    span("dim", detailColumns === 0 ? "" : details.padStart(detailColumns)),
  ];
}

/** How much is shown now, and before where both matter. */
function detailText({ kind, change }: Extract<ChangeLine, { is: "made" }>, signs: Signs): string {
  const { before, detail } = change;
  if (kind === "added" || before === detail) return detail;
  return kind === "dropped" ? before : `${before} ${signs.becomes} ${detail}`;
}

/** `signature > excerpt` */
const DETAIL_COLUMNS = 20;

export function commandBox(state: State, top: number, room: Size, signs: Signs): readonly Line[] {
  const { review } = state;
  const lack = review === null ? null : unappliedChanges(review);
  const { columns } = insideOf({ columns: boxColumns(100, room.columns), rows: 0 });
  const lines = [
    ...(lack === null ? [] : wrapped(lack, columns, LACK_ROWS_MAX, signs.ellipsis).map((text) => line("warn", text))),
    ...wrapped(review?.round?.command ?? "", columns, COMMAND_ROWS_MAX, signs.ellipsis).map((text) =>
      line("plain", text),
    ),
  ];
  return page({ title: "Equivalent command" }, room, 100, top, lines.length, signs, (from, to) =>
    lines.slice(from, to),
  );
}

const LACK_ROWS_MAX = 3;
const COMMAND_ROWS_MAX = 2_000;

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
  const columns = boxColumns(wanted, room.columns);
  const rows = Math.max(3, Math.min(room.rows, length + 2));
  const inside = insideOf({ columns, rows });
  const from = Math.max(0, Math.min(top, length - inside.rows));
  return pane(
    { columns, rows, active: true, signs },
    {
      ...title,
      right: length <= inside.rows ? "" : `${from + 1}-${from + inside.rows}/${length}`,
      thumb: scrollThumb(from, length, inside.rows),
    },
    linesOf(from, from + inside.rows, inside.columns),
  );
}
