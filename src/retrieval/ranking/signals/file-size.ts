/** The more lines a file has, the likelier one of them is meant: ln(1 + lines) / 10, for files that match at all. */
import type { Signal } from "./signal.ts";

export const fileSize: Signal = ({ files, text }) =>
  Float64Array.from(files, ({ lineCount }, position) =>
    (text.content[position] ?? 0) > 0 ? Math.min(1, Math.log(1 + lineCount) / 10) : 0,
  );
