/** Means, medians and quantiles of what cases have; null or absent without a case. */

/** A mean over `n` cases, at least one. */
export type Mean = { readonly mean: number; readonly n: number };

/** An amount over `n` cases, at least one, in its own unit. */
export type Amount = Mean & { readonly median: number };

export const meanOf = (values: readonly number[]): Mean | null =>
  values.length === 0
    ? null
    : { mean: values.reduce((sum, value) => sum + value, 0) / values.length, n: values.length };

export function amountOf(values: readonly number[]): Amount | null {
  const mean = meanOf(values);
  return mean === null ? null : { ...mean, median: quantile(ascending(values), 0.5) };
}

export const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** A quantile of sorted values, by the nearest-rank method. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
