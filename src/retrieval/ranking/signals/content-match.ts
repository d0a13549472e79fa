/** BM25F of the task's words over whole files (`lexical.ts`). */
import type { Signal } from "./signal.ts";

export const contentMatch: Signal = {
  name: "content_match",
  why: "the file's text, names and path hold the task's rarer words",
  weights: { default: 1 },
  score: ({ text }) => text.content,
};
