import { expect, test } from "bun:test";
import type { SignalWeights } from "../../../src/retrieval/model/scores.ts";
import { SIGNAL_NAMES, SIGNALS, type WeightProfile } from "../../../src/retrieval/ranking/signals/table.ts";
import { loadSignals, weightsFrom } from "../../../src/retrieval/ranking/weights.ts";
import { TASK_TYPES, type TaskType } from "../../../src/task/query.ts";

const table = (setting: WeightProfile | SignalWeights, type: TaskType = "feature") =>
  Object.fromEntries(weightsFrom(setting, type).bySignal);

test("every signal loads and has a reason; those that read full texts come last", async () => {
  for (const { why } of Object.values(SIGNALS)) expect(why.length).toBeGreaterThan(10);
  const weights = weightsFrom(Object.fromEntries(SIGNAL_NAMES.map((name) => [name, 1])), "feature");
  const { profile, signals } = await loadSignals(weights);
  expect(profile).toBe("default");
  expect(signals.map(({ name }) => name)).toEqual([
    ...SIGNAL_NAMES.filter((name) => name !== "phrase_match"),
    "phrase_match",
  ]);
  expect(new Set(signals.map(({ signal }) => signal)).size).toBe(SIGNAL_NAMES.length);
});

test("by default, text and names rank for every type of task", () => {
  const expected = {
    content_match: 1,
    definition_match: 1.5,
    mention: 2,
    trace_match: 0.6,
    phrase_match: 0.1,
    history_match: 0.5,
    prefix_match: 0.8,
    file_size: 0.2,
  };
  for (const type of TASK_TYPES) expect(table("default", type)).toEqual(expected);
});

test("classic equals the table of the first design with its adjustments", () => {
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
    prefix_match: 0.8,
    file_size: 0.2,
    recency: 0.2,
  });
});
