/** Memories, experiences and values for tests, one of each kind. See `any-entry.ts` for random ones. */
import type { MemoryStore } from "../../src/db/memory/store.ts";
import type { Entry } from "../../src/memory/entry.ts";
import type { Experience, Memory, Value } from "../../src/memory/experience.ts";
import { AXES } from "../../src/memory/vocabulary.ts";

export const NOW = "2026-03-04T05:06:07.008Z";

/** An id made from a number. */
export const idOf = (prefix: "mem" | "exp" | "val", number: number): string =>
  `${prefix}-${number.toString(16).padStart(12, "0")}`;

export const memory = (number: number, fields: Partial<Memory> = {}): Entry => ({
  type: "memory",
  id: idOf("mem", number),
  content: `what is known as number ${number}`,
  category: "fact",
  importance: 0.5,
  created_at: NOW,
  ...fields,
});

/** A resolved experience with every field set. */
export const experience = (number: number, fields: Partial<Experience> = {}): Entry => ({
  type: "experience",
  id: idOf("exp", number),
  domain: "debugging",
  strategy: "read-the-error",
  goal: "make the nightly build pass",
  iterations: [
    { hypothesis: "the clock is wrong", action: "pinned the timezone", prediction: "it passes at midnight" },
  ],
  outcome: { status: "falsified", result: "it failed again" },
  surprise: "the runner had no locale",
  root_cause: { category: "environment-issue", description: "the image lacks tzdata" },
  lesson: { what_worked: "installed the package", takeaway: "look at the image first" },
  confidence: "bronze",
  task_id: null,
  created_at: NOW,
  updated_at: NOW,
  ...fields,
});

export const value = (number: number, fields: Partial<Value> = {}): Value => ({
  id: idOf("val", number),
  axis: "full",
  cluster_id: "c1",
  cluster_size: 2,
  text: "look at the image first",
  similarity_to_centroid: 0.75,
  domains: ["debugging"],
  strategies: ["read-the-error"],
  experience_ids: [idOf("exp", 1)],
  ...fields,
});

/** All vectors of a model by id and axis. */
export const vectorsIn = (store: MemoryStore, model: string) =>
  [
    ...store.eachVector(model, { type: "memory", axis: null }),
    ...store.eachVector(model, { type: "value", axis: null }),
    ...AXES.flatMap((axis) => [...store.eachVector(model, { type: "experience", axis })]),
  ].sort((a, b) => (`${a.id} ${a.axis}` < `${b.id} ${b.axis}` ? -1 : 1));
