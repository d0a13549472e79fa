/**
 * Compares two sets of results case by case: cases in both sets, and for each metric those where both have a value.
 *
 * p is the exact two-sided sign test on wins and losses, without ties: the probability of a split at least as uneven if
 * both sets were equally good. For a pass-or-fail metric, this is McNemar's exact test.
 */
import { type Amount, amountOf } from "./averages.ts";
import { type Curve, curveOf } from "./curve.ts";
import { type ExactnessSummary, exactnessOf } from "./exactness.ts";
import { AMOUNT_NAMES, type AmountName, METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { CaseResult, Metrics } from "./model.ts";

type ComparedMetrics = Pick<Metrics, "scores" | "amounts">;
type ComparedCase = Pick<CaseResult, "id" | "exactness"> & { readonly metrics: ComparedMetrics };
type Pair = {
  readonly exactness: CaseResult["exactness"];
  readonly before: ComparedMetrics;
  readonly after: ComparedMetrics;
};

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

/** An amount over the cases where both have it. More or less is neither better nor worse by itself. */
type PairedAmount = { readonly name: AmountName; readonly before: Amount; readonly after: Amount };

export type Comparison = {
  /** Cases in both. */
  readonly common: number;
  /** Cases missing from the baseline. */
  readonly added: number;
  /** Cases only in the baseline. */
  readonly missing: number;
  /** Without metrics that no common case has in both. */
  readonly metrics: readonly PairedMetric[];
  readonly amounts: readonly PairedAmount[];
  /** Of the common cases; null unless both have one. */
  readonly curve: { readonly before: Curve; readonly after: Curve } | null;
  /** Of the common cases, by the levels of this run; null without levels. */
  readonly exactness: { readonly before: ExactnessSummary; readonly after: ExactnessSummary } | null;
};

/** Closer values are equal: sums in another order differ in the last digits. */
const SAME = 1e-9;

/** Compares results with a baseline. Of several cases with one id the last counts. */
export function compare(results: readonly ComparedCase[], baseline: readonly ComparedCase[]): Comparison {
  const before = new Map(baseline.map((one) => [one.id, one.metrics]));
  const after = new Map(results.map((one) => [one.id, one]));
  const pairs = [...after].flatMap(([id, { exactness, metrics }]) => {
    const baselineMetrics = before.get(id);
    return baselineMetrics === undefined ? [] : [{ exactness, before: baselineMetrics, after: metrics }];
  });
  const metrics = METRIC_NAMES.flatMap((name) => pairedMetric(name, pairs) ?? []);
  const amounts = AMOUNT_NAMES.flatMap((name) => pairedAmount(name, pairs) ?? []);
  return {
    common: pairs.length,
    added: after.size - pairs.length,
    missing: before.size - pairs.length,
    metrics,
    amounts,
    curve: pairedCurve(metrics, amounts),
    exactness: pairedExactness(pairs),
  };
}

function pairedCurve(metrics: readonly PairedMetric[], amounts: readonly PairedAmount[]): Comparison["curve"] {
  const shares = new Map(metrics.map((metric) => [metric.name, metric]));
  const tokens = new Map(amounts.map((amount) => [amount.name, amount]));
  const of = (side: "before" | "after") =>
    curveOf({ share: (name) => shares.get(name)?.[side], tokens: (name) => tokens.get(name)?.[side].mean });
  const [before, after] = [of("before"), of("after")];
  return before.length === 0 ? null : { before, after };
}

function pairedExactness(pairs: readonly Pair[]): Comparison["exactness"] {
  const of = (side: "before" | "after") =>
    exactnessOf(pairs.map((pair) => ({ exactness: pair.exactness, metrics: pair[side] })));
  const [before, after] = [of("before"), of("after")];
  return before === null || after === null ? null : { before, after };
}

function pairedAmount(name: AmountName, pairs: readonly Pair[]): PairedAmount | null {
  const both = pairs.flatMap((pair) => {
    const [old, current] = [pair.before.amounts[name], pair.after.amounts[name]];
    return old === undefined || current === undefined ? [] : [{ old, current }];
  });
  const [before, after] = [amountOf(both.map(({ old }) => old)), amountOf(both.map(({ current }) => current))];
  return before === null || after === null ? null : { name, before, after };
}

function pairedMetric(name: MetricName, pairs: readonly Pair[]): PairedMetric | null {
  const totals = { n: 0, before: 0, after: 0, wins: 0, losses: 0 };
  for (const pair of pairs) {
    const [old, current] = [pair.before.scores[name], pair.after.scores[name]];
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
