/**
 * Something a source found, before it is known how much of it is shown.
 */

import type { Ration } from "./character-budget.ts";
import type { ContextItem, ContextType } from "./context-item.ts";

export type Candidate = {
  readonly type: ContextType;
  /** From 0 to 1, adjusted. */
  readonly relevance: number;
  /** What it is, for telling whether two are the same: equal ids are. */
  readonly id: string;
  /** The id of what its text is taken from, where it speaks for something else. */
  readonly of: string | null;
  readonly paths: readonly string[];
  /** What it says, without its format; two that say nearly the same are one. Null: only the same where ids or paths are. */
  readonly text: string | null;
  /** It as Markdown, within a ration of characters. */
  content(ration: Ration): string;
  /** How many characters there are to ration, at most. */
  readonly chars: number;
  /** What follows it when it was cut: that it was, and where the whole is. */
  readonly note: string;
  item(content: string): ContextItem;
};
