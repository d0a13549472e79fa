/**
 * A whole screen as lines: header, body, overlay, status and keys. It has exactly the rows and columns of the terminal.
 */

import { contextOf } from "../state/key-context.ts";
import { sizeBesideMessage } from "../state/layout/message-lines.ts";
import { isTooSmall, SIZE_MIN, type State } from "../state/state.ts";
import { fitted, type Line, span, wrapped } from "../styling/styled-text.ts";
import { signsFor } from "../styling/theme.ts";
import { footer, header, modelWords, statusLines } from "./chrome.ts";
import { entryBody, entryStatus } from "./entry-view.ts";
import { withOverlay } from "./overlay-view.ts";
import { reviewBody, reviewStatus, roundFacts } from "./review-view.ts";
import { runBody, runStatus } from "./run-view.ts";

export function screenLines(state: State): readonly Line[] {
  const { columns, rows } = state.size;
  const signs = signsFor(state.look.ascii);
  if (isTooSmall(state.size))
    return wrapped(`terminal too small (need ${SIZE_MIN.columns}x${SIZE_MIN.rows})`, columns, rows, "").map((text) =>
      fitted([span("plain", text)], columns, ""),
    );
  const laidOut = { ...state, size: sizeBesideMessage(state) };
  const { top, body, status } = partsOf(laidOut);
  return [top, ...withOverlay(laidOut, body), ...statusLines(state, status), footer(state, contextOf(state))]
    .slice(0, rows)
    .map((cells) => fitted(cells, columns, signs.ellipsis));
}

type Parts = { readonly top: Line; readonly body: readonly Line[]; readonly status: Line };

function partsOf(state: State): Parts {
  const { screen, review, run, project, task } = state;
  if (screen === "run" && run !== null)
    return {
      // The task of a review without one of its own follows from the changes.
      top: header(state, task.trim() === "" ? project.root : task, [
        ...modelWords(state),
        run.kind === "refine" ? `round ${run.round}` : "new task",
      ]),
      body: runBody(state, run),
      status: runStatus(state, run),
    };
  if (screen === "review" && review !== null)
    return {
      top: header(state, task, roundFacts(review)),
      body: reviewBody(state, review),
      status: reviewStatus(state, review),
    };
  return {
    top: header(state, project.root, modelWords(state)),
    body: entryBody(state),
    status: entryStatus(state),
  };
}
