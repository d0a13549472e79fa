/** The sections of a report that hold one run against another. */
import { counted } from "../../text/counted.ts";
import type { Comparison } from "../compare.ts";
import { isOfCurve } from "../curve-points.ts";
import { EXACTNESS_SHARES } from "../exactness.ts";
import type { MetricName } from "../metric-names.ts";
import { change, count, NONE, type ReportSection, shown, tokenChange } from "./report-section.ts";
import { budgetOf, gainCell, MOST_EXACT_TOKENS, pointName, SHARE_NAMES, shareCell } from "./report-tokens.ts";

/** This run compared with a baseline. */
export function comparisonSections(comparison: Comparison): readonly ReportSection[] {
  const further = [amountChanges(comparison), curveChanges(comparison), exactnessChanges(comparison)];
  return [metricChanges(comparison), ...further.filter(isFilled)];
}

const isFilled = ({ rows }: ReportSection): boolean => rows.length > 0;

/** Metrics without a difference are only counted. */
function metricChanges({ common, added, missing, metrics: all }: Comparison): ReportSection {
  const metrics = all.filter(({ name }) => !isOfCurve(name));
  const changed = metrics.filter(({ wins, losses }) => wins + losses > 0);
  const same = metrics.length - changed.length;
  return {
    title: `Against the baseline, ${counted(common, "case")} in common`,
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
        ? [`not compared: ${counted(added, "case")} only here, ${counted(missing, "case")} only in the baseline`]
        : []),
    ],
  };
}

function amountChanges({ amounts }: Comparison): ReportSection {
  return {
    title: "Tokens of the package against the baseline",
    heading: ["", "n", "mean before", "after", "change", "median before", "after", "change"],
    rows: amounts
      .filter(({ name }) => !isOfCurve(name))
      .map(({ name, before, after }) => [
        budgetOf(name),
        count(after.n),
        ...(["mean", "median"] as const).flatMap((kind) => tokenChanges(before[kind], after[kind])),
      ]),
  };
}

const tokenChanges = (before: number, after: number): readonly string[] => [
  before.toFixed(0),
  after.toFixed(0),
  tokenChange(after - before),
];

function curveChanges({ curve }: Comparison): ReportSection {
  const before = new Map(curve?.before.map((row) => [row.label, row]));
  const rows = (curve?.after ?? []).flatMap((row) => {
    const old = before.get(row.label);
    return old === undefined ? [] : [{ old, row }];
  });
  return {
    title: "Recall against tokens, against the baseline",
    heading: ["", "tokens before", "after", "symbols before", "after", "change", "over fixed before", "after"],
    rows: rows.map(({ old, row }) => [
      pointName(row.label),
      ...[old, row].map(({ tokens }) => tokens.toFixed(0)),
      ...[old, row].map(({ symbol_recall: share }) => shareCell(share)),
      gainCell(old.symbol_recall === null || row.symbol_recall === null ? null : row.symbol_recall - old.symbol_recall),
      ...[old, row].map(({ over_fixed: gain }) => gainCell(gain)),
    ]),
  };
}

function exactnessChanges({ exactness }: Comparison): ReportSection {
  const shares = EXACTNESS_SHARES.flatMap((name) => {
    const [before, after] = [exactness?.before.shares[name]?.mean, exactness?.after.shares[name]?.mean];
    if (before === undefined || after === undefined) return [];
    return [[SHARE_NAMES[name], shown("", before), shown("", after), change("", after - before)]];
  });
  const [before, after] = [exactness?.before.tokens, exactness?.after.tokens];
  const tokens = before && after ? [[MOST_EXACT_TOKENS, ...tokenChanges(before.median, after.median)]] : [];
  return {
    title: "More exact tasks against the baseline",
    heading: ["", "before", "after", "change"],
    rows: [...shares, ...tokens],
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
