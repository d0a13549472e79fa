import { expect, test } from "bun:test";
import { SIGNAL_NAMES } from "../../../src/config/keys.ts";
import type { SignalWeights, WeightProfile } from "../../../src/retrieval/model/scores.ts";
import { SIGNALS } from "../../../src/retrieval/ranking/signals/table.ts";
import { weightsFrom } from "../../../src/retrieval/ranking/weights.ts";
import { TASK_TYPES, type TaskType } from "../../../src/task/query.ts";

const table = (setting: WeightProfile | SignalWeights, type: TaskType = "feature") =>
  Object.fromEntries(weightsFrom(setting, type).bySignal);

test("every signal has a module that says why", () => {
  expect(SIGNALS.map(({ name }) => name)).toEqual([...SIGNAL_NAMES]);
  for (const { why } of SIGNALS) expect(why.length).toBeGreaterThan(10);
});

test("by default text and names rank, whatever the task's type", () => {
  const expected = {
    content_match: 1,
    definition_match: 1.5,
    mention: 2,
    trace_match: 0.6,
    phrase_match: 0.1,
    history_match: 0.5,
    file_size: 0.2,
  };
  for (const type of TASK_TYPES) expect(table("default", type)).toEqual(expected);
});

test("classic is the seed document's table with its adjustments", () => {
  const base = {
    path_match: 0.2,
    symbol_match: 0.25,
    dependency_proximity: 0.15,
    cochange_affinity: 0.1,
    recency: 0.05,
    domain_match: 0.1,
    concept_overlap: 0.1,
    structural_centrality: 0.05,
  };
  expect(table("classic")).toEqual(base);
  const { structural_centrality: _, ...leaf } = base;
  expect(table("classic", "bug_fix")).toEqual({ ...leaf, recency: 0.15 });
  expect(table("classic", "refactor")).toEqual({ ...base, structural_centrality: 0.15 });
  expect(table("classic", "test")).toEqual({ ...base, symbol_match: 0.3 });
});

test("changes go on top of the default; 0 turns a signal off", () => {
  expect(table({ recency: 0.2, mention: 0 })).toEqual({
    content_match: 1,
    definition_match: 1.5,
    trace_match: 0.6,
    phrase_match: 0.1,
    history_match: 0.5,
    file_size: 0.2,
    recency: 0.2,
  });
});
