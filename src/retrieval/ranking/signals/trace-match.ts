/** The position of the file in the task's stack traces: 1 for the deepest frame, then 1/2, 1/3 and so on. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const traceMatch: Signal = ({ anchors, files }) => {
  const best = new Map<number, number>();
  for (const anchor of anchors) {
    if (anchor.kind !== "trace") continue;
    const share = anchor.value / anchor.files.length;
    for (const id of anchor.files) best.set(id, Math.max(best.get(id) ?? 0, share));
  }
  return columnOf(files, ({ id }) => best.get(id) ?? 0);
};
