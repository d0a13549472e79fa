/** Chooses which reasons the text of a package shows: one clause for each file by rank, then further clauses by rank. */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import { reasonLine } from "../render/file-parts.ts";
import { type FileReasons, saysWhatIsHidden } from "./file-reasons.ts";

/** The most that all reasons together take of a package's tokens. */
export const REASON_SHARE = 0.04;
/** Further clauses are added while all reasons take less than this share of that, so that longer first ones still fit. */
const FURTHER_SHARE = 0.5;
/** Reasons that the code does not show have this room in the smallest package. */
const HIDDEN_TOKENS = 150;

/** A line can cost this much more in XML. */
const MARKUP_TOKENS = 3;

/** The reasons of these files, best first, within a number of tokens; files without room are missing. */
export type ShownReasons = (files: readonly number[], tokensMax: number) => ReadonlyMap<number, string>;

export function shownReasons(reasons: FileReasons, counter: TokenCounter): ShownReasons {
  const costs = new Map<string, number>();
  const costOf = (text: string): number => costs.getOrInsertComputed(text, () => lineTokens(text, counter));
  const longest = [...reasons.values()].reduce((most, { length }) => Math.max(most, length), 0);
  return (files, tokensMax) => {
    const shown = new Map<number, string>();
    let left = tokensMax;
    let isFull = tokensMax <= 0;
    let leftForHidden = isFull ? 0 : HIDDEN_TOKENS;
    for (const id of files) {
      const [first = ""] = reasons.get(id) ?? [];
      const cost = saysWhatIsHidden(first) ? costOf(first) : Number.POSITIVE_INFINITY;
      if (cost > leftForHidden) continue;
      leftForHidden -= cost;
      left -= cost;
      shown.set(id, first);
    }
    for (let count = 1; count <= longest && !isFull; count += 1)
      for (const id of files) {
        const clauses = reasons.get(id) ?? [];
        const before = shown.get(id);
        if (clauses.length < count || (count === 1) !== (before === undefined)) continue;
        const text = before === undefined ? (clauses[0] ?? "") : `${before}; ${clauses[count - 1]}`;
        const more = costOf(text) - (before === undefined ? 0 : costOf(before));
        if (more > left || (count > 1 && tokensMax - left + more > tokensMax * FURTHER_SHARE)) {
          // Smaller reasons are still tried, but no file gets a second clause before each has one.
          isFull ||= count === 1;
          continue;
        }
        left -= more;
        shown.set(id, text);
      }
    return shown;
  };
}

const lineTokens = (reason: string, counter: TokenCounter): number =>
  counter.count(`${reasonLine(reason)}\n`) + MARKUP_TOKENS;

/** The tokens of the reasons that a package shows. */
export const reasonTokens = ({ files }: ContextPackage, counter: TokenCounter): number =>
  files.reduce((sum, { reason }) => sum + (reason === null ? 0 : lineTokens(reason, counter)), 0);
