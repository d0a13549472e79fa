/**
 * A number of characters that the texts of one item share, so that a long item can be cut before it is worded.
 *
 * Texts are cut as they are and made Markdown afterwards, so no cut can leave a fence or an emphasis open. Exactly one
 * "..." stands where the ration ended, and nothing after it. No surrogate pair is cut.
 */

export type Ration = {
  /** As much of a text as is left for it; null when an earlier one has used the ration up. */
  take(text: string): string | null;
};

/** Gives every text whole. */
export const UNLIMITED: Ration = { take: (text) => text };

export function rationOf(chars: number): Ration {
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
