/** When the file last changed, relative to the history that was read: 0 for the oldest commit, 1 for the newest. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const recency: Signal = ({ kb, files }) => {
  const range = kb.commitRange();
  if (range === null) return null;
  const span = Math.max(1, range.newest - range.oldest);
  return columnOf(files, ({ modifiedAt }) =>
    modifiedAt === null ? 0 : Math.min(1, Math.max(0, (modifiedAt - range.oldest) / span)),
  );
};
