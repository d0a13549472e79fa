/**
 * A result of a source before it is known how much of it is shown, and the character budget that cuts it.
 *
 * Texts are cut before they become Markdown, so a cut never leaves a fence or an emphasis open.
 */

import type { ContextItem } from "./context-json.ts";
import type { ContextType } from "./context-types.ts";

export type Candidate = {
  readonly type: ContextType;
  /** 0 to 1, after adjustments. */
  readonly relevance: number;
  /** Candidates with equal ids are duplicates. */
  readonly id: string;
  /** The id of the entry that supplies its text, if that is another one. */
  readonly of: string | null;
  /** When it was written, in UTC; null where that does not matter. */
  readonly at: string | null;
  readonly paths: readonly string[];
  /** Its text without formatting, compared to find near duplicates. Null: only ids and paths are compared. */
  readonly text: string | null;
  /** Its Markdown within a budget of characters. */
  content(budget: CharacterBudget): string;
  /** The most characters that a budget can apply to. */
  readonly chars: number;
  /** Appended when it was cut: says so, and where the whole is. */
  readonly note: string;
  item(content: string): ContextItem;
};

export type CharacterBudget = {
  /** The part of a text that fits; null when an earlier text has used up the budget. */
  take(text: string): string | null;
};

/** Cuts nothing. */
export const UNLIMITED: CharacterBudget = { take: (text) => text };

/** Cuts the text that exceeds the budget, ends it with "..." and drops all later texts. Never splits a surrogate pair. */
export function characterBudget(chars: number): CharacterBudget {
  let left = chars;
  let isCut = false;
  return {
    take(text) {
      if (isCut) return null;
      if (text.length <= left) {
        left -= text.length;
        return text;
      }
      isCut = true;
      const last = text.charCodeAt(left - 1);
      return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? left - 1 : left).trimEnd()}...`;
    },
  };
}
