/** How often the file changed in one commit with a seed, as a share of the most frequent such pair. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const cochangeAffinity: Signal = ({ kb, files, seeds }) => {
  if (seeds.length === 0) return null;
  const seedSet = new Set(seeds);
  const counts = new Map<number, number>();
  for (const { a, b, count } of kb.coChangesOf(seeds)) {
    for (const [seed, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (seedSet.has(seed)) counts.set(other, Math.max(counts.get(other) ?? 0, count));
    }
  }
  if (counts.size === 0) return null;
  const most = counts.values().reduce((max, count) => Math.max(max, count), 1);
  return columnOf(files, ({ id }) => (counts.get(id) ?? 0) / most);
};
