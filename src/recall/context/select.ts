/**
 * Selects which candidates are shown, and how much of each, within a number of tokens.
 *
 * Each source has a budget by weight, divided evenly among its sections; no item takes more than a quarter of its source's
 * budget. Sections take their first items that fit; what is left goes to the most relevant other items. One of these that a
 * quarter of its source's budget cannot hold may take a quarter of all tokens. If nothing fits, the most relevant item is shown
 * all the same: the limit is soft.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { allocateTokens } from "./allocation.ts";
import { type Candidate, characterBudget, UNLIMITED } from "./candidate.ts";
import { mostRelevantFirst } from "./deduplicate.ts";

/** The candidates of one source by section, in display order. */
type SourceCandidates = { readonly weight: number; readonly sections: readonly (readonly Candidate[])[] };

/** A candidate with its shown Markdown and the tokens it costs. */
export type Chosen = { readonly candidate: Candidate; readonly content: string; readonly tokens: number };

/** The size of the single item that is shown when nothing fits. */
const LEAST_TOKENS = 96;

export function select(
  sources: readonly SourceCandidates[],
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
  const budgets = allocateTokens(
    tokens,
    sources.map(({ weight, sections }) => ({ weight, demand: sum(sections.map(demandOf)) })),
  );
  const chosen = new Map<Candidate, Chosen>();
  const waiting: Chosen[] = [];
  let left = tokens;
  for (const [at, { sections }] of sources.entries()) {
    const budget = budgets[at] ?? 0;
    const fitted = sections.map((section) =>
      section.flatMap((candidate) => {
        const item = capped(candidate, Math.floor(budget * ITEM_SHARE_MAX));
        if (item !== null) return item;
        const larger = capped(candidate, Math.floor(tokens * ITEM_SHARE_MAX));
        if (larger !== null) waiting.push(larger);
        return [];
      }),
    );
    const parts = allocateTokens(
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

const ITEM_SHARE_MAX = 0.25;
/** A cut item that would have fewer tokens, without its note, is dropped. */
const LEFT_TOKENS_MIN = 24;
/** Text averages four characters per token; white space and long words can reach this. */
const CHARS_PER_TOKEN_MAX = 16;

/** The Markdown of a candidate, whole or cut to `tokensMax`; null when too little would be left. */
export function cappedContent(candidate: Candidate, tokensMax: number, counter: TokenCounter): string | null {
  // Counting a text far beyond the cap would waste time.
  if (candidate.chars <= tokensMax * CHARS_PER_TOKEN_MAX) {
    const whole = candidate.content(UNLIMITED);
    if (counter.count(whole) <= tokensMax) return whole;
  }
  const cutTo = (chars: number): string => candidate.content(characterBudget(chars)) + candidate.note;
  let kept = -1;
  let tooMany = Math.min(candidate.chars, tokensMax * CHARS_PER_TOKEN_MAX);
  while (kept + 1 < tooMany) {
    const middle = (kept + tooMany) >>> 1;
    if (counter.count(cutTo(middle)) <= tokensMax) kept = middle;
    else tooMany = middle;
  }
  if (kept <= 0 || counter.count(candidate.content(characterBudget(kept))) < LEFT_TOKENS_MIN) return null;
  return cutTo(kept);
}
