/** The lines of the message: the first takes the place of the status line, the others take rows of the screen's body. */
import type { Display } from "../../../text/display.ts";
import { columnsOf, wrapped } from "../../styling/styled-text.ts";
import { signsFor } from "../../styling/theme.ts";
import type { Size, State } from "../state.ts";

/** The sign before a message, and a blank. */
const MESSAGE_MARGIN = 4;
const MESSAGE_ROWS_MAX = 4;
/** The header, the keys, and a pane with one line. */
const OTHER_ROWS_MIN = 5;

/** The message in as many lines as it needs, beside an unfinished chord; none without one. */
export function messageLines({
  message,
  size,
  look,
  input: { chord },
}: Pick<State, "message" | "size" | "look" | "input">): readonly Display[] {
  if (message === null) return [];
  const room = Math.max(1, size.columns - MESSAGE_MARGIN - (chord === null ? 0 : columnsOf(chord) + 1));
  const rows = Math.max(1, Math.min(MESSAGE_ROWS_MAX, size.rows - OTHER_ROWS_MIN));
  return wrapped(message.text, room, rows, signsFor(look.ascii).ellipsis);
}

/** The size that the screen is laid out for: what a message of several lines leaves of the terminal. */
export const sizeBesideMessage = (state: Pick<State, "message" | "size" | "look" | "input">): Size => ({
  ...state.size,
  rows: state.size.rows - Math.max(0, messageLines(state).length - 1),
});
