/**
 * What is measured, by name: the same names in gates, in the JSON document and in comparisons.
 *
 * Every metric is a share of 0 to 1, the larger the better (`budget_use` excepted, of which more is only more). A case
 * that a metric does not apply to (symbols of one that names none) has no value of it, and counts in no mean of it.
 */

/** Budgets in tokens at which every case is packed, besides the configured one. */
export const PACKAGE_BUDGETS = [4_000, 8_000, 16_000, 32_000] as const;

/** How far into the ranking of files one looks. */
export const FILE_DEPTHS = [1, 3, 5, 10] as const;
/** How far into the ranking of definitions one looks. */
export const SYMBOL_DEPTHS = [5, 10] as const;

/** All candidates, as users have them; or test files taken out of the ranking, as most published figures are. */
export const VIEWS = ["", "_tests_out"] as const;
export type View = (typeof VIEWS)[number];

/** Which tokenizer counted: an exact one; or four characters a token, the budget being net of the task's section. */
export const COUNTINGS = ["", "_approximate"] as const;
export type Counting = (typeof COUNTINGS)[number];

const BUDGET_LABELS = ["4k", "8k", "16k", "32k"] as const;
export type BudgetLabel = (typeof BUDGET_LABELS)[number];

/** The budgets with the names they have in metrics. */
export const LABELLED_BUDGETS: readonly { readonly budget: number; readonly label: BudgetLabel }[] = [
  { budget: PACKAGE_BUDGETS[0], label: "4k" },
  { budget: PACKAGE_BUDGETS[1], label: "8k" },
  { budget: PACKAGE_BUDGETS[2], label: "16k" },
  { budget: PACKAGE_BUDGETS[3], label: "32k" },
];

type FileDepth = (typeof FILE_DEPTHS)[number];
type SymbolDepth = (typeof SYMBOL_DEPTHS)[number];

/** Of the ranking of files, in one view. */
export type FileRankName = `acc@${FileDepth}` | `any@${FileDepth}` | "mrr" | "r@10";
/** Of the ranking of definitions, in one view. */
export type SymbolRankName = `symbol_all@${SymbolDepth}` | `symbol_any@${SymbolDepth}`;
/** Of one package at one budget. */
export const PACKAGE_NAMES = [
  "file_recall",
  "symbol_recall",
  "line_coverage",
  "token_efficiency",
  "budget_use",
] as const;
export type PackageName = (typeof PACKAGE_NAMES)[number];
/** Of the package at the configured budget and of the scope alone. */
const MAIN_NAMES = ["file_precision", "symbol_precision", "scope_recall", "scope_precision"] as const;
type MainName = (typeof MAIN_NAMES)[number];

export type MetricName =
  | `${FileRankName}${View}`
  | `${SymbolRankName}${View}`
  | PackageName
  | MainName
  | `${PackageName}@${BudgetLabel}${Counting}`;

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

/** All of them, in the order in which they are told. */
export const METRIC_NAMES: readonly MetricName[] = [
  ...VIEWS.flatMap((view) => FILE_RANK_NAMES.map((name): MetricName => `${name}${view}`)),
  ...VIEWS.flatMap((view) => SYMBOL_RANK_NAMES.map((name): MetricName => `${name}${view}`)),
  ...PACKAGE_NAMES,
  ...MAIN_NAMES,
  ...COUNTINGS.flatMap((counting) =>
    BUDGET_LABELS.flatMap((label) => PACKAGE_NAMES.map((name): MetricName => `${name}@${label}${counting}`)),
  ),
];

const KNOWN: ReadonlySet<string> = new Set(METRIC_NAMES);

/** Whether a word names a metric. */
export const isMetricName = (word: string): word is MetricName => KNOWN.has(word);
