/**
 * Combines signals into a score that shows its terms.
 *
 * `total` is the sum of value × weight over the listed terms and is never computed separately. Values and totals are
 * rounded to 1e-6, and equal totals are ordered by path, so that scores are the same on every machine.
 */
import { byPath } from "../../text/order.ts";
import { type FileScore, PATH_PENALTY, REPOSITORY_WEIGHT, type ScoreTerm } from "../model/scores.ts";
import { leastOfBest } from "./least-of-best.ts";

/** One signal's values by position of the file, and its weight; null if its source is absent. */
export type Column = { readonly signal: string; readonly weight: number; readonly values: Float64Array | null };

type Identified = { readonly id: number; readonly path: string };

/** Rounds to 1e-6, the precision at which scores are compared and printed. */
export const roundScore = (value: number): number => Math.round(value * 1e6) / 1e6;

/** What a sum of signals gives. `files` are those with a score above 0, best first, at most as many as were asked for. */
export type Combined = {
  readonly files: readonly FileScore[];
  /** The score of every file, by position. */
  readonly totals: Float64Array;
  /** The score of the file at a position with its terms. */
  readonly scoreAt: (position: number) => FileScore | null;
};

/** Adds up the columns and multiplies each sum by the file's path penalty. */
export function combine(
  files: readonly Identified[],
  columns: readonly Column[],
  factors: Float64Array,
  count: number,
): Combined {
  const totals = totalsOf(files.length, columns, factors);
  const scoreAt = (position: number): FileScore | null => {
    const file = files[position];
    const terms = termsOf(columns, position);
    const sum = roundScore(totalOf(terms));
    const value = sum > 0 ? roundScore((factors[position] ?? 1) - 1) : 0;
    if (value < 0) terms.push({ signal: PATH_PENALTY, value, weight: sum });
    const total = roundScore(totalOf(terms));
    return file !== undefined && total > 0 ? { fileId: file.id, path: file.path, total, terms } : null;
  };
  const found = atLeast(totals, leastOfBest(totals, count)).flatMap((position) => scoreAt(position) ?? []);
  return { files: found.sort(byTotal).slice(0, count), totals, scoreAt };
}

/** The files that `combine` would put first, at most `count`, best first; without their terms. */
export function bestFiles<F extends Identified>(
  files: readonly F[],
  columns: readonly Column[],
  factors: Float64Array,
  count: number,
): readonly F[] {
  const totals = totalsOf(files.length, columns, factors);
  return atLeast(totals, leastOfBest(totals, count))
    .flatMap((position) => {
      const file = files[position];
      return file === undefined ? [] : [{ file, path: file.path, total: totals[position] ?? 0 }];
    })
    .sort(byTotal)
    .slice(0, count)
    .map(({ file }) => file);
}

/** The positions of scores above 0 that are no less than `least`. */
function atLeast(totals: Float64Array, least: number): readonly number[] {
  const found: number[] = [];
  for (let position = 0; position < totals.length; position += 1) {
    const total = totals[position] ?? 0;
    if (total > 0 && total >= least) found.push(position);
  }
  return found;
}

/** The score of each file, as `combine` shows it. */
function totalsOf(files: number, columns: readonly Column[], factors: Float64Array): Float64Array {
  const totals = new Float64Array(files);
  for (let position = 0; position < files; position += 1) {
    let sum = 0;
    for (const { weight, values } of columns) {
      const value = roundScore(values?.[position] ?? 0);
      if (value > 0) sum += value * weight;
    }
    const whole = roundScore(sum);
    if (whole > 0) sum += Math.min(0, roundScore((factors[position] ?? 1) - 1)) * whole;
    totals[position] = roundScore(sum);
  }
  return totals;
}

/**
 * Combines by the rule of the first design: weights are scaled to sum to 1 over the signals with a value for any file, so
 * that an absent signal's weight goes to the others; seeds have the score 1; there is no path penalty.
 */
export function combineClassic(
  files: readonly Identified[],
  columns: readonly Column[],
  seeds: ReadonlySet<number>,
): Combined {
  const live = columns.filter(({ values }) => values?.some((value) => value > 0));
  const sum = live.reduce((total, { weight }) => total + weight, 0);
  const scaled = live.map((column) => ({ ...column, weight: roundScore(column.weight / sum) }));
  const all = files.map((file, position) =>
    scored(file, seeds.has(file.id) ? [{ signal: "seed", value: 1, weight: 1 }] : termsOf(scaled, position)),
  );
  const scoreAt = (position: number): FileScore | null => {
    const score = all[position];
    return score !== undefined && score.total > 0 ? score : null;
  };
  return {
    files: all.filter(({ total }) => total > 0).sort(byTotal),
    totals: Float64Array.from(all, ({ total }) => total),
    scoreAt,
  };
}

function termsOf(columns: readonly Column[], position: number): ScoreTerm[] {
  const terms: ScoreTerm[] = [];
  for (const { signal, weight, values } of columns) {
    const value = roundScore(values?.[position] ?? 0);
    if (value > 0) terms.push({ signal, value, weight });
  }
  return terms;
}

function totalOf(terms: readonly ScoreTerm[]): number {
  let sum = 0;
  for (const { value, weight } of terms) sum += value * weight;
  return sum;
}

const scored = ({ id, path }: Identified, terms: readonly ScoreTerm[]): FileScore => ({
  fileId: id,
  path,
  total: roundScore(totalOf(terms)),
  terms,
});

/** The score of a file whose repository counts for a share of it. */
export function weighted({ fileId, path, total, terms }: FileScore, share: number): FileScore {
  const value = roundScore(share - 1);
  const loss = { signal: REPOSITORY_WEIGHT, value, weight: total };
  return scored({ id: fileId, path }, value < 0 ? [...terms, loss] : terms);
}

type Ordered = Pick<FileScore, "path" | "total">;
/** Best first, and equal ones by path. */
export const byTotal = (a: Ordered, b: Ordered): number => b.total - a.total || byPath(a, b);
