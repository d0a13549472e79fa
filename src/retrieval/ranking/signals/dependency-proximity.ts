/** How near the file is to a seed in the import graph, both ways: 1, .5 and .25 at one, two and three hops; a seed is 1. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

/** By number of hops; nothing beyond. */
const BY_HOPS = [1, 1, 0.5, 0.25] as const;

export const dependencyProximity: Signal = ({ kb, files, seeds }) => {
  if (seeds.length === 0 || kb.meta().counts.dependencies === 0) return null;
  const hops = new Map(seeds.map((id) => [id, 0]));
  let frontier = [...hops.keys()];
  for (let hop = 1; hop < BY_HOPS.length && frontier.length > 0; hop += 1) {
    const next = new Set<number>();
    const far = files.flatMap(({ id }) => (hops.has(id) ? [] : [id]));
    // Of the last hop only these files matter, and they are often fewer than the files before it.
    const isShorter = hop === BY_HOPS.length - 1 && far.length < frontier.length;
    for (const { source, target } of kb.dependencyEnds(isShorter ? far : frontier)) {
      if (hops.get(source) === hop - 1 && !hops.has(target)) next.add(target);
      if (hops.get(target) === hop - 1 && !hops.has(source)) next.add(source);
    }
    for (const id of next) hops.set(id, hop);
    frontier = [...next];
  }
  return columnOf(files, ({ id }) => {
    const distance = hops.get(id);
    return distance === undefined ? 0 : (BY_HOPS[distance] ?? 0);
  });
};
