/**
 * Taking the package away: to a file, to the clipboard, as a command, as an experience.
 *
 * Pure. Nothing is overwritten unless the user said so to its name. Not here: writing.
 */
import { FORMATS, type Format } from "../../config/keys.ts";
import type { Action } from "../state/actions.ts";
import type { Overlay, ReviewState, Round, State } from "../state/state.ts";
import { fieldOf } from "../state/text-field.ts";
import { unappliedChanges } from "../state/unapplied-changes.ts";
import { grouped } from "../styling/numbers.ts";
import { become, type Outcome, type Reducers, withMessage } from "./reducer.ts";
import { inReview } from "./review.ts";

const EXTENSIONS: Readonly<Record<Format, string>> = {
  markdown: ".md",
  prompt: ".txt",
  xml: ".xml",
  json: ".json",
  bundle: ".json",
};

/** Characters of a task's id that tell it apart in a folder. */
const ID_CHARS = 12;

const nameFor = ({ taskId }: Round, format: Format): string => `cra-${taskId.slice(0, ID_CHARS)}${EXTENSIONS[format]}`;

const NOTHING_YET = "There is no package yet: this is part of a run that was stopped.";

/** What is copied, with what it lacks. */
function named(what: string, review: ReviewState): string {
  const lack = unappliedChanges(review);
  return lack === null ? what : `${what} (${lack})`;
}

type Saving = Extract<Overlay, { is: "save" }>;

const saving = (state: State, overlay: Saving, change: Partial<Saving>): State => ({
  ...state,
  overlay: { ...overlay, ...change },
});

export const SAVE_REDUCERS = {
  "package.remember": inReview((review, state) =>
    review.round === null
      ? become(withMessage(state, "error", NOTHING_YET))
      : become(withMessage(state, "info", "Remembering."), {
          do: "remember-task",
          taskId: review.round.taskId,
          lack: unappliedChanges(review),
        }),
  ),

  "save.open": inReview(({ round }, state) =>
    round === null
      ? become(withMessage(state, "error", NOTHING_YET))
      : become({
          ...state,
          overlay: {
            is: "save",
            format: state.format,
            path: fieldOf(nameFor(round, state.format)),
            status: "asking",
            problem: null,
          },
        }),
  ),

  "save.format": (state) => {
    const { overlay } = state;
    if (overlay?.is !== "save" || overlay.status !== "asking") return become(state);
    const format = FORMATS[(FORMATS.indexOf(overlay.format) + 1) % FORMATS.length] ?? overlay.format;
    const [from, to] = [EXTENSIONS[overlay.format], EXTENSIONS[format]];
    const { text } = overlay.path;
    const path = text.endsWith(from) ? fieldOf(text.slice(0, text.length - from.length) + to) : overlay.path;
    return become({ ...saving(state, overlay, { format, path, problem: null }), format });
  },

  "save.write": (state) => written(state, false),
  "save.overwrite": (state) => written(state, true),
  "save.rename": (state) =>
    state.overlay?.is === "save" ? become(saving(state, state.overlay, { status: "asking" })) : become(state),

  "copy.package": inReview((review, state) =>
    review.round === null
      ? become(withMessage(state, "error", NOTHING_YET))
      : become(state, { do: "copy-package", format: state.format, what: named("the package", review) }),
  ),

  "command.open": inReview(({ round }, state) =>
    round === null
      ? become(withMessage(state, "error", NOTHING_YET))
      : become({ ...state, overlay: { is: "command", top: 0 } }),
  ),
  "copy.command": inReview((review, state) =>
    review.round === null
      ? become(state)
      : become(state, { do: "copy", text: review.round.command, what: named("the command", review) }),
  ),
} as const satisfies Reducers;

/** An empty path is asked for again; one that is taken is overwritten only after it was asked about. */
function written(state: State, overwrite: boolean): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "save" || overlay.status !== (overwrite ? "exists" : "asking")) return become(state);
  const path = overlay.path.text.trim();
  if (path === "") return become(saving(state, overlay, { problem: "A name is needed." }));
  return become(saving(state, overlay, { status: "saving", problem: null }), {
    do: "save",
    format: overlay.format,
    path,
    overwrite,
  });
}

type SaveAction = Extract<Action, { is: "saved" | "save-exists" | "save-failed" }>;

/** What came of saving. It is told even when the dialog was left meanwhile. */
export function applySaveResult(state: State, action: SaveAction): Outcome {
  const { overlay } = state;
  const waiting = overlay?.is === "save" && overlay.status === "saving" ? overlay : null;
  switch (action.is) {
    case "saved": {
      const next = waiting === null ? state : { ...state, overlay: null };
      return become(withMessage(next, "done", `Wrote ${action.path} (${grouped(action.bytes)} bytes).`));
    }
    case "save-exists":
      return waiting === null
        ? become(withMessage(state, "error", `${action.path} exists; nothing was written.`))
        : become(saving(state, waiting, { status: "exists" }));
    case "save-failed":
      return waiting === null
        ? become(withMessage(state, "error", action.message))
        : become(saving(state, waiting, { status: "asking", problem: action.message }));
  }
}
