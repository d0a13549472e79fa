/** The section of a report with one row for each case. A long list is shown on request only. */
import type { MetricName } from "../metric-names.ts";
import type { CaseResult } from "../model.ts";
import { NONE, type ReportSection, shown } from "./report-section.ts";

const CASES_SHOWN = 20;

const COLUMNS: readonly (readonly [string, MetricName])[] = [
  ["files", "file_recall"],
  ["precision", "file_precision"],
  ["symbols", "symbol_recall"],
  ["precision", "symbol_precision"],
  ["efficiency", "token_efficiency"],
];

/** `all`: however many they are. */
export function caseSections(
  results: readonly CaseResult[],
  { all }: { readonly all: boolean },
): readonly ReportSection[] {
  if (results.length === 0 || (results.length > CASES_SHOWN && !all)) return [];
  const rows = results.map(({ id, metrics: { scores, amounts } }) => [
    id,
    ...COLUMNS.map(([, name]) => {
      const score = scores[name];
      return score === undefined ? NONE : shown(name, score);
    }),
    amounts.tokens?.toFixed(0) ?? NONE,
  ]);
  return [
    {
      title: "Each case, at the configured budget",
      heading: ["case", ...COLUMNS.map(([heading]) => heading), "tokens"],
      rows,
      notes: ["files, symbols: recall of the package, each before its precision"],
    },
  ];
}
