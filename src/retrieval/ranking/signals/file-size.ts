/** The size of a file that matches at all: ln(1 + lines) / 10, because a longer file is likelier to contain the answer. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const fileSize: Signal = ({ files, text }) =>
  columnOf(files, ({ lineCount }, position) =>
    (text.content[position] ?? 0) > 0 ? Math.min(1, Math.log(1 + lineCount) / 10) : 0,
  );
