/**
 * Small factors that adjust a source's own ranking, each at most 1, so relevances stay between 0 and 1.
 *
 * Confidence of an experience (gold 1, silver .97, bronze .94, abandoned .85), importance of a memory (.9 to 1), recency of an
 * experience or commit (.95 to 1, half-life 90 days). Recency is relative to the newest result, not to the clock.
 */
import type { Confidence } from "../../memory/vocabulary.ts";

const CONFIDENCE_FACTOR: Record<Confidence, number> = { gold: 1, silver: 0.97, bronze: 0.94, abandoned: 0.85 };
const IMPORTANCE_SHARE = 0.1;
const RECENCY_SHARE = 0.05;
const HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1000;

export const confidenceFactor = (confidence: Confidence): number => CONFIDENCE_FACTOR[confidence];

/** `importance` is 0 to 1. */
export const importanceFactor = (importance: number): number => 1 - IMPORTANCE_SHARE * (1 - within(importance));

/** `newest` and `moment` are ISO 8601; an unreadable time counts as old. */
export function recencyFactor(moment: string, newest: string | null): number {
  const age = Date.parse(newest ?? "") - Date.parse(moment);
  const freshness = Number.isNaN(age) ? 0 : 2 ** (-Math.max(0, age) / HALF_LIFE_MS);
  return 1 - RECENCY_SHARE * (1 - freshness);
}

/** The newest time, null when none can be read. */
export function newestOf(moments: readonly string[]): string | null {
  let newest: string | null = null;
  for (const moment of moments)
    if (!Number.isNaN(Date.parse(moment)) && (newest === null || Date.parse(moment) > Date.parse(newest)))
      newest = moment;
  return newest;
}

/** A relevance times its factors, 0 to 1, rounded like all scores. */
export const adjusted = (relevance: number, ...factors: readonly number[]): number =>
  Math.round(factors.reduce((product, factor) => product * factor, within(relevance)) * 1e6) / 1e6;

const within = (share: number): number => (share >= 0 ? Math.min(1, share) : 0);
