/**
 * Chooses what is shown of what was found, within a number of tokens.
 *
 * A source has a budget by its weight, of which its sections have even parts; no item takes more than a quarter of its
 * source's. Within a section the first ones go in as long as they fit; what a section leaves goes to whatever is most
 * relevant of what is still waiting. Where nothing at all fits, the most relevant item is shown all the same: the limit
 * is a soft one.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { shareOut } from "./allocation.ts";
import type { Candidate } from "./candidate.ts";
import { UNLIMITED } from "./character-budget.ts";
import { mostRelevantFirst } from "./deduplicate.ts";
import { cappedContent, ITEM_SHARE_MAX } from "./item-cap.ts";

/** What one source found for the sections it fills, each in the order in which it is to be shown. */
type SourceFinds = { readonly weight: number; readonly sections: readonly (readonly Candidate[])[] };

/** An item as it is shown, and what that takes. */
export type Chosen = { readonly candidate: Candidate; readonly content: string; readonly tokens: number };

/** What of an item is shown at least where nothing fits. */
const LEAST_TOKENS = 96;

export function select(
  sources: readonly SourceFinds[],
  tokens: number,
  counter: TokenCounter,
): ReadonlyMap<Candidate, Chosen> {
  const cost = (content: string): number => counter.count(`${content}\n\n`);
  const capped = (candidate: Candidate, tokensMax: number): Chosen | null => {
    const content = cappedContent(candidate, tokensMax, counter);
    return content === null ? null : { candidate, content, tokens: cost(content) };
  };
  const demandOf = (section: readonly Candidate[]): number =>
    section.reduce((sum, candidate) => sum + Math.min(tokens, cost(candidate.content(UNLIMITED))), 0);
  const budgets = shareOut(
    tokens,
    sources.map(({ weight, sections }) => ({ weight, demand: sum(sections.map(demandOf)) })),
  );
  const chosen = new Map<Candidate, Chosen>();
  const waiting: Chosen[] = [];
  let left = tokens;
  for (const [at, { sections }] of sources.entries()) {
    const budget = budgets[at] ?? 0;
    const fitted = sections.map((section) =>
      section.flatMap((candidate) => capped(candidate, Math.floor(budget * ITEM_SHARE_MAX)) ?? []),
    );
    const parts = shareOut(
      budget,
      fitted.map((section) => ({ weight: 1, demand: sum(section.map((item) => item.tokens)) })),
    );
    for (const [index, section] of fitted.entries()) {
      let room = Math.min(left, parts[index] ?? 0);
      for (const item of section) {
        if (item.tokens > room) {
          waiting.push(item);
          continue;
        }
        room -= item.tokens;
        left -= item.tokens;
        chosen.set(item.candidate, item);
      }
    }
  }
  for (const item of waiting.sort((a, b) => mostRelevantFirst(a.candidate, b.candidate))) {
    if (item.tokens > left) continue;
    left -= item.tokens;
    chosen.set(item.candidate, item);
  }
  if (chosen.size > 0) return chosen;
  const [best] = sources.flatMap(({ sections }) => sections.flat()).sort(mostRelevantFirst);
  const least = best === undefined ? null : capped(best, LEAST_TOKENS);
  return least === null ? chosen : new Map([[least.candidate, least]]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
