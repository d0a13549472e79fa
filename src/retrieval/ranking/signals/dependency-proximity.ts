/** How near the file is to a seed in the import graph, both ways: 1, .5 and .25 at one, two and three hops; a seed is 1. */
import type { Signal } from "./signal.ts";

/** By number of hops; nothing beyond. */
const BY_HOPS = [1, 1, 0.5, 0.25] as const;

export const dependencyProximity: Signal = ({ kb, files, seeds }) => {
  if (seeds.length === 0 || kb.meta().counts.dependencies === 0) return null;
  const hops = new Map(seeds.map((id) => [id, 0]));
  let frontier = [...hops.keys()];
  for (let hop = 1; hop < BY_HOPS.length && frontier.length > 0; hop += 1) {
    const next = new Set<number>();
    for (const { source, target } of kb.dependenciesOf(frontier)) {
      for (const id of [source, target]) if (!hops.has(id)) next.add(id);
    }
    for (const id of next) hops.set(id, hop);
    frontier = [...next];
  }
  return Float64Array.from(files, ({ id }) => {
    const distance = hops.get(id);
    return distance === undefined ? 0 : (BY_HOPS[distance] ?? 0);
  });
};
