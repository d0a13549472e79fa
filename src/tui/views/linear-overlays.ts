/** Linear mode: the overlays as sentences. */
import { taskTitle } from "../../present/layout.ts";
import { keyName } from "../keys/key-names.ts";
import { labelIn } from "../state/key-context.ts";
import { type ChangeRow, changeName, changeRows, changeSections } from "../state/lists/change-list.ts";
import { sessionName } from "../state/lists/filtered-lists.ts";
import { helpLines, historyRows, paletteRows } from "../state/lists/pages.ts";
import { lossOf } from "../state/losses.ts";
import { unappliedChanges } from "../state/refinement-request.ts";
import type { ReviewState } from "../state/review-state.ts";
import { labelOf, type Overlay, type State } from "../state/state.ts";
import { counted, grouped } from "../styling/numbers.ts";
import { CODE_LINES, listText } from "./linear-lists.ts";

/** What an overlay says. */
export function overlayText(state: State, overlay: Overlay): readonly string[] {
  switch (overlay.is) {
    case "help":
      return helpLines(state)
        .slice(overlay.top, overlay.top + CODE_LINES)
        .map((row) =>
          row.is === "heading"
            ? `Keys, ${row.category}:`
            : `${row.keys.map((key) => keyName(key, true)).join(" or ")}: ${row.label}`,
        );
    case "palette":
    case "history":
    case "finder":
      return pickingText(state, overlay);
    case "budget":
      return [`Budget in tokens: ${overlay.value.text}`, ...problemText(overlay.problem)];
    case "notes":
      return [`Note for the next round: ${overlay.value.text}`];
    case "save":
      return [
        `Save as ${overlay.format}. Path: ${overlay.path.text}`,
        ...lackText(state.review),
        ...(overlay.status === "exists" ? ["The file already exists. Overwrite it?"] : []),
        ...problemText(overlay.problem),
      ];
    case "changes": {
      const sections = changeSections(state) ?? [];
      const rows = changeRows(sections, overlay.query.text);
      const list = listText("Changes", rows.length, overlay.cursor, (at) => {
        const row = rows[at]?.row;
        return row === undefined ? "" : changeText(row);
      });
      return [
        ...sections.map(({ heading }) => `${heading}.`),
        ...(overlay.isTyping ? [`Filter: ${overlay.query.text}`] : []),
        ...list,
      ];
    }
    case "rounds":
      return listText("Rounds", overlay.rows?.length ?? null, overlay.cursor, (at) => {
        const row = overlay.rows?.[at];
        if (row === undefined) return "";
        const result = row.finished ? counted(row.tokens ?? 0, "token") : "did not finish";
        return `round ${row.round}, ${result}${row.asked === "" ? "" : `, ${row.asked}`}`;
      });
    case "remember":
      return [`Remember this task as an experience. What do you take to be true? ${overlay.value.text}`];
    case "rename":
      return [`Name of the session: ${overlay.value.text}`];
    case "delete":
      return [`Delete the session "${sessionName(overlay.session)}"? Its marks are lost.`];
    case "command":
      return [...lackText(state.review), "Equivalent command:", state.review?.round?.command ?? ""];
    case "quit":
      return [`${lossOf(state) ?? ""} Quit?`.trim()];
    case "filter":
      return [];
  }
}

/** A query and its matches. */
function pickingText(
  state: State,
  overlay: Extract<Overlay, { is: "palette" | "history" | "finder" }>,
): readonly string[] {
  switch (overlay.is) {
    case "palette": {
      const names = paletteRows(state, overlay.query.text);
      const rows = listText("Commands", names.length, overlay.cursor, (at) => {
        const name = names[at];
        return name === undefined ? "" : labelIn(state, name);
      });
      return [`Query: ${overlay.query.text}`, ...rows];
    }
    case "history": {
      const tasks = historyRows(state.entry, overlay.query.text);
      const rows = listText("Earlier tasks", tasks.length, overlay.cursor, (at) => taskTitle(tasks[at] ?? ""));
      return [`Query: ${overlay.query.text}`, ...rows];
    }
    case "finder":
      return [
        `Add a file or symbol. Query: ${overlay.query.text}`,
        ...listText(
          overlay.answered === null ? "Matches" : `Matches (${grouped(overlay.matches)} of ${grouped(overlay.of)})`,
          overlay.answered === null ? null : overlay.rows.length,
          overlay.cursor,
          (at) => {
            const row = overlay.rows[at];
            return row === undefined
              ? ""
              : `${labelOf(row.found)}, ${row.found.name === null ? "file" : row.found.kind}`;
          },
        ),
      ];
  }
}

function changeText(row: ChangeRow): string {
  if (row.is === "file") return `${row.path}: ${row.summary}`;
  return `${row.kind}: ${changeName(row)}, ${row.detail}`;
}

function lackText(review: ReviewState | null): readonly string[] {
  const lack = review === null ? null : unappliedChanges(review);
  return lack === null ? [] : [`Warning: ${lack}.`];
}

const problemText = (problem: string | null): readonly string[] => (problem === null ? [] : [`Problem: ${problem}`]);
