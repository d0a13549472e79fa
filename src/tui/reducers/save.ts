/**
 * Taking the package away: to a file, to the clipboard, as a command, or as an experience.
 *
 * A file is overwritten only after the user confirmed its name.
 */
import { UNTRACKED } from "../../present/amounts.ts";
import { FORMAT_NAMES, FORMATS, type Format } from "../../retrieval/render/formats.ts";
import type { Action } from "../state/actions.ts";
import { unappliedChanges } from "../state/refinement-request.ts";
import type { ReviewState, Round } from "../state/review-state.ts";
import type { Overlay, State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../state/text-field.ts";
import { grouped } from "../styling/numbers.ts";
import { become, inReview, type Outcome, type Reducer, type Reducers, say, withMessage } from "./reducer.ts";

/** Enough characters of a task id to identify it in a folder. */
const ID_CHARS = 12;

const nameFor = ({ taskId }: Round, format: Format): string =>
  `cra-${taskId.slice(0, ID_CHARS)}${FORMATS[format].extension}`;

const NO_PACKAGE = "No package yet: the run was stopped before it finished.";

/** Names what is copied, with a warning about changes that it lacks. */
function withWarning(what: string, review: ReviewState): string {
  const unapplied = unappliedChanges(review);
  return unapplied === null ? what : `${what} (${unapplied})`;
}

/** A reducer for reviews that have a package; reports an error for others. */
const withPackage = (reducer: (round: Round, review: ReviewState, state: State) => Outcome): Reducer =>
  inReview((review, state) =>
    review.round === null ? say(state, "error", NO_PACKAGE) : reducer(review.round, review, state),
  );

type Saving = Extract<Overlay, { is: "save" }>;

const saving = (state: State, overlay: Saving, change: Partial<Saving>): State => ({
  ...state,
  overlay: { ...overlay, ...change },
});

export const SAVE_REDUCERS = {
  "package.remember": withPackage((_round, _review, state) =>
    become({ ...state, overlay: { is: "remember", value: EMPTY_FIELD } }),
  ),
  "remember.set": withPackage(({ taskId }, review, state) => {
    if (state.overlay?.is !== "remember") return become(state);
    const hypothesis = state.overlay.value.text.trim();
    if (hypothesis === "") return say(state, "error", "Say what you take to be true, or press esc.");
    return become(withMessage({ ...state, overlay: null }, "info", "Saving the experience."), {
      do: "remember-task",
      taskId,
      hypothesis,
      unapplied: unappliedChanges(review),
    });
  }),

  "save.open": withPackage((round, _review, state) =>
    become({
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
    const format = FORMAT_NAMES[(FORMAT_NAMES.indexOf(overlay.format) + 1) % FORMAT_NAMES.length] ?? overlay.format;
    const [from, to] = [FORMATS[overlay.format].extension, FORMATS[format].extension];
    const { text } = overlay.path;
    const path = text.endsWith(from) ? fieldOf(text.slice(0, text.length - from.length) + to) : overlay.path;
    return become({ ...saving(state, overlay, { format, path, problem: null }), format });
  },

  "save.write": (state) => writePackage(state, false),
  "save.overwrite": (state) => writePackage(state, true),
  "save.rename": (state) =>
    state.overlay?.is === "save" ? become(saving(state, state.overlay, { status: "asking" })) : become(state),

  "copy.package": withPackage((_round, review, state) =>
    become(state, { do: "copy-package", format: state.format, what: withWarning("the package", review) }),
  ),

  "command.open": withPackage((_round, _review, state) => become({ ...state, overlay: { is: "command", top: 0 } })),
  "copy.command": withPackage(({ command }, review, state) =>
    become(state, { do: "copy", text: command, what: withWarning("the command", review) }),
  ),
} as const satisfies Reducers;

/** Saves the package. An empty path is refused; a taken path is overwritten only when the user confirms it. */
function writePackage(state: State, overwrite: boolean): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "save" || overlay.status !== (overwrite ? "exists" : "asking")) return become(state);
  const path = overlay.path.text.trim();
  if (path === "") return become(saving(state, overlay, { problem: "Enter a path." }));
  return become(saving(state, overlay, { status: "saving", problem: null }), {
    do: "save",
    format: overlay.format,
    path,
    overwrite,
  });
}

type SaveAction = Extract<Action, { is: "saved" | "save-exists" | "save-failed" }>;

/** A text that no clipboard of a terminal takes is saved to a file instead, if the user likes. */
export function copyTooLong(state: State, { what }: Extract<Action, { is: "copy-too-long" }>): Outcome {
  const { review } = state;
  const text = `Too long for the terminal's clipboard: ${what}. Save it to a file instead.`;
  if (
    review?.round === null ||
    review?.round === undefined ||
    state.overlay !== null ||
    !what.startsWith("the package")
  )
    return say(state, "error", text);
  const opened = SAVE_REDUCERS["save.open"](state, "review").state;
  return become(withMessage(opened, "info", text));
}

/** Shows the result of saving, even if the dialog was closed meanwhile. */
export function applySaveResult(state: State, action: SaveAction): Outcome {
  const { overlay } = state;
  const waiting = overlay?.is === "save" && overlay.status === "saving" ? overlay : null;
  switch (action.is) {
    case "saved": {
      const next = waiting === null ? state : { ...state, overlay: null };
      return become(
        withMessage(
          next,
          "done",
          `Wrote ${action.path} (${grouped(action.bytes)} bytes)${action.untracked ? `. It ${UNTRACKED}` : ""}.`,
        ),
      );
    }
    case "save-exists":
      return waiting === null
        ? say(state, "error", `${action.path} already exists; nothing was written.`)
        : become(saving(state, waiting, { status: "exists" }));
    case "save-failed":
      return waiting === null
        ? say(state, "error", action.message)
        : become(saving(state, waiting, { status: "asking", problem: action.message }));
  }
}
