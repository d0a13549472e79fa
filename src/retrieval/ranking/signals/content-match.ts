/** BM25F of the task's words over whole files (`lexical.ts`). */
import type { Signal } from "./signal.ts";

export const contentMatch: Signal = ({ text }) => text.content;
