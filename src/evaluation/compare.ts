/**
 * Two sets of results side by side, case by case: only cases that both hold, and for each metric only those where both
 * have it. Pure and deterministic.
 *
 * p is that of the exact two-sided sign test on wins and losses, ties left out: were both equally good, how likely is a
 * split at least as uneven. For a metric that a case passes or fails, that is McNemar's exact test.
 */
import { METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { Scores } from "./model.ts";

/** What of a result is compared. */
export type ComparedCase = { readonly id: string; readonly metrics: { readonly scores: Scores } };

export type PairedMetric = {
  readonly name: MetricName;
  /** How many cases both have it. */
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** Cases that are better now. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** 0 to 1. */
  readonly p: number;
};

export type Comparison = {
  /** Cases that both hold. */
  readonly common: number;
  /** Cases that the baseline lacks. */
  readonly added: number;
  /** Cases that only the baseline holds. */
  readonly missing: number;
  /** Metrics that no common case has in both are left out. */
  readonly metrics: readonly PairedMetric[];
};

/** Values closer than this are the same: sums in another order differ in the last digits. */
const SAME = 1e-9;

/** Compares results with those of a baseline. Ids are taken as unique: of several the last counts. */
export function compare(results: readonly ComparedCase[], baseline: readonly ComparedCase[]): Comparison {
  const before = new Map(baseline.map((one) => [one.id, one.metrics.scores]));
  const after = new Map(results.map((one) => [one.id, one.metrics.scores]));
  const pairs = [...after].flatMap(([id, now]) => {
    const then = before.get(id);
    return then === undefined ? [] : [{ then, now }];
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
  pairs: readonly { readonly then: Scores; readonly now: Scores }[],
): PairedMetric | null {
  const totals = { n: 0, before: 0, after: 0, wins: 0, losses: 0 };
  for (const pair of pairs) {
    const then = pair.then[name];
    const now = pair.now[name];
    if (then === undefined || now === undefined) continue;
    totals.n += 1;
    totals.before += then;
    totals.after += now;
    if (now - then > SAME) totals.wins += 1;
    else if (then - now > SAME) totals.losses += 1;
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

/** The exact two-sided sign test. In logarithms, so that thousands of pairs do not underflow. */
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
