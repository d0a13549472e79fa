/** BM25 of the task's words over definitions, summed so that a file's best definition counts most (`lexical.ts`). */
import type { Signal } from "./signal.ts";

export const definitionMatch: Signal = {
  name: "definition_match",
  why: "single definitions of the file hold many of the task's words together",
  weights: { default: 1.5 },
  score: ({ text }) => text.definitions,
};
