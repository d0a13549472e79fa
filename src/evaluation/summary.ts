/** Aggregates results: means with their number of cases, over all cases and by group. */
import { inOrder } from "../text/order.ts";
import { type Amount, amountOf, ascending, type Mean, meanOf, quantile } from "./averages.ts";
import { type Curve, curveOf } from "./curve.ts";
import { type ExactnessSummary, exactnessOf } from "./exactness.ts";
import { AMOUNT_NAMES, type AmountName, METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { CaseResult } from "./model.ts";

/** By name; metrics without a value are absent. */
export type Means = Readonly<Partial<Record<MetricName, Mean>>>;

/** By name, in tokens; amounts without a value are absent. */
type Amounts = Readonly<Partial<Record<AmountName, Amount>>>;

export type Latency = { readonly median: number; readonly p90: number; readonly max: number };

/** How cases are grouped. `expected_files`: cases with several expected files can only have 0 at acc@1. */
export const GROUPINGS = ["language", "source", "gives_away", "expected_files"] as const;
export type Grouping = (typeof GROUPINGS)[number];

const FILES_MANY = "three or more";
/** The names of the groups by expected files, in order. */
export const FILE_COUNTS = ["none", "one", "two", FILES_MANY] as const;

type Group = {
  readonly by: Grouping;
  readonly name: string;
  readonly cases: number;
  readonly means: Means;
};

export type Summary = {
  readonly cases: number;
  readonly means: Means;
  readonly amounts: Amounts;
  /** In milliseconds; null without cases. */
  readonly latency: { readonly index: Latency | null; readonly retrieve: Latency | null };
  /** By grouping; the largest groups first, then by name. */
  readonly groups: readonly Group[];
  readonly curve: Curve;
  /** Null if no case has a level of exactness. */
  readonly exactness: ExactnessSummary | null;
};

export function summarize(results: readonly CaseResult[]): Summary {
  const [means, amounts] = [meansOf(results), amountsOf(results)];
  return {
    cases: results.length,
    means,
    amounts,
    latency: {
      index: latencyOf(results.map(({ metrics }) => metrics.ms.index)),
      retrieve: latencyOf(results.map(({ metrics }) => metrics.ms.retrieve)),
    },
    groups: GROUPINGS.flatMap((by) => groupsOf(results, by)),
    curve: curveOf({ share: (name) => means[name]?.mean, tokens: (name) => amounts[name]?.mean }),
    exactness: exactnessOf(results),
  };
}

/** The mean of each metric over the cases that have it. */
export function meansOf(results: readonly CaseResult[]): Means {
  const means: Partial<Record<MetricName, Mean>> = {};
  for (const name of METRIC_NAMES) {
    const mean = meanOf(results.flatMap(({ metrics }) => metrics.scores[name] ?? []));
    if (mean !== null) means[name] = mean;
  }
  return means;
}

function amountsOf(results: readonly CaseResult[]): Amounts {
  const amounts: Partial<Record<AmountName, Amount>> = {};
  for (const name of AMOUNT_NAMES) {
    const amount = amountOf(results.flatMap(({ metrics }) => metrics.amounts[name] ?? []));
    if (amount !== null) amounts[name] = amount;
  }
  return amounts;
}

function groupsOf(results: readonly CaseResult[], by: Grouping): readonly Group[] {
  return [...Map.groupBy(results, (result) => groupName(result, by))]
    .map(([name, own]) => ({ by, name, cases: own.length, means: meansOf(own) }))
    .toSorted((a, b) => b.cases - a.cases || inOrder(a.name, b.name));
}

function groupName({ language, source, answerLeak, metrics }: CaseResult, by: Grouping): string {
  switch (by) {
    case "language":
      return language ?? UNKNOWN;
    case "source":
      return source ?? UNKNOWN;
    case "gives_away":
      if (answerLeak === null) return UNKNOWN;
      return answerLeak.path || answerLeak.basename ? "a file" : answerLeak.symbol ? "a definition" : "neither";
    case "expected_files":
      return FILE_COUNTS[metrics.fileRanks.length] ?? FILES_MANY;
  }
}

const UNKNOWN = "unknown";

function latencyOf(milliseconds: readonly number[]): Latency | null {
  const sorted = ascending(milliseconds);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  return { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), max };
}
