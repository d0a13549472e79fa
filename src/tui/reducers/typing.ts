/** Typing: finds the focused text field, edits it, and applies what follows from its text. */

import { entryLayout } from "../state/layout/layout.ts";
import type { EntryState, Overlay, State } from "../state/state.ts";
import {
  deleteAfter,
  deleteLeft,
  deleteRight,
  deleteWord,
  EMPTY_FIELD,
  FIELD_CHARS_MAX,
  type Field,
  isTooLong,
  left,
  lineDown,
  lineEnd,
  lineHome,
  lineUp,
  right,
  selectAll,
  textEnd,
  textStart,
  typed,
  typedInLine,
  wordLeft,
  wordRight,
} from "../state/text-field.ts";
import { filterField, withFilter } from "./filters.ts";
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
    case "changes":
      return overlay.isTyping ? overlay.query : null;
    case "budget":
    case "notes":
    case "remember":
    case "rename":
      return overlay.value;
    case "filter":
      return filterField(overlay.of, { entry, review });
    case "save":
      return overlay.status === "asking" ? overlay.path : null;
    default:
      return null;
  }
}

function withField(state: State, field: Field): Outcome {
  const { overlay } = state;
  const same = focusedField(state)?.text === field.text;
  const over = (next: Overlay): State => ({ ...state, overlay: next });
  switch (overlay?.is) {
    case undefined:
      return become({ ...state, entry: withTask(state.entry, field) });
    case "palette":
    case "history":
    case "changes":
      return become(over({ ...overlay, query: field, cursor: same ? overlay.cursor : 0 }));
    case "finder":
      return same
        ? become(over({ ...overlay, query: field }))
        : become(over({ ...overlay, query: field, cursor: 0 }), { do: "find", query: field.text, limit: FOUND_MAX });
    case "budget":
      return become(over({ ...overlay, value: field, problem: same ? overlay.problem : null }));
    case "notes":
    case "remember":
    case "rename":
      return become(over({ ...overlay, value: field }));
    case "save":
      return become(over({ ...overlay, path: field, problem: same ? overlay.problem : null }));
    case "filter":
      return become(withFilter(state, overlay.of, field));
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

/** The number of texts that undo keeps. */
const UNDO_MAX = 200;

/** The task box with another text; what it was can be had back. Letters typed in a row are undone together, up to a blank. */
export function withTask(entry: EntryState, task: Field): EntryState {
  const { text } = entry.task;
  if (text === task.text) return { ...entry, task };
  const added = task.text.length - text.length;
  const isLetter = added === 1 && /[\p{L}\p{N}]/u.test(task.text.charAt(task.cursor - 1));
  const last = entry.edits.undo.at(-1);
  const isRow =
    isLetter &&
    last !== undefined &&
    last.cursor < entry.task.cursor &&
    entry.edits.redo.length === 0 &&
    /^[\p{L}\p{N}]+$/u.test(text.slice(last.cursor, entry.task.cursor));
  const undo = isRow ? entry.edits.undo : [...entry.edits.undo, entry.task].slice(-UNDO_MAX);
  return { ...entry, task, edits: { undo, redo: [] } };
}

/** Goes one step through the texts of the task box. */
const travel =
  (from: "undo" | "redo", to: "undo" | "redo"): Reducer =>
  (state) => {
    const { entry } = state;
    const task = entry.edits[from].at(-1);
    if (task === undefined || state.overlay !== null) return become(state);
    const edits = { ...entry.edits, [from]: entry.edits[from].slice(0, -1), [to]: [...entry.edits[to], entry.task] };
    return become({ ...state, entry: { ...entry, task, edits } });
  };

/** Lines of a page in the task box. */
const moveLines =
  (by: -1 | 1): Reducer =>
  (state) => {
    const { entry, size } = state;
    const lines = Math.max(1, entryLayout(size, entry).task - 3);
    let task = entry.task;
    for (let line = 0; line < lines; line += 1) {
      const next = by === 1 ? lineDown(task) : lineUp(task);
      if (next === null)
        return become({ ...state, entry: { ...entry, task: by === 1 ? textEnd(task) : textStart(task) } });
      task = next;
    }
    return become({ ...state, entry: { ...entry, task } });
  };

const moveLine =
  (by: -1 | 1): Reducer =>
  (state) => {
    const { entry } = state;
    const next = by === 1 ? lineDown(entry.task) : lineUp(entry.task);
    return become({
      ...state,
      entry: { ...entry, task: next ?? (by === 1 ? lineEnd(entry.task) : lineHome(entry.task)) },
    });
  };

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
  "text.up": moveLine(-1),
  "text.down": moveLine(1),
  "text.page-up": moveLines(-1),
  "text.page-down": moveLines(1),
  "text.home": edit(lineHome),
  "text.end": edit(lineEnd),
  "text.start": edit(textStart),
  "text.finish": edit(textEnd),
  "text.select-all": edit(selectAll),
  "text.undo": travel("undo", "redo"),
  "text.redo": travel("redo", "undo"),
  "text.delete-left": edit(deleteLeft),
  "text.delete-right": edit(deleteRight),
  "text.delete-word": edit(deleteWord),
  "text.clear": edit(() => EMPTY_FIELD),
  "text.delete-after": edit(deleteAfter),
} as const satisfies Reducers;
