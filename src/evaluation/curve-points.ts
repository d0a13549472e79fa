/**
 * The points of the curve of recall against tokens, at which every case is packed: fixed budgets that are filled, and
 * levels of coverage within the configured budget.
 */
import type { Coverage } from "../retrieval/model/budget.ts";

const FIXED_BUDGETS = [
  { label: "fixed-2k", budget: 2_000 },
  { label: "fixed-4k", budget: 4_000 },
  { label: "fixed-8k", budget: 8_000 },
  { label: "fixed-12k", budget: 12_000 },
  { label: "fixed-16k", budget: 16_000 },
  { label: "fixed-24k", budget: 24_000 },
  { label: "fixed-32k", budget: 32_000 },
] as const;

const COVERAGE_LEVELS = [
  { label: "coverage-30", coverage: 0.3 },
  { label: "coverage-50", coverage: 0.5 },
  { label: "coverage-70", coverage: 0.7 },
  { label: "coverage-80", coverage: 0.8 },
  { label: "coverage-90", coverage: 0.9 },
  { label: "coverage-auto", coverage: "auto" },
] as const;

export type CurveLabel = (typeof FIXED_BUDGETS)[number]["label"] | (typeof COVERAGE_LEVELS)[number]["label"];

/** `budget` is null at a level of coverage: the configured one is its limit. */
export type CurvePoint = { readonly label: CurveLabel; readonly budget: number | null; readonly coverage: Coverage };

/** Fixed budgets first, each from the smallest. */
export const CURVE_POINTS: readonly CurvePoint[] = [
  ...FIXED_BUDGETS.map((point) => ({ ...point, coverage: 1 })),
  ...COVERAGE_LEVELS.map((point) => ({ ...point, budget: null })),
];

/** What the curve shows of a package. */
export const CURVE_METRICS = ["symbol_recall", "file_recall", "test_recall", "token_efficiency"] as const;
export type CurveMetric = (typeof CURVE_METRICS)[number];

export type CurveMetricName = `${CurveMetric}@${CurveLabel}`;
export type CurveAmountName = `tokens@${CurveLabel}`;

export const CURVE_METRIC_NAMES: readonly CurveMetricName[] = CURVE_POINTS.flatMap(({ label }) =>
  CURVE_METRICS.map((name) => `${name}@${label}` as const),
);
export const CURVE_AMOUNT_NAMES: readonly CurveAmountName[] = CURVE_POINTS.map(
  ({ label }) => `tokens@${label}` as const,
);

const KNOWN: ReadonlySet<string> = new Set([...CURVE_METRIC_NAMES, ...CURVE_AMOUNT_NAMES]);

/** Whether a metric or an amount belongs to a point of the curve. */
export const isOfCurve = (name: string): boolean => KNOWN.has(name);
