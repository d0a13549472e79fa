/**
 * The names of all metrics and amounts, shared by gates, the JSON document and comparisons.
 *
 * Every metric is from 0 to 1, and more is better, except for `budget_use` and the shares of tiers. A case without what a metric measures (such as
 * expected symbols or tests) has no value, and does not count in the mean.
 */

import { ITEM_TIERS, type ItemTier } from "../retrieval/model/tiers.ts";
import { CURVE_AMOUNT_NAMES, CURVE_METRIC_NAMES, type CurveAmountName, type CurveMetricName } from "./curve-points.ts";

/** Budgets in tokens at which every case is packed, besides the configured one, with their names in metrics. */
export const LABELLED_BUDGETS = [
  { budget: 4_000, label: "4k" },
  { budget: 8_000, label: "8k" },
  { budget: 16_000, label: "16k" },
  { budget: 32_000, label: "32k" },
] as const;
export const PACKAGE_BUDGETS: readonly number[] = LABELLED_BUDGETS.map(({ budget }) => budget);

/** Depths in the ranking of files. */
export const FILE_DEPTHS = [1, 3, 5, 10] as const;
/** Depths in the ranking of definitions. */
export const SYMBOL_DEPTHS = [5, 10] as const;

/** All candidates, as users see them; or without test files, as in most published figures. */
export const VIEWS = ["", "_tests_out"] as const;
export type View = (typeof VIEWS)[number];

/** The tokenizer: exact; or four characters a token, with a budget that excludes the section of the task. */
export const COUNTINGS = ["", "_approximate"] as const;
type Counting = (typeof COUNTINGS)[number];

type BudgetLabel = (typeof LABELLED_BUDGETS)[number]["label"];

type FileDepth = (typeof FILE_DEPTHS)[number];
type SymbolDepth = (typeof SYMBOL_DEPTHS)[number];

/** Metrics of the ranking of files, in one view. */
export type FileRankName = `acc@${FileDepth}` | `any@${FileDepth}` | "mrr" | "r@10";
/** Metrics of the ranking of definitions, in one view. */
export type SymbolRankName = `symbol_all@${SymbolDepth}` | `symbol_any@${SymbolDepth}`;
/** Metrics of one package. */
export const PACKAGE_NAMES = [
  "file_recall",
  "symbol_recall",
  "line_coverage",
  "token_efficiency",
  "budget_use",
  "test_any",
  "test_recall",
] as const;
export type PackageName = (typeof PACKAGE_NAMES)[number];
/** Metrics of the package at the configured budget and of the scope only. */
const MAIN_NAMES = [
  "file_precision",
  "file_precision_tests",
  "symbol_precision",
  "scope_recall",
  "scope_precision",
] as const;
type MainName = (typeof MAIN_NAMES)[number];
/** Shares of the tokens of the package at the configured budget; `rest`: headings, markers, lists and the task. */
type TierShareName = `${ItemTier | "rest"}_share`;
export const TIER_SHARE_NAMES: readonly TierShareName[] = [
  ...ITEM_TIERS.map((tier) => `${tier}_share` as const),
  "rest_share",
];

/** Amounts: the tokens of the whole package at the configured budget, and at the others and on the curve (counted exactly). */
export type AmountName = "tokens" | `tokens@${BudgetLabel}` | CurveAmountName;
export const AMOUNT_NAMES: readonly AmountName[] = [
  "tokens",
  ...LABELLED_BUDGETS.map(({ label }) => `tokens@${label}` as const),
  ...CURVE_AMOUNT_NAMES,
];

export type MetricName =
  | `${FileRankName}${View}`
  | `${SymbolRankName}${View}`
  | PackageName
  | MainName
  | TierShareName
  | `${PackageName}@${BudgetLabel}${Counting}`
  | CurveMetricName;

export const FILE_RANK_NAMES: readonly FileRankName[] = [
  ...FILE_DEPTHS.map((depth) => `acc@${depth}` as const),
  ...FILE_DEPTHS.map((depth) => `any@${depth}` as const),
  "mrr",
  "r@10",
];
export const SYMBOL_RANK_NAMES: readonly SymbolRankName[] = [
  ...SYMBOL_DEPTHS.map((depth) => `symbol_all@${depth}` as const),
  ...SYMBOL_DEPTHS.map((depth) => `symbol_any@${depth}` as const),
];

/** All metrics, in order of output. */
export const METRIC_NAMES: readonly MetricName[] = [
  ...VIEWS.flatMap((view) => FILE_RANK_NAMES.map((name): MetricName => `${name}${view}`)),
  ...VIEWS.flatMap((view) => SYMBOL_RANK_NAMES.map((name): MetricName => `${name}${view}`)),
  ...PACKAGE_NAMES,
  ...MAIN_NAMES,
  ...TIER_SHARE_NAMES,
  ...COUNTINGS.flatMap((counting) =>
    LABELLED_BUDGETS.flatMap(({ label }) => PACKAGE_NAMES.map((name): MetricName => `${name}@${label}${counting}`)),
  ),
  ...CURVE_METRIC_NAMES,
];

const KNOWN: ReadonlySet<string> = new Set(METRIC_NAMES);

export const isMetricName = (word: string): word is MetricName => KNOWN.has(word);
export const isAmountName = (word: string): word is AmountName => AMOUNT_NAMES.some((name) => name === word);
