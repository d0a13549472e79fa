/**
 * Compares two sets of results case by case: cases in both sets, and for each metric those where both have a value.
 *
 * p is the exact two-sided sign test on wins and losses, without ties: the probability of a split at least as uneven if
 * both sets were equally good. For a pass-or-fail metric, this is McNemar's exact test.
 */
import { METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { Scores } from "./model.ts";

type ComparedCase = { readonly id: string; readonly metrics: { readonly scores: Scores } };

type PairedMetric = {
  readonly name: MetricName;
  /** Cases where both have a value. */
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** Cases that are better than in the baseline. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** 0 to 1. */
  readonly p: number;
};

export type Comparison = {
  /** Cases in both. */
  readonly common: number;
  /** Cases missing from the baseline. */
  readonly added: number;
  /** Cases only in the baseline. */
  readonly missing: number;
  /** Without metrics that no common case has in both. */
  readonly metrics: readonly PairedMetric[];
};

/** Closer values are equal: sums in another order differ in the last digits. */
const SAME = 1e-9;

/** Compares results with a baseline. Of several cases with one id the last counts. */
export function compare(results: readonly ComparedCase[], baseline: readonly ComparedCase[]): Comparison {
  const before = new Map(baseline.map((one) => [one.id, one.metrics.scores]));
  const after = new Map(results.map((one) => [one.id, one.metrics.scores]));
  const pairs = [...after].flatMap(([id, scores]) => {
    const baselineScores = before.get(id);
    return baselineScores === undefined ? [] : [{ before: baselineScores, after: scores }];
  });
  return {
    common: pairs.length,
    added: after.size - pairs.length,
    missing: before.size - pairs.length,
    metrics: METRIC_NAMES.flatMap((name) => pairedMetric(name, pairs) ?? []),
  };
}

function pairedMetric(
  name: MetricName,
  pairs: readonly { readonly before: Scores; readonly after: Scores }[],
): PairedMetric | null {
  const totals = { n: 0, before: 0, after: 0, wins: 0, losses: 0 };
  for (const pair of pairs) {
    const [old, current] = [pair.before[name], pair.after[name]];
    if (old === undefined || current === undefined) continue;
    totals.n += 1;
    totals.before += old;
    totals.after += current;
    if (current - old > SAME) totals.wins += 1;
    else if (old - current > SAME) totals.losses += 1;
  }
  const { n, before, after, wins, losses } = totals;
  if (n === 0) return null;
  return {
    name,
    n,
    before: before / n,
    after: after / n,
    wins,
    losses,
    ties: n - wins - losses,
    p: signTest(wins, losses),
  };
}

/** The exact two-sided sign test, in logarithms, so that thousands of pairs do not underflow. */
export function signTest(wins: number, losses: number): number {
  const n = wins + losses;
  let logChoose = 0;
  let tail = 0;
  for (let at = 0; at <= Math.min(wins, losses); at++) {
    if (at > 0) logChoose += Math.log((n - at + 1) / at);
    tail += Math.exp(logChoose - n * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
