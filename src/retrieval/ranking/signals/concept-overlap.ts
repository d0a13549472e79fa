/** Jaccard similarity of the task's concepts and the file's. Needs enrichment. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const conceptOverlap: Signal = ({ kb, files, task }) => {
  const rows = kb.fileMetadata().filter(({ concepts }) => concepts.length > 0);
  if (rows.length === 0) return null;
  const wanted = new Set(task.concepts.map((concept) => concept.toLowerCase()));
  const values = new Map<number, number>();
  for (const { fileId, concepts } of rows) {
    const here = new Set(concepts.map((concept) => concept.toLowerCase()));
    const shared = here.intersection(wanted).size;
    values.set(fileId, shared / Math.max(1, here.union(wanted).size));
  }
  return columnOf(files, ({ id }) => values.get(id) ?? 0);
};
