/** Boxes about rounds: what changed and would change, by file; and the rounds of the task. */
import type { TaskRound } from "../../app/retrieval/earlier-rounds.ts";
import type { ChangeKind } from "../../retrieval/model/changes.ts";
import { insideOf } from "../state/layout/layout.ts";
import { BOXES, boxColumns, linesBox, listTop } from "../state/layout/overlay-layout.ts";
import { type ChangeRow, changeLines, changeName, changeSections } from "../state/lists/change-list.ts";
import type { Matched } from "../state/lists/filtered-lists.ts";
import type { Overlay, Size, State } from "../state/state.ts";
import { clockTime, grouped } from "../styling/numbers.ts";
import { columnsOf, cutPath, fitted, justified, type Line, line, span, withRole } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { highlighted } from "./matched-letters.ts";
import { pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

type ChangesOverlay = Extract<Overlay, { is: "changes" }>;

export function changesBox(state: State, overlay: ChangesOverlay, room: Size, signs: Signs): readonly Line[] {
  const wanted = BOXES.changes.columns;
  const width = insideOf({ columns: boxColumns(wanted, room.columns), rows: 0 }).columns;
  const sections = changeSections(state) ?? [];
  const drawn = changeLines(sections, overlay.query.text).map((one) => {
    if (one.is === "heading")
      return { line: fitted(line("title.active", one.heading), width, signs.ellipsis), at: null };
    const cells = changeLine(one.found, one.at === overlay.cursor, width, signs);
    return { line: one.at === overlay.cursor ? withRole(cells, "cursor") : cells, at: one.at };
  });
  const isFull =
    drawn.some(({ at }) => at !== null) || (overlay.query.text === "" && sections.some(({ isComing }) => isComing));
  const nothing = isFull ? [] : [{ line: line("dim", emptyText(overlay)), at: null }];
  return listBox(state, "What changed", { wanted, room }, [...drawn, ...nothing], overlay, signs);
}

const emptyText = ({ query }: ChangesOverlay): string =>
  query.text === ""
    ? "The package had what you asked for already."
    : `No change matches "${query.text}". Esc clears the filter.`;

/** A box as high as its rows, around the row of the cursor. */
function listBox(
  state: State,
  title: string,
  { wanted, room }: { readonly wanted: number; readonly room: Size },
  drawn: readonly { readonly line: Line; readonly at: number | null }[],
  overlay: Pick<ChangesOverlay, "cursor"> & Partial<Pick<ChangesOverlay, "query" | "isTyping">>,
  signs: Signs,
): readonly Line[] {
  const { query, isTyping = false } = overlay;
  const box = { ...linesBox(wanted, drawn.length + (isTyping ? 1 : 0), room), active: true, signs };
  const inside = insideOf(box);
  const typing: readonly Line[] =
    isTyping && query !== undefined ? [[span("key", "/ "), ...typedLine(query, inside.columns - 2, state.look)]] : [];
  const listed = inside.rows - typing.length;
  const top = listTop(
    drawn.map(({ at }) => at),
    overlay.cursor,
    listed,
  );
  return pane(
    box,
    {
      title,
      right: query === undefined || query.text === "" || isTyping ? "" : `/${query.text}`,
      thumb: scrollThumb(top, drawn.length, listed, typing.length),
    },
    [...typing, ...drawn.slice(top, top + listed).map((row) => row.line)],
  );
}

const CHANGE_SIGNS: Readonly<Record<ChangeKind, readonly [sign: string, role: Role]>> = {
  added: ["+", "good"],
  dropped: ["-", "bad"],
  promoted: ["^", "accent"],
  demoted: ["v", "warn"],
  edited: ["~", "accent"],
};

const KIND_COLUMNS = 9;

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
  const room = Math.max(8, columns - KIND_COLUMNS - columnsOf(row.item ?? "") - columnsOf(row.detail) - 7);
  const file = span("dim", row.isAlone && row.item !== null ? ` in ${cutPath(row.path, room, signs.ellipsis)}` : "");
  const shown =
    matched.length > 0 ? highlighted(changeName(row), matched, "plain") : [span("plain", row.item ?? row.path), file];
  const indent = row.isAlone || matched.length > 0 ? "" : "  ";
  return justified(
    [pointer, span("plain", indent), span(role, `${sign} ${row.kind.padEnd(KIND_COLUMNS)}`), ...shown],
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
  const wanted = BOXES.rounds.columns;
  const width = insideOf({ columns: boxColumns(wanted, room.columns), rows: 0 }).columns;
  const { rows, cursor } = overlay;
  const shown = state.review?.round?.number ?? null;
  const drawn =
    rows === null
      ? [{ line: line("dim", "loading"), at: null }]
      : rows.map((row, at) => {
          const cells = roundLine(row, { current: at === cursor, isShown: row.round === shown }, width, signs);
          return { line: at === cursor ? withRole(cells, "cursor") : cells, at };
        });
  return listBox(state, "Rounds of this task", { wanted, room }, drawn, overlay, signs);
}

function roundLine(
  { round, finished, tokens, budget, startedAt, asked }: TaskRound,
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
    [span("dim", clockTime(startedAt))],
    columns,
    signs.ellipsis,
  );
}
