/**
 * The report of an evaluation as sections of rows: all cases, then groups, then the worst misses.
 *
 * Shares are percentages with one decimal, `mrr` has three; "-": no case has the metric. The command line lays the
 * sections out (`cli/evaluation/run-evaluation.ts`).
 */
import { inOrder } from "../text/order.ts";
import type { Comparison } from "./compare.ts";
import { bestRank } from "./file-metrics.ts";
import { COUNTINGS, LABELLED_BUDGETS, type MetricName, type View } from "./metric-names.ts";
import type { CaseResult } from "./model.ts";
import { GROUPINGS, type Grouping, type Latency, type Means, type Summary } from "./summary.ts";

/** A table with a title; numbers are formatted. */
export type ReportSection = {
  readonly title: string;
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly notes?: readonly string[];
};

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
    chosen(summary),
    latency(summary),
    ...GROUPINGS.map((by) => groups(summary, by)),
    misses(results),
    {
      title: `Failed, not counted: ${cased(failed.length)}`,
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
    title: `Ranking of files, ${cased(cases)}`,
    heading: ["", "n", "acc@1", "acc@3", "acc@5", "acc@10", "any@1", "any@3", "any@5", "any@10", "mrr", "r@10"],
    rows: VIEW_NAMES.filter(() => means.mrr !== undefined).map(([shown, view]) => [
      shown,
      count(means[`acc@1${view}`]?.n),
      ...cells(means, [
        `acc@1${view}`,
        `acc@3${view}`,
        `acc@5${view}`,
        `acc@10${view}`,
        `any@1${view}`,
        `any@3${view}`,
        `any@5${view}`,
        `any@10${view}`,
        `mrr${view}`,
        `r@10${view}`,
      ]),
    ]),
    notes: ["acc@k: all expected files are in the first k; any@k: one is; tests out: without test files"],
  };
}

function symbolRanking({ means }: Summary): ReportSection {
  return {
    title: "Ranking of definitions",
    heading: ["", "n", "all@5", "all@10", "any@5", "any@10"],
    rows: VIEW_NAMES.filter(() => means["symbol_all@5"] !== undefined).map(([shown, view]) => [
      shown,
      count(means[`symbol_all@5${view}`]?.n),
      ...cells(means, [`symbol_all@5${view}`, `symbol_all@10${view}`, `symbol_any@5${view}`, `symbol_any@10${view}`]),
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
        `token_efficiency@${label}${counting}`,
        `budget_use@${label}${counting}`,
      ]),
    ]),
  ).filter((row) => row.slice(2).some((cell) => cell !== NONE));
  return {
    title: "Package by budget",
    heading: ["budget", "tokens counted as", "symbols", "files", "lines", "efficiency", "use"],
    rows,
    notes: ["symbols, lines: expected code shown in full; files: any text; efficiency: its share of all tokens"],
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

/** This run compared with a baseline; metrics without a difference are only counted. */
export function comparisonSection({ common, added, missing, metrics }: Comparison): ReportSection {
  const changed = metrics.filter(({ wins, losses }) => wins + losses > 0);
  const same = metrics.length - changed.length;
  return {
    title: `Against the baseline, ${cased(common)} in common`,
    heading: ["metric", "n", "before", "after", "change", "wins", "losses", "ties", "p"],
    rows: changed.map(({ name, n, before, after, wins, losses, ties, p }) => [
      name,
      count(n),
      shown(name, before),
      shown(name, after),
      change(name, after - before),
      count(wins),
      count(losses),
      count(ties),
      p.toFixed(3),
    ]),
    notes: [
      ...(same > 0 ? [`${same} of ${metrics.length} metrics are equal in every case`] : []),
      ...(changed.length > 0
        ? ["p: exact sign test on wins and losses (McNemar's test for pass-or-fail metrics)"]
        : []),
      ...(added + missing > 0
        ? [`not compared: ${cased(added)} only here, ${cased(missing)} only in the baseline`]
        : []),
    ],
  };
}

/** The run without one part, compared with the run with it (the baseline). */
export type Ablated = { readonly without: string; readonly comparison: Comparison };

const ABLATION_METRICS: readonly (readonly [string, MetricName])[] = [
  ["acc@1", "acc@1"],
  ["acc@5", "acc@5"],
  ["acc@10", "acc@10"],
  ["mrr", "mrr"],
  ["sym any@10", "symbol_any@10"],
  ["sym 8k", "symbol_recall@8k"],
];

/** The worth of each part: the change of the means without it, and cases won and lost at acc@5. */
export function ablationSection(ablated: readonly Ablated[]): ReportSection {
  return {
    title: "Without one part: change of the means",
    heading: ["without", ...ABLATION_METRICS.map(([shownAs]) => shownAs), "wins", "losses", "p"],
    rows: ablated.map(({ without, comparison: { metrics } }) => {
      const found = new Map(metrics.map((metric) => [metric.name, metric]));
      const paired = found.get("acc@5");
      return [
        without,
        ...ABLATION_METRICS.map(([, name]) => {
          const metric = found.get(name);
          return metric === undefined ? NONE : change(name, metric.after - metric.before);
        }),
        ...(paired === undefined
          ? [NONE, NONE, NONE]
          : [count(paired.wins), count(paired.losses), paired.p.toFixed(3)]),
      ];
    }),
    notes: ["leaving out a useful part lowers the means; wins, losses and p are for acc@5"],
  };
}

const NONE = "-";
const cells = (means: Means, names: readonly MetricName[]): readonly string[] =>
  names.map((name) => percentOf(means, name));

function percentOf(means: Means, name: MetricName): string {
  const found = means[name];
  return found === undefined ? NONE : shown(name, found.mean);
}

const isFraction = (name: MetricName): boolean => name.startsWith("mrr");
const shown = (name: MetricName, value: number): string =>
  isFraction(name) ? value.toFixed(3) : (100 * value).toFixed(1);
const cased = (n: number): string => `${n} ${n === 1 ? "case" : "cases"}`;
const count = (n: number | undefined): string => (n === undefined ? NONE : String(n));

function change(name: MetricName, delta: number): string {
  const text = shown(name, delta).replace(/^-(0\.0+)$/, "$1");
  return delta > 0 && Number(text) > 0 ? `+${text}` : text;
}
