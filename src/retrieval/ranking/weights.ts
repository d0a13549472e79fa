/**
 * What each signal counts, by profile and type of task.
 *
 * `default` is what real issues support: text and names rank, the others do not vote. `classic` is the
 * table of the first design, whose weights sum to 1 and whose seeds are fixed at 1.
 */

import { SIGNAL_NAMES } from "../../config/keys.ts";
import type { TaskType } from "../../task/query.ts";
import type { SignalWeights, WeightProfile, Weights } from "../model/scores.ts";
import { MENTION_SCALE } from "./signals/mention.ts";

type ProfileTable = { readonly all: SignalWeights; readonly byType: Partial<Record<TaskType, SignalWeights>> };

/** Weights by profile; a signal that is not listed counts 0. */
const PROFILES = {
  default: {
    all: {
      content_match: 1,
      definition_match: 1.5,
      mention: MENTION_SCALE,
      trace_match: 0.6,
      phrase_match: 0.1,
      history_match: 0.5,
      file_size: 0.2,
    },
    byType: {},
  },
  classic: {
    all: {
      path_match: 0.2,
      symbol_match: 0.25,
      dependency_proximity: 0.15,
      cochange_affinity: 0.1,
      recency: 0.05,
      domain_match: 0.1,
      concept_overlap: 0.1,
      structural_centrality: 0.05,
    },
    byType: {
      bug_fix: { recency: 0.15, structural_centrality: 0 },
      refactor: { structural_centrality: 0.15 },
      test: { symbol_match: 0.3 },
    },
  },
} as const satisfies Record<WeightProfile, ProfileTable>;

/** The weights that a setting asks for: a profile, or changes on top of the default one. */
export function weightsFrom(setting: WeightProfile | SignalWeights, type: TaskType): Weights {
  const profile = typeof setting === "string" ? setting : "default";
  const table: ProfileTable = PROFILES[profile];
  const merged = { ...table.all, ...table.byType[type], ...(typeof setting === "string" ? {} : setting) };
  const weighted = SIGNAL_NAMES.flatMap((name) => {
    const weight = merged[name] ?? 0;
    return weight > 0 ? [[name, weight] as const] : [];
  });
  return { profile, bySignal: new Map(weighted) };
}
