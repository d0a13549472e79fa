/** BM25F of the task's words over whole files (`lexical.ts`). */
import type { Signal } from "./signal.ts";

export const contentMatch: Signal = {
  why: "the file's text, names and path hold the task's rarer words",
  score: ({ text }) => text.content,
};
