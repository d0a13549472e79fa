/**
 * How directly the task names the file, or something defined in it.
 *
 * Each kind of name has a weight, which is shared among the files that the name can mean. Of paths and modules, only the
 * clearest counts. Names of definitions add up, to a limit, and weigh by their section.
 */

import type { SectionKind } from "../../../task/query.ts";
import type { Anchor, AnchorKind } from "../../model/anchor.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

/** Measured on real issues. A hint of the user has the weight of the clearest kind. */
const KIND_WEIGHT: Partial<Record<AnchorKind, number>> = {
  hint: 0.6,
  accepted: 0.6,
  missing: 0.6,
  changed: 0.6,
  path: 0.3,
  module: 0.4,
  url: 0.6,
  stem: 0.2,
  qualified: 0.15,
};
/** Names of definitions. Code, traces and errors are one group. */
const DEFINITION_WEIGHT: Partial<Record<SectionKind, { readonly group: string; readonly weight: number }>> = {
  title: { group: "title", weight: 0.15 },
  inline: { group: "inline", weight: 0.2 },
  prose: { group: "prose", weight: 0.1 },
  code: { group: "code", weight: 0.15 },
  trace: { group: "code", weight: 0.15 },
  error: { group: "code", weight: 0.15 },
};
const DEFINITION_CAP = 1.5;

/** The sum of weights that gives the value 1; the signal's weight in the table multiplies it back. */
const WEIGHT_SUM_MAX = 2;

export const mention: Signal = ({ anchors, files }) => {
  const sums = mentionSums(anchors);
  return columnOf(files, ({ id }) => Math.min(1, (sums.get(id) ?? 0) / WEIGHT_SUM_MAX));
};

function mentionSums(anchors: readonly Anchor[]): ReadonlyMap<number, number> {
  const best = new Map<string, Map<number, number>>();
  const added = new Map<string, Map<number, number>>();
  for (const { kind, section, files, value } of anchors) {
    const group = kind === "definition" ? DEFINITION_WEIGHT[section]?.group : kind;
    if (group === undefined) continue;
    const groups = kind === "definition" ? added : best;
    const byFile = groups.getOrInsertComputed(group, () => new Map());
    const share = value / files.length;
    for (const id of files) {
      const before = byFile.get(id) ?? 0;
      byFile.set(id, kind === "definition" ? before + share : Math.max(before, share));
    }
  }
  // In the order of the tables, so that sums do not depend on the order of anchors.
  const sums = new Map<number, number>();
  const add = (byFile: ReadonlyMap<number, number> | undefined, weight: number, cap: number): void => {
    for (const [id, value] of byFile ?? []) sums.set(id, (sums.get(id) ?? 0) + weight * Math.min(cap, value));
  };
  for (const [kind, weight] of Object.entries(KIND_WEIGHT)) add(best.get(kind), weight, 1);
  const groups = new Map(Object.values(DEFINITION_WEIGHT).map(({ group, weight }) => [group, weight]));
  for (const [group, weight] of groups) add(added.get(group), weight, DEFINITION_CAP);
  return sums;
}
