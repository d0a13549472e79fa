/** BM25 of the task's words over definitions, summed so that a file's best definition counts most (`lexical.ts`). */
import type { Signal } from "./signal.ts";

export const definitionMatch: Signal = ({ text }) => text.definitions;
