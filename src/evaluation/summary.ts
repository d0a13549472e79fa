/** Aggregates results: means with their number of cases, over all cases and by group. */
import { inOrder } from "../text/order.ts";
import { METRIC_NAMES, type MetricName } from "./metric-names.ts";
import type { CaseResult } from "./model.ts";

/** A mean over `n` cases, at least one. */
type Mean = { readonly mean: number; readonly n: number };

/** By name; metrics without a value are absent. */
export type Means = Readonly<Partial<Record<MetricName, Mean>>>;

export type Latency = { readonly median: number; readonly p90: number; readonly max: number };

/** How cases are grouped. `expected_files`: cases with several expected files can only have 0 at acc@1. */
export const GROUPINGS = ["language", "source", "gives_away", "expected_files"] as const;
export type Grouping = (typeof GROUPINGS)[number];

type Group = {
  readonly by: Grouping;
  readonly name: string;
  readonly cases: number;
  readonly means: Means;
};

export type Summary = {
  readonly cases: number;
  readonly means: Means;
  /** In milliseconds; null without cases. */
  readonly latency: { readonly index: Latency | null; readonly retrieve: Latency | null };
  /** By grouping; the largest groups first, then by name. */
  readonly groups: readonly Group[];
};

export function summarize(results: readonly CaseResult[]): Summary {
  return {
    cases: results.length,
    means: meansOf(results),
    latency: {
      index: latencyOf(results.map(({ metrics }) => metrics.ms.index)),
      retrieve: latencyOf(results.map(({ metrics }) => metrics.ms.retrieve)),
    },
    groups: GROUPINGS.flatMap((by) => groupsOf(results, by)),
  };
}

/** The mean of each metric over the cases that have it. */
export function meansOf(results: readonly CaseResult[]): Means {
  const means: Partial<Record<MetricName, Mean>> = {};
  for (const name of METRIC_NAMES) {
    const values = results.flatMap(({ metrics }) => metrics.scores[name] ?? []);
    if (values.length > 0)
      means[name] = { mean: values.reduce((sum, value) => sum + value, 0) / values.length, n: values.length };
  }
  return means;
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
      return metrics.fileRanks.length === 0 ? "none" : metrics.fileRanks.length === 1 ? "one" : "two or more";
  }
}

const UNKNOWN = "unknown";

function latencyOf(milliseconds: readonly number[]): Latency | null {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  return { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), max };
}

/** A quantile of sorted values, by the nearest-rank method. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
