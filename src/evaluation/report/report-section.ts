/** A section of a report, and how figures are written in it: "-" where no case has the value. */
import type { Amount, Mean } from "../averages.ts";
import type { MetricName } from "../metric-names.ts";
import type { Means } from "../summary.ts";

/** A table with a title; numbers are formatted. */
export type ReportSection = {
  readonly title: string;
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly notes?: readonly string[];
};

export const NONE = "-";

export const cells = (means: Means, names: readonly MetricName[]): readonly string[] =>
  names.map((name) => percentOf(means, name));

export function percentOf(means: Means, name: MetricName): string {
  const found = means[name];
  return found === undefined ? NONE : shown(name, found.mean);
}

const isFraction = (name: string): boolean => name.startsWith("mrr");

/** `mrr` as a fraction, other metrics in percent. */
export const shown = (name: string, value: number): string =>
  isFraction(name) ? value.toFixed(3) : (100 * value).toFixed(1);

/** The change of a metric, with its sign. */
export const change = (name: string, delta: number): string => signed(shown(name, delta), delta);

/** A share of cases or groups in percent. */
export const percent = (mean: Mean | undefined): string => (mean === undefined ? NONE : shown("", mean.mean));

/** The mean and the median of tokens. */
export const tokenCells = (amount: Amount | null | undefined): readonly string[] =>
  amount ? [amount.mean.toFixed(0), amount.median.toFixed(0)] : [NONE, NONE];

/** The change of a number of tokens, with its sign. */
export const tokenChange = (delta: number): string => signed(delta.toFixed(0), delta);

function signed(text: string, delta: number): string {
  const plain = text.replace(/^-(0(?:\.0+)?)$/, "$1");
  return delta > 0 && Number(plain) > 0 ? `+${plain}` : plain;
}

export const count = (n: number | undefined): string => (n === undefined ? NONE : String(n));
