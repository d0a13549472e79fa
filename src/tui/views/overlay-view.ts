/** Overlays as boxes of lines, drawn over a screen. */

import { FORMAT_NAMES, type Format } from "../../retrieval/render/formats.ts";
import { insideOf } from "../state/layout/layout.ts";
import { boxColumns } from "../state/layout/overlay-layout.ts";
import { sessionName } from "../state/lists/filtered-lists.ts";
import { lossOf } from "../state/losses.ts";
import { unappliedChanges } from "../state/refinement-request.ts";
import type { ReviewState } from "../state/review-state.ts";
import type { Overlay, SessionRow, Size, State } from "../state/state.ts";
import { counted, grouped } from "../styling/numbers.ts";
import { type Line, line, span, wrapped } from "../styling/styled-text.ts";
import { type Role, type Signs, signsFor } from "../styling/theme.ts";
import { changesBox, roundsBox } from "./changes-view.ts";
import { commandBox, helpBox } from "./page-view.ts";
import { over, pane } from "./pane.ts";
import { finderBox, historyBox, paletteBox } from "./picking-view.ts";
import { typedLine } from "./typed-text.ts";

/** The body of a screen with its overlay, if it has one. */
export function withOverlay(state: State, under: readonly Line[]): readonly Line[] {
  const { overlay, size, look } = state;
  const signs = signsFor(look.ascii);
  if (overlay === null || overlay.is === "filter") return under;
  const box = boxOf(state, overlay, { columns: size.columns, rows: under.length }, signs);
  return over(under, box, size.columns, signs);
}

function boxOf(state: State, overlay: Overlay, room: Size, signs: Signs): readonly Line[] {
  switch (overlay.is) {
    case "help":
      return helpBox(state, overlay.top, room, signs);
    case "changes":
      return changesBox(state, overlay, room, signs);
    case "rounds":
      return roundsBox(state, overlay, room, signs);
    case "command":
      return commandBox(state, overlay.top, room, signs);
    case "palette":
      return paletteBox(state, overlay, room, signs);
    case "history":
      return historyBox(state, overlay, room, signs);
    case "finder":
      return finderBox(state, overlay, room, signs);
    case "budget":
      return dialog("Budget", room, 56, signs, ({ columns, rows }) => [
        [span("dim", "tokens  "), ...typedLine(overlay.value, columns - 8, state.look)],
        ...textLines("bad", overlay.problem ?? "", { columns, rows: rows - 1 }, signs),
        ...(overlay.problem === null ? budgetHint(state.review, signs) : []),
      ]);
    case "notes":
      return dialog("Note for the next round", room, 76, signs, ({ columns }) => [
        typedLine(overlay.value, columns, state.look),
        line("dim", "why the package was not enough; saved with the round"),
      ]);
    case "remember":
      return dialog("Remember this task as an experience", room, 90, signs, ({ columns, rows }) => [
        ...textLines("plain", REMEMBER_TEXT, { columns, rows: rows - 1 }, signs),
        [span("key", "> "), ...typedLine(overlay.value, columns - 2, state.look)],
      ]);
    case "rename":
      return dialog("Name of the session", room, 76, signs, ({ columns }) => [
        typedLine(overlay.value, columns, state.look),
        line("dim", "empty: the first line of its task"),
      ]);
    case "delete":
      return dialog("Delete the session", room, 76, signs, (inside) =>
        textLines("plain", deleteText(overlay.session), inside, signs),
      );
    case "save":
      return saveDialog(state, overlay, room, signs);
    case "quit":
      return dialog("Quit", room, 60, signs, (inside) =>
        textLines("plain", `${lossOf(state) ?? ""} Quit?`.trim(), inside, signs),
      );
    case "filter":
      return [];
  }
}

/** A small box as high as its lines, of which there is room for `inside.rows`. */
function dialog(
  title: string,
  room: Size,
  wanted: number,
  signs: Signs,
  contentOf: (inside: Size) => readonly Line[],
): readonly Line[] {
  const columns = boxColumns(wanted, room.columns);
  const content = contentOf(insideOf({ columns, rows: room.rows }));
  const rows = Math.min(room.rows, content.length + 2);
  return pane({ columns, rows, active: true, signs }, { title }, content);
}

/** A text in as many lines as it needs and there is room for; none without text. */
const textLines = (role: Role, text: string, { columns, rows }: Size, signs: Signs): readonly Line[] =>
  text === "" ? [] : wrapped(text, columns, Math.max(1, rows), signs.ellipsis).map((one) => line(role, one));

function budgetHint(review: ReviewState | null, signs: Signs): readonly Line[] {
  const round = review?.round ?? null;
  if (round === null) return [];
  const { token_count: tokens, budget, provenance } = round.package;
  return [
    line("dim", `now ${grouped(tokens)} of ${grouped(budget)} tokens`),
    line(
      "dim",
      `at least ${grouped(provenance.budget.floor)}${signs.dot}all that is relevant ${grouped(provenance.budget.before)}`,
    ),
  ];
}

/** The warning what the package lacks, and then the formats, give way to what is said of the path. */
function saveDialog(
  state: State,
  overlay: Extract<Overlay, { is: "save" }>,
  room: Size,
  signs: Signs,
): readonly Line[] {
  const { format, path, status, problem } = overlay;
  const lack = state.review === null ? null : unappliedChanges(state.review);
  return dialog("Save the package", room, 76, signs, (inside) => {
    const { columns, rows } = inside;
    const formats: Line = [span("dim", "format  "), ...formatSpans(format, columns - 8, signs)];
    const below = { columns, rows: rows - 1 };
    const named: Line = [span("dim", "path    "), ...typedLine(path, columns - 8, state.look)];
    const lacking = textLines("warn", lack ?? "", below, signs);
    const said = [
      ...(status === "exists" ? textLines("warn", "The file already exists. Overwrite it?", below, signs) : []),
      ...(status === "saving" ? [line("dim", "writing")] : []),
      ...textLines("bad", problem ?? "", below, signs),
    ];
    const [all, without] = [
      [formats, named, ...lacking, ...said],
      [formats, named, ...said],
    ];
    return [all, without].find((lines) => lines.length <= rows) ?? [named, ...said];
  });
}

/** The formats. Where not all fit, those before the chosen one give way. */
function formatSpans(format: Format, columns: number, { ellipsis }: Signs): Line {
  const chosen = FORMAT_NAMES.indexOf(format);
  const signsAt = (from: number): number => (from > 0 ? 1 : 0) + (chosen < FORMAT_NAMES.length - 1 ? 1 : 0);
  const columnsFrom = (from: number): number =>
    FORMAT_NAMES.slice(from, chosen + 1).reduce((sum, name) => sum + name.length + 3, signsAt(from) * ellipsis.length);
  let from = 0;
  while (from < chosen && columnsFrom(from) > columns) from += 1;
  return [
    ...(from === 0 ? [] : [span("dim", ellipsis)]),
    ...FORMAT_NAMES.slice(from).flatMap((name) => [
      span(name === format ? "key" : "dim", name === format ? `[${name}]` : ` ${name} `),
      span("plain", " "),
    ]),
  ];
}

const REMEMBER_TEXT =
  "Stored for this repository: the task, its files, your marks, and one sentence of yours that later tasks are shown. What do you take to be true?";

const deleteText = (session: SessionRow): string =>
  `"${sessionName(session)}", ${counted(session.rounds, "round")}${session.unsaved ? ", with marks that no round has applied" : ""}. Its marks and its name are lost; what its rounds did stays in the log. Delete it?`;
