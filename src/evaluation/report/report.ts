/**
 * The report of an evaluation as sections of rows: all cases, then groups, then the worst misses.
 *
 * Shares are percentages with one decimal, `mrr` has three; "-": no case has the metric. The command line lays the
 * sections out (`cli/evaluation/run-evaluation.ts`).
 */
import { counted } from "../../text/counted.ts";
import { inOrder } from "../../text/order.ts";
import { bestRank } from "../file-metrics.ts";
import {
  COUNTINGS,
  FILE_RANK_NAMES,
  LABELLED_BUDGETS,
  type MetricName,
  SYMBOL_RANK_NAMES,
  type View,
} from "../metric-names.ts";
import type { CaseResult } from "../model.ts";
import { FILE_COUNTS, GROUPINGS, type Grouping, type Latency, type Summary } from "../summary.ts";
import { cells, count, NONE, percentOf, type ReportSection } from "./report-section.ts";
import { exactTasks, packageTokens, recallByTokens, tokensByTier } from "./report-tokens.ts";

const MISSES_SHOWN = 20;
/** A case is a miss if its first expected file ranks below this. */
const MISS_BEHIND = 10;
/** Results of smaller groups are indications only. */
const GROUP_SMALL = 15;

/** A case without a result, and why. */
export type FailedCase = { readonly id: string; readonly why: string };

/** The report of one set of results. Failed cases are listed; no mean includes them. */
export function reportSections(
  results: readonly CaseResult[],
  summary: Summary,
  failed: readonly FailedCase[] = [],
): readonly ReportSection[] {
  return [
    fileRanking(summary),
    symbolRanking(summary),
    byBudget(summary),
    recallByTokens(summary),
    chosen(summary),
    packageTokens(summary),
    tokensByTier(summary),
    latency(summary),
    ...GROUPINGS.map((by) => groups(summary, by)),
    symbolsByFileCount(summary),
    ...exactTasks(summary),
    misses(results),
    {
      title: `Failed, not counted: ${counted(failed.length, "case")}`,
      heading: ["case", "why"],
      rows: failed.map(({ id, why }) => [id, why]),
    },
  ].filter(({ rows }) => rows.length > 0);
}

const VIEW_NAMES: readonly (readonly [string, View])[] = [
  ["tests in", ""],
  ["tests out", "_tests_out"],
];

function fileRanking({ cases, means }: Summary): ReportSection {
  return {
    title: `Ranking of files, ${counted(cases, "case")}`,
    heading: ["", "n", ...FILE_RANK_NAMES],
    rows: VIEW_NAMES.filter(() => means.mrr !== undefined).map(([shown, view]) => [
      shown,
      count(means[`acc@1${view}`]?.n),
      ...cells(
        means,
        FILE_RANK_NAMES.map((name) => `${name}${view}` as const),
      ),
    ]),
    notes: ["acc@k: all expected files are in the first k; any@k: one is; tests out: without test files"],
  };
}

function symbolRanking({ means }: Summary): ReportSection {
  return {
    title: "Ranking of definitions",
    heading: ["", "n", ...SYMBOL_RANK_NAMES.map((name) => name.replace("symbol_", ""))],
    rows: VIEW_NAMES.filter(() => means["symbol_all@5"] !== undefined).map(([shown, view]) => [
      shown,
      count(means[`symbol_all@5${view}`]?.n),
      ...cells(
        means,
        SYMBOL_RANK_NAMES.map((name) => `${name}${view}` as const),
      ),
    ]),
  };
}

function byBudget({ means }: Summary): ReportSection {
  const rows = COUNTINGS.flatMap((counting) =>
    LABELLED_BUDGETS.map(({ label }) => [
      label,
      counting === "" ? "exact, whole text" : "characters / 4, without the task",
      ...cells(means, [
        `symbol_recall@${label}${counting}`,
        `file_recall@${label}${counting}`,
        `line_coverage@${label}${counting}`,
        `test_any@${label}${counting}`,
        `test_recall@${label}${counting}`,
        `token_efficiency@${label}${counting}`,
        `budget_use@${label}${counting}`,
      ]),
    ]),
  ).filter((row) => row.slice(2).some((cell) => cell !== NONE));
  return {
    title: "Package by budget",
    heading: ["budget", "tokens counted as", "symbols", "files", "lines", "any test", "tests", "efficiency", "use"],
    rows,
    notes: [
      "symbols, lines: expected code shown in full; files, tests: any text; any test: of at least one",
      "efficiency: the share of expected code in all tokens",
    ],
  };
}

function chosen({ means }: Summary): ReportSection {
  const row = (shown: string, recall: MetricName | null, precision: MetricName | null): readonly string[] => [
    shown,
    count((recall === null ? undefined : means[recall]?.n) ?? (precision === null ? undefined : means[precision]?.n)),
    recall === null ? "" : percentOf(means, recall),
    precision === null ? "" : percentOf(means, precision),
  ];
  const rows = [
    row("files of the package", "file_recall", "file_precision"),
    row("files of the package, expected tests included", null, "file_precision_tests"),
    row("test files of the package", "test_recall", null),
    row("any test file of the package", "test_any", null),
    row("definitions of the package", "symbol_recall", "symbol_precision"),
    row("files of the scope", "scope_recall", "scope_precision"),
    row("expected lines covered", "line_coverage", null),
    row("token efficiency", null, "token_efficiency"),
    row("budget used", "budget_use", null),
  ];
  return {
    title: "At the configured budget",
    heading: ["", "n", "recall", "precision"],
    rows: rows.filter(([, n]) => n !== NONE),
    notes: ["the known answer is one of many, so precision and efficiency are lower bounds"],
  };
}

function latency({ latency: { index, retrieve } }: Summary): ReportSection {
  const row = (shown: string, found: Latency | null): readonly (readonly string[])[] =>
    found === null ? [] : [[shown, ...[found.median, found.p90, found.max].map((ms) => ms.toFixed(0))]];
  return {
    title: "Milliseconds for a case",
    heading: ["", "median", "p90", "max"],
    rows: [...row("index", index), ...row("retrieve", retrieve)],
  };
}

const GROUP_TITLES = {
  language: "By language",
  source: "By source",
  gives_away: "By what the task already names",
  expected_files: "By number of expected files",
} as const satisfies Record<Grouping, string>;

const GROUP_METRICS: readonly (readonly [string, MetricName])[] = [
  ["acc@1", "acc@1"],
  ["acc@5", "acc@5"],
  ["acc@10", "acc@10"],
  ["mrr", "mrr"],
  ["r@10", "r@10"],
  ["sym any@10", "symbol_any@10"],
  ["sym 8k", "symbol_recall@8k"],
  ["files 8k", "file_recall@8k"],
];

/** A single group repeats all cases, so it is omitted. */
function groups({ groups: all }: Summary, by: Grouping): ReportSection {
  const own = all.filter((group) => group.by === by);
  return {
    title: GROUP_TITLES[by],
    heading: ["", "cases", ...GROUP_METRICS.map(([shown]) => shown)],
    rows: (own.length < 2 ? [] : own).map(({ name, cases, means }) => [
      name,
      count(cases),
      ...cells(
        means,
        GROUP_METRICS.map(([, metric]) => metric),
      ),
    ]),
    ...(own.some(({ cases }) => cases < GROUP_SMALL)
      ? { notes: [`groups of fewer than ${GROUP_SMALL} cases are indications only`] }
      : {}),
  };
}

function symbolsByFileCount({ groups: all }: Summary): ReportSection {
  const own = FILE_COUNTS.flatMap((name) =>
    all.filter((group) => group.by === "expected_files" && group.name === name && group.means.symbol_recall),
  );
  return {
    title: "Definitions shown, by number of expected files",
    heading: ["", "n", ...LABELLED_BUDGETS.map(({ label }) => label), "configured"],
    rows: (own.length < 2 ? [] : own).map(({ name, means }) => [
      name,
      count(means.symbol_recall?.n),
      ...cells(means, [...LABELLED_BUDGETS.map(({ label }) => `symbol_recall@${label}` as const), "symbol_recall"]),
    ]),
  };
}

function misses(results: readonly CaseResult[]): ReportSection {
  const missed = results
    .filter(({ metrics }) => metrics.fileRanks.length > 0)
    .map((result) => ({ ...result, rank: bestRank(result.metrics.fileRanks) ?? Number.POSITIVE_INFINITY }))
    .filter(({ rank }) => rank > MISS_BEHIND)
    .toSorted((a, b) => (a.rank === b.rank ? inOrder(a.id, b.id) : b.rank - a.rank));
  return {
    title: `Worst misses: first expected file below rank ${MISS_BEHIND}`,
    heading: ["rank", "case"],
    rows: missed
      .slice(0, MISSES_SHOWN)
      .map(({ rank, id }) => [Number.isFinite(rank) ? String(rank) : "not ranked", id]),
    ...(missed.length > MISSES_SHOWN ? { notes: [`and ${missed.length - MISSES_SHOWN} more`] } : {}),
  };
}
