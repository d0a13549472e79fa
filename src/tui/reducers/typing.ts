/** Typing: finds the focused text field, edits it, and applies what follows from its text. */

import { applyFilter } from "../state/file-list.ts";
import type { Overlay, State } from "../state/state.ts";
import {
  deleteAfter,
  deleteBefore,
  deleteLeft,
  deleteRight,
  deleteWord,
  FIELD_CHARS_MAX,
  type Field,
  isTooLong,
  left,
  lineEnd,
  lineHome,
  right,
  typed,
  typedInLine,
  wordLeft,
  wordRight,
} from "../state/text-field.ts";
import { become, type Outcome, type Reducer, type Reducers, withMessage } from "./reducer.ts";

/** The number of rows that the finder asks for. */
export const FOUND_MAX = 200;

/** The focused text field; null when there is none. */
export function focusedField({ overlay, screen, entry, review }: State): Field | null {
  if (overlay === null) return screen === "entry" && entry.focus === "task" ? entry.task : null;
  switch (overlay.is) {
    case "palette":
    case "history":
    case "finder":
      return overlay.query;
    case "budget":
    case "notes":
      return overlay.value;
    case "filter":
      return review?.filter ?? null;
    case "save":
      return overlay.status === "asking" ? overlay.path : null;
    default:
      return null;
  }
}

/** Replaces the focused field. */
function withField(state: State, field: Field): Outcome {
  const { overlay } = state;
  const same = focusedField(state)?.text === field.text;
  const over = (next: Overlay): State => ({ ...state, overlay: next });
  switch (overlay?.is) {
    case undefined:
      return become({ ...state, entry: { ...state.entry, task: field, ...(same ? {} : { historyAt: null }) } });
    case "palette":
    case "history":
      return become(over({ ...overlay, query: field, cursor: same ? overlay.cursor : 0 }));
    case "finder":
      return same
        ? become(over({ ...overlay, query: field }))
        : become(over({ ...overlay, query: field, cursor: 0 }), { do: "find", query: field.text, limit: FOUND_MAX });
    case "budget":
      return become(over({ ...overlay, value: field, problem: same ? overlay.problem : null }));
    case "notes":
      return become(over({ ...overlay, value: field }));
    case "save":
      return become(over({ ...overlay, path: field, problem: same ? overlay.problem : null }));
    case "filter": {
      const { review } = state;
      if (review === null) return become(state);
      const next = { ...review, filter: field };
      return become({ ...state, review: same ? next : applyFilter(next) });
    }
    default:
      return become(state);
  }
}

/** The message for text that does not fit. */
export const CUT = `Text truncated to ${FIELD_CHARS_MAX / 1_000},000 characters.`;

/** Inserts typed or pasted text. Only a task has more than one line. */
export function insertText(state: State, text: string): Outcome {
  const field = focusedField(state);
  if (field === null) return become(state);
  const next = withField(state, state.overlay === null ? typed(field, text) : typedInLine(field, text));
  return isTooLong(text, field) ? { ...next, state: withMessage(next.state, "error", CUT) } : next;
}

const edit =
  (change: (field: Field) => Field): Reducer =>
  (state) => {
    const field = focusedField(state);
    return field === null ? become(state) : withField(state, change(field));
  };

export const TYPING_REDUCERS = {
  "text.new-line": (state) => insertText(state, "\n"),
  "text.left": edit(left),
  "text.right": edit(right),
  "text.word-left": edit(wordLeft),
  "text.word-right": edit(wordRight),
  "text.home": edit(lineHome),
  "text.end": edit(lineEnd),
  "text.delete-left": edit(deleteLeft),
  "text.delete-right": edit(deleteRight),
  "text.delete-word": edit(deleteWord),
  "text.delete-before": edit(deleteBefore),
  "text.delete-after": edit(deleteAfter),
} as const satisfies Reducers;
