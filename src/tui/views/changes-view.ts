/** Boxes about rounds: what changed and would change, by file; and the rounds of the task. */
import type { ChangeKind } from "../../retrieval/model/changes.ts";
import { type ChangeRow, changeName, changeRows, changeSections } from "../state/change-list.ts";
import type { Matched } from "../state/filtered-lists.ts";
import { insideOf, windowTop } from "../state/layout.ts";
import type { Overlay, RoundRow, Size, State } from "../state/state.ts";
import { grouped } from "../styling/numbers.ts";
import { cutPath, fitted, justified, type Line, line, span, withRole } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { highlighted } from "./matched-letters.ts";
import { boxColumns, pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

type ChangesOverlay = Extract<Overlay, { is: "changes" }>;

export function changesBox(state: State, overlay: ChangesOverlay, room: Size, signs: Signs): readonly Line[] {
  const sections = changeSections(state) ?? [];
  const rows = changeRows(sections, overlay.query.text);
  const columns = boxColumns(110, room.columns);
  const width = insideOf({ columns, rows: 0 }).columns;
  const drawn: { readonly line: Line; readonly at: number | null }[] = [];
  const put = (row: Matched<ChangeRow>, at: number): void => {
    const cells = changeLine(row, at === overlay.cursor, width, signs);
    drawn.push({ line: at === overlay.cursor ? withRole(cells, "cursor") : cells, at });
  };
  if (overlay.query.text === "") {
    let at = 0;
    for (const section of sections) {
      drawn.push({ line: fitted(line("title.active", section.heading), width, signs.ellipsis), at: null });
      for (const row of section.rows) put({ row, matched: [] }, at++);
    }
  } else rows.forEach(put);
  const nothing = rows.length > 0 ? [] : [{ line: line("dim", emptyText(overlay)), at: null }];
  return listBox(state, "What changed", { columns, rows: room.rows }, [...drawn, ...nothing], overlay, signs);
}

const emptyText = ({ query }: ChangesOverlay): string =>
  query.text === "" ? "Nothing changed." : `No change matches "${query.text}". Esc clears the filter.`;

/** A box as high as its rows, around the row of the cursor. */
function listBox(
  state: State,
  title: string,
  { columns, rows }: Size,
  drawn: readonly { readonly line: Line; readonly at: number | null }[],
  overlay: Pick<ChangesOverlay, "cursor"> & Partial<Pick<ChangesOverlay, "query" | "isTyping">>,
  signs: Signs,
): readonly Line[] {
  const { query, isTyping = false } = overlay;
  const height = Math.max(3, Math.min(rows, drawn.length + 2 + (isTyping ? 1 : 0)));
  const box = { columns, rows: height, active: true, signs };
  const inside = insideOf(box);
  const typing: readonly Line[] =
    isTyping && query !== undefined ? [[span("key", "/ "), ...typedLine(query, inside.columns - 2, state.look)]] : [];
  const listed = inside.rows - typing.length;
  const top = windowTop(
    Math.max(
      0,
      drawn.findIndex(({ at }) => at === overlay.cursor),
    ),
    drawn.length,
    listed,
  );
  const thumb = scrollThumb(top, drawn.length, listed);
  return pane(
    box,
    {
      title,
      right: query === undefined || query.text === "" || isTyping ? "" : `/${query.text}`,
      thumb: thumb === null ? null : { from: thumb.from + typing.length, to: thumb.to + typing.length },
    },
    [...typing, ...drawn.slice(top, top + listed).map((row) => row.line)],
  );
}

const CHANGE_SIGNS: Readonly<Record<ChangeKind, readonly [sign: string, role: Role]>> = {
  added: ["+", "good"],
  dropped: ["-", "bad"],
  promoted: ["^", "accent"],
  demoted: ["v", "warn"],
};

function changeLine({ row, matched }: Matched<ChangeRow>, current: boolean, columns: number, signs: Signs): Line {
  const pointer = span(current ? "accent" : "plain", current ? signs.pointer : " ");
  if (row.is === "file") {
    const right = span("dim", row.summary);
    const room = Math.max(8, columns - row.summary.length - 3);
    return justified(
      [pointer, span("strong", cutPath(row.path, room, signs.ellipsis))],
      [right],
      columns,
      signs.ellipsis,
    );
  }
  const [sign, role] = CHANGE_SIGNS[row.kind];
  const name = row.item ?? row.path;
  const shown = matched.length > 0 ? highlighted(changeName(row), matched, "plain") : [span("plain", name)];
  const indent = row.item === null || matched.length > 0 ? "" : "  ";
  return justified(
    [pointer, span("plain", indent), span(role, `${sign} ${row.kind.padEnd(9)}`), ...shown],
    [span("dim", row.detail)],
    columns,
    signs.ellipsis,
  );
}

export function roundsBox(
  state: State,
  overlay: Extract<Overlay, { is: "rounds" }>,
  room: Size,
  signs: Signs,
): readonly Line[] {
  const columns = boxColumns(100, room.columns);
  const width = insideOf({ columns, rows: 0 }).columns;
  const { rows, cursor } = overlay;
  const shown = state.review?.round?.number ?? null;
  const drawn =
    rows === null
      ? [{ line: line("dim", "loading"), at: null }]
      : rows.map((row, at) => {
          const cells = roundLine(row, { current: at === cursor, isShown: row.round === shown }, width, signs);
          return { line: at === cursor ? withRole(cells, "cursor") : cells, at };
        });
  return listBox(state, "Rounds of this task", { columns, rows: room.rows }, drawn, overlay, signs);
}

function roundLine(
  { round, finished, tokens, budget, startedAt, asked }: RoundRow,
  { current, isShown }: { readonly current: boolean; readonly isShown: boolean },
  columns: number,
  signs: Signs,
): Line {
  const amount = finished
    ? `${grouped(tokens ?? 0)}${budget === null ? "" : ` of ${grouped(budget)}`} tokens`
    : "did not finish";
  return justified(
    [
      span(current ? "accent" : "plain", current ? signs.pointer : " "),
      span("strong", ` round ${round}`),
      span("good", isShown ? " (shown)" : ""),
      span("plain", `  ${amount}`),
      span("dim", `  ${asked === "" ? "as the task says" : asked}`),
    ],
    [span("dim", startedAt.slice(0, 16).replace("T", " "))],
    columns,
    signs.ellipsis,
  );
}
